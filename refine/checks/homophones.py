"""Words that sound alike, or nearly: loose and lose, weather and whether ... Rows of data.

A row holds only where the words around leave no other reading. Where another reading is possible, there is no row.
"""

from __future__ import annotations

from refine.checks.rows import Row, row

ROWS: tuple[Row, ...] = (
    row(
        "confusion.whose",
        r"\b(?P<x>who's) (?:book|books|name|names|car|house|turn|fault|idea|job|responsibility|side|work|life|father"
        r"|mother|parents|children|eyes|face|hands?|family|son|daughter|voice|opinion|phone|dog|cat|money"
        r"|business)\b(?! (?:is|was) (?:a|the)\b.*who)",
        "whose",
    ),
    row(
        "confusion.who_s",
        r"\b(?P<x>whose) (?:going|coming|been|there|not|trying|responsible|in charge|afraid|ready|next(?=[.?!])|who)\b",
        "who's",
    ),
    row(
        "confusion.lose",
        r"\b(?:to|will|would|can|could|may|might|must|shall|should|don't|didn't|doesn't|not|never|won't|can't|you|we"
        r"|they|i) (?P<x>loose)"
        r" (?:a|an|his|her|my|your|our|their|its|any|all|some|it|them|him|data|money|time|weight|control|hope"
        r"|interest|sight|track"
        r"|touch|patience|focus|everything|something|nothing|anything|customers|faith|trust|count|your|heart|sleep"
        r"|power|face"
        r"|the (?:game|match|job|race|war|battle|election|bet|ball|case|way|keys?|file|data|thread|plot|right"
        r"|contract|chance|money))\b",
        "lose",
    ),
    row(
        "confusion.lose",
        r"\b(?P<x>looses) (?:its|his|her|their|a|the|money|weight|all|interest|control|more|less|hope|some|every"
        r"|everything)\b",
        "loses",
    ),
    row(
        "confusion.lose",
        r"\b(?P<x>loose) (?:your|my|his|her|their|our) (?:fear|way|temper|job|mind|keys?|money|patience|balance"
        r"|weight|voice|place|phone|memory"
        r"|faith|hope|life|savings|home|interest|focus|nerve|appetite|head|touch|seat)\b",
        "lose",
    ),
    row(
        "confusion.lose",
        r"\b(?:is|are|was|were|been|kept|keep|keeps|am|i'm|we're|of|by|without|after|before) (?P<x>loosing)\b",
        "losing",
    ),
    row(
        "confusion.loose",
        r"\b(?:too|came|come|comes|got|hangs?|hung|worked|a bit|very) (?P<x>lose)(?=[.,;!?]| and| so| in| on| again|$)",
        "loose",
    ),
    row("confusion.loose", r"\b(?:was|is|were|are) (?P<x>lose)(?=[.,;!?]|$)", "loose"),
    row(
        "confusion.loose",
        r"\ba (?P<x>lose) (?:screw|thread|end|tooth|fit|cable|wire|shirt|button|bolt|tile|brick|stone)\b",
        "loose",
    ),
    row(
        "confusion.affect",
        r"\b(?:will|would|can|could|may|might|does|did|do|not|doesn't|didn't|won't|don't|cannot|can't|never|also"
        r"|directly"
        r"|negatively|badly) (?P<x>effect) (?:the|our|your|his|her|my|their|its|us|you|me|them|him|it|how|people"
        r"|everyone|performance)\b",
        "affect",
    ),
    row(
        "confusion.effect",
        r"\b(?:side|no|an?|the|any|little|big|great|bad|good|positive|negative|lasting|special|greenhouse|ripple"
        r"|domino)"
        r" (?P<x>affect)(?= (?:on|of|is|was|in|that)\b|[.,;])",
        "effect",
    ),
    row(
        "confusion.effect",
        r"\b(?:side|the|its|their|of|special|positive|negative|long-term|bad|harmful"
        r"|lasting) (?P<x>affects)(?= (?:of|on|are|were|include)\b|[.,;])",
        "effects",
    ),
    row(
        "confusion.past",
        r"\b(?:walked|went|ran|drove|drives|walk|walks|walking|go|goes|going|get|gets|got|flew|rushed|move|moved|moving"
        r"|swept|slipped|strolled|jogged|came|looked|rode|hurried|half|quarter|minutes|sailed|marched"
        r"|crept) (?P<x>passed)"
        r" (?:the|a|an|my|his|her|our|their|me|him|us|them|it|midnight|noon|one|<number>|[0-9]+)\b",
        "past",
    ),
    row(
        "confusion.past",
        r"\bthe (?P<x>passed) (?=(?:few |couple of |<number> |several )?(?:years?|weeks?|months?|days?|decades?"
        r"|century|centuries|hours?)\b)",
        "past",
    ),
    row(
        "confusion.passed",
        r"\b(?:time|years|days|weeks|months|hours|minutes|summer|winter|moment|week|year) (?P<x>past) (?:quickly"
        r"|slowly|by|without|before|so)\b",
        "passed",
    ),
    row(
        "confusion.passed",
        r"\b(?:has|have|had|was|were) (?P<x>past)(?=[.,;]| (?:since|by|away|without|quickly|the (?:test|exam|law"
        r"|bill|ball))\b)",
        "passed",
    ),
    row(
        "confusion.passed",
        r"\b(?:he|she|we|they|i|it) (?P<x>past) (?:the|away|by|his|her|my|out|through|on|me|us|him|them)\b",
        "passed",
    ),
    row(
        "confusion.accept",
        r"\b(?:please|to|will|would|can|cannot|can't|gladly|i|we|they|must|should|could|happily|won't) (?P<x>except)"
        r" (?:the|my|your|our|his|her|their|this|it|credit|cash|responsibility|that (?:i|you|we|he|she|they|it)"
        r"|an? )\b",
        "accept",
        when=lambda prose, match: (
            "," not in match.group()
            and prose.plain[max(0, match.start() - 8) : match.start()].strip()[-3:] not in {"all", "one"}
        ),
    ),
    row(
        "confusion.accept",
        r"\b(?:did not|didn't|does not|doesn't|do not|don't|would not|wouldn't|will not|won't|cannot|can't"
        r"|will always|would always|can never|will never)"
        r" (?P<x>except) (?:that|it|this|the|his|her|their|our|my|your|any|a|an|such)\b",
        "accept",
    ),
    row(
        "confusion.except",
        r"\b(?:everyone|everybody|nobody|no one|everything|nothing|anything|anyone|all|none"
        r"|every day) (?P<x>accept) (?:for|me|him|her|us|them|that one|on|in|sundays?|mondays?)\b",
        "except",
    ),
    row(
        "confusion.except",
        r"(?:everyone|everybody|nobody|no one) (?P<x>accept) [a-z]+",
        "except",
        at="sentence",
        when=lambda prose, match: prose.text[match.end("x") + 1].isupper(),
    ),
    row(
        "confusion.whether",
        r"\b(?:know|knows|knew|decide|decided|deciding|wonder|wonders|wondered|wondering|ask|asked|sure|unsure"
        r"|unclear|regardless of|check|say|tell|see|find out|clear|understand|unknown|cares?"
        r"|determine|doubt|question) (?P<x>weather) (?:or|to|<subject>|the|there|this|these|that|a|any|our|your|my"
        r"|people)\b",
        "whether",
    ),
    row(
        "confusion.whether",
        r"\b(?:ask|asks|asked|tell|told) (?:me|him|her|us|them|you|everyone) (?P<x>weather) (?:<subject>|the|there"
        r"|this|that|a|any|my|to)\b",
        "whether",
    ),
    row(
        "confusion.whether",
        r"\b(?:known|certain|remember|matters?) (?P<x>weather) (?:<subject>|the|there|this|that|a|any|my|to)\b",
        "whether",
    ),
    row("confusion.whether", r"\b(?P<x>weather) or not\b", "whether"),
    row(
        "confusion.weather",
        r"\b(?:bad|good|nice|cold|hot|warm|sunny|rainy|wet|dry|stormy|fine|terrible|the) (?P<x>whether)(?=[.,;!?]"
        r"| (?:is|was|were|forecast|conditions|report|will|turned|changed|got|had|improves?|improved)\b)",
        "weather",
    ),
    row("confusion.weather", r"\b(?P<x>whether) (?:forecast|report|conditions)\b(?! (?:is|are|was|were))", "weather"),
    row(
        "confusion.where",
        r"(?P<x>were) (?:are|is|was|do|did|can|will|does|have|has|should) (?:you|i|we|they|he|she|it|the|my|your"
        r"|our)\b",
        "where",
        at="sentence",
    ),
    row(
        "confusion.where",
        r"\b(?:know|knows|knew|remember|forgot|remembers?|wonder|place|house|room|city|town|village|country|spot"
        r"|area|street|point|that's|this is|that is|exactly)"
        r" (?P<x>were) (?:i|you|he|she|we|they|it|the|my|our|your not|you're|it's|they're|nobody|everyone)\b",
        "where",
        when=lambda prose, match: (
            not match.group().startswith(("place", "point", "room"))
            or match.group().endswith(("i", "he", "she", "we", "they", "you"))
        ),
    ),
    row(
        "confusion.were",
        r"\b(?:they|we|you guys|people|there) (?P<x>where) (?:[a-z]+ing|not|very|all|so|happy|late|too|also|just"
        r"|still|always|never|both|"
        r"sitting|already|no|many|several|some|two|three|lots|a lot|only|really|surprised|tired|here|at|in|on|able)\b",
        "were",
        when=lambda prose, match: "everyone" not in match.group(),
    ),
    row(
        "confusion.we_re",
        r"(?P<x>were) (?:going to|happy to|sorry (?:to|for|that)|pleased to|excited (?:to|about|by)|looking (?:for"
        r"|forward)|proud (?:to|of)|still (?:working|waiting))\b",
        "we're",
        at="sentence",
        when=lambda prose, match: not _is_question(prose.plain, match.end()),
    ),
    row(
        "confusion.know",
        r"\blet(?:ting)? (?:me|us|him|her|them) (?P<x>no)\b(?! more)(?= (?:if|when|how|what|whether|about|that|by"
        r"|your|as|where|who|which|in)\b|[.,;!?]|$)",
        "know",
    ),
    row(
        "confusion.know",
        r"\b(?:don't|didn't|doesn't|i|you|we|they|to|as you|not) (?P<x>no) (?:how|what|why|where|who|if|that"
        r"|anything|the answer|when|whether|about)\b(?! ever)",
        "know",
    ),
    row("confusion.know", r"\bas you (?P<x>no)\b", "know"),
    row(
        "confusion.hear",
        r"\b(?:looking|look|looks|looked) forward to (?P<x>here|hear|hearing from from)\b(?= (?:from|about|back|your"
        r"|what|the))",
        "hearing",
    ),
    row(
        "confusion.hear",
        r"\b(?:did|can|could|do|will|cannot|can't|couldn't|didn't) (?:(?:you|i|we|they|he|she|even|hardly"
        r"|barely) )?(?P<x>here) (?:me|you|the|that|about|it|us|him|her|what|how|my|a|any|from|them)\b",
        "hear",
    ),
    row(
        "confusion.hear",
        r"\b(?:surprised|glad|sorry|pleased|happy|good|nice|delighted|sad|great|shocked|relieved|want|wants|wanted"
        r"|like|able|love) to (?P<x>here) (?:that|about|from|of|your|the|how|what|it|more|back)\b",
        "hear",
    ),
    row(
        "confusion.hear",
        r"\bto (?P<x>here) (?:from (?:you|him|her|them|me|us)|about (?:the|your|it|this)|the news|that you|your)\b",
        "hear",
    ),
    row(
        "confusion.here",
        r"\b(?:right|over|out|live|stay|lives|wait|sit|come|came|up|down|from|around) (?P<x>hear)(?=[.,;!?]|$)",
        "here",
    ),
    row("confusion.here", r"(?P<x>hear) (?:is|are) (?:the|a|an|my|your|our|some|what)\b", "here", at="sentence"),
    row(
        "confusion.quite",
        r"\b(?P<x>quiet) (?:a (?:lot|few|bit|surprise|shock|challenge|number|big|good|large|sight)|different|similar"
        r"|sure|likely|often|difficult|easy|interesting|expensive|popular|important"
        r"|useful|possible|possibly|literally|simply|frankly|well|nicely|good|nice|right|clearly|close to|hard to"
        r"|happy)\b",
        "quite",
        when=lambda prose, match: (
            not match.group().startswith("quiet a ")
            or not prose.plain[: match.start()].rstrip().endswith(("kept", "keep", "stay", "stayed"))
        ),
    ),
    row(
        "confusion.quiet",
        r"\b(?:so|very|too|keep|kept|stay|stayed|be|remain|remained|fell|went|peace and|nice and"
        r"|got) (?P<x>quite)(?=[.,;!?]|$| and (?:still|calm|listen|peaceful))",
        "quiet",
    ),
    row(
        "confusion.quiet",
        r"\b(?:a|the|this|that|some|our) (?P<x>quite) (?:room|place|street|corner|evening|night|morning|voice"
        r"|village|town|moment|spot|afternoon|neighbou?rhood|house|library|time)\b",
        "quiet",
    ),
    row(
        "confusion.quiet",
        r"\b(?:was|is|were|are) (?:to |too |so |very )?(?P<x>quite) (?:in (?:the|here|there)|at night|outside"
        r"|inside)\b(?! (?:long|middle|same))",
        "quiet",
    ),
    row("confusion.quiet", r"\band (?P<x>quite)(?=[.,;!?]|$)", "quiet"),
    row(
        "confusion.quiet",
        r"\b(?:dark|black|cold|still|calm|empty|peaceful|silent|lonely) and (?P<x>quite) (?:behind|in|at|now|again"
        r"|as|here|there|under|around|on)\b",
        "quiet",
    ),
    row(
        "confusion.piece",
        r"\b(?P<x>peace) of (?:cake|paper|advice|news|work|information|bread|furniture|wood|music|equipment|land"
        r"|code|writing|software|fruit|chocolate|pie|glass|metal|art|string|meat|toast|fabric|luck|history)\b",
        "piece",
    ),
    row("confusion.piece", r"\b(?P<x>peaces) of\b", "pieces"),
    row("confusion.peace", r"\b(?:(?:world|inner) (?P<x>piece)(?=[.,;!?]| is| and))", "peace"),
    row("confusion.peace", r"\b(?:rest|live|lived|leave (?:me|us)) in (?P<x>piece)\b", "peace"),
    row("confusion.peace", r"\b(?P<x>piece) (?:and quiet|treaty|talks|agreement)\b", "peace"),
    row(
        "confusion.brakes",
        r"\b(?:(?:hit|slammed on|slam on|pressed|applied) the|car's|my|bike|bicycle|front|rear|hand"
        r"|emergency) (?P<x>breaks)(?= (?:failed|are|were|hard|and|on|squealed|work)\b|[.,;!?]|$)",
        "brakes",
    ),
    row(
        "confusion.brakes",
        r"\bthe (?P<x>breaks) (?:failed|squealed|squeaked|on the (?:car|bike|truck|bus|train|van))\b",
        "brakes",
    ),
    row(
        "confusion.break",
        r"\b(?:take|took|have|had|need|lunch|coffee|tea|short) (?:a )?(?P<x>brake)(?=[.,;!?]|$| (?:from|at|for|and"
        r"|every|now|after)\b)",
        "break",
    ),
    row(
        "confusion.led",
        r"\b(?:has|have|had|was|were|been|be|is|are|which) (?:also |often |eventually "
        r"|already )?(?P<x>lead) (?:to (?:a|an|the|some|more|many|his|her|their|our|much|better|this|that|it"
        r"|problems|confusion)|by)\b",
        "led",
        when=lambda prose, match: (
            not match.group().startswith("which") and not match.group().startswith(("is lead to", "are lead to"))
        ),
    ),
    row(
        "confusion.led",
        r"(?:he|she|it|who) (?P<x>lead) (?:the|a|an|us|them|to|his|her)\b",
        "led|leads",
        at="clause",
        sure=False,
    ),
    row(
        "confusion.principle",
        r"\b(?:in|on|a matter of) (?P<x>principal)(?=[.,;]| (?:i|we|it|this|yes|the)\b)",
        "principle",
    ),
    row(
        "confusion.principle",
        r"\b(?:basic|first|guiding|general|fundamental|moral|ethical|scientific|key) (?P<x>principals)\b",
        "principles",
    ),
    row(
        "confusion.principal",
        r"\b(?:school|vice|assistant|deputy|the new) (?P<x>principle)(?= (?:said|spoke|told|is|was|and|of|has|had"
        r"|who|called|asked)\b|[.,;]|$)",
        "principal",
    ),
    row(
        "confusion.compliment",
        r"\b(?:paid|pay|pays|gave|give|got|received|as) (?:(?:me|him|her|us|them|you"
        r"|my \w+) )?a (?:\w+ )?(?P<x>complement)\b(?! (?:to|of|for))",
        "compliment",
    ),
    row(
        "confusion.dessert",
        r"\b(?:for|chocolate|my favou?rite|a delicious|ordered|had|ate) (?P<x>desert)(?=[.,;!?]|$| (?:we|she|he|i"
        r"|they|there|and (?:coffee|tea))\b)",
        "dessert",
    ),
    row(
        "confusion.sight",
        r"\b(?:at first|love at first|lost|lose|loses|losing|caught|catch|out of|not a pretty) (?P<x>site)(?= of\b"
        r"|[.,;!?]|$)",
        "sight",
        when=lambda prose, match: (
            not match.group().startswith(("lost", "lose", "losing", "caught", "catch"))
            or prose.plain[match.end() :].startswith(" of")
        ),
    ),
    row("confusion.site", r"\b(?:web|building|construction|camp|our web) (?P<x>sight)\b", "site"),
    row(
        "confusion.bear",
        r"\b(?:can't|couldn't|cannot|could not|can hardly|can barely) (?P<x>bare)\b(?! (?:his|her|their|my"
        r"|its) (?:soul|teeth|arms|chest))",
        "bear",
    ),
    row(
        "confusion.allowed",
        r"\b(?:not|aren't|isn't|wasn't|weren't|is|are|was|were|be|been) (?P<x>aloud)(?= (?:to|in|on|into|here|by"
        r"|out)\b)",
        "allowed",
        when=lambda prose, match: (
            prose.plain[match.end() + 1 : match.end() + 3] != "by"
            or "read" not in prose.plain[max(0, match.start() - 12) : match.start()]
        ),
    ),
    row("confusion.waste", r"\b(?P<x>waist) of (?:time|money|energy|space|resources|effort|paper|food)\b", "waste"),
    row(
        "confusion.buy",
        r"\b(?:want|wants|wanted|need|needs|needed|going|decided|went|hope|plan|planned|like|able|try|tried|afford"
        r"|enough|forgot|time|had|have|has)"
        r" to (?P<x>by) (?:a|an|the|some|new|it|them|one|two|more|milk|bread|food|tickets|her|his|my|their|groceries"
        r"|him|me)\b",
        "buy",
    ),
)


def _is_question(plain: str, at: int) -> bool:
    """Does the sentence that goes on at `at` end with a question mark?"""
    ends = [place for place in (plain.find(sign, at) for sign in ".!?\n") if place >= 0]
    return bool(ends) and plain[min(ends)] == "?"
