"""Words taken for one another: its and it's, then and than, loose and lose ... Rows of data.

A row holds only where the words around leave no other reading. Where another reading is possible, there is no row.
"""

from __future__ import annotations

import re

from refine.checks.prose import Prose
from refine.checks.rows import Row, row

_COMPARATIVE = (
    "better|worse|rather|more|less|fewer|greater|older|younger|larger|smaller|bigger|higher|lower|faster|slower|earlier"
    "|later|longer|shorter|easier|harder|cheaper|stronger|weaker|other|otherwise|sooner|further|richer|poorer|taller"
    "|heavier|lighter|wider|closer|louder|quieter|warmer|colder|hotter|safer|simpler|happier|busier|nicer|cleaner"
    "|quicker|newer|smarter|brighter|darker|deeper|stricter|wiser|kinder|steeper|thicker|thinner|tougher|different"
)
_AFTER_THAN = (
    "<determiner>|<subject>|me|him|them|us|ever|just|any|anything|anyone|anybody|anywhere|usual|expected|before|most"
    "|all"
    "|one|<number>|[0-9]\\S*|enough|what|in|at|on|when|half|once|twice|necessary|needed|normal|average|planned|first"
    "|last"
    "|yesterday|today|both|other|others|another|many|some|every|everyone|either|people|your|being|doing|having|having"
    "|getting|going|simply|waiting|trying|nothing|no"
)
_NOT_HANDLED = "course|necessity|itself"

ITS: tuple[Row, ...] = (
    row(
        "confusion.its",
        r"(?P<x>its) (?:a|an|the|not(?!-)|been|going|really|so(?!-)|too|just|also|only|important|possible|likely"
        r"|hard|easy"
        r"|difficult|impossible|necessary|true|clear|good|great|nice|fine|okay|ok|better|best|worth|because|why|what"
        r"|how"
        r"|like|all|still|never|always|now|at|in|on|for|to|about|my|your|our|his|time to(?! market| first| live)"
        r"|amazing|quite|hardly|no|pretty|already|almost|kind of|sort of|been)\b(?! (?:own|kind|size|sake)\b)",
        "it's",
        at="clause",
        when=lambda prose, match: not prose.plain[match.end() :].startswith("-"),
    ),
    row(
        "confusion.its",
        r"\b(?P<x>its) (?:(?:a|an)(?!-| priori| posteriori)|the|not(?!-)|been|going to|my|your|our|important (?:to"
        r"|that)"
        r"|(?:hard|easy|difficult|possible|impossible|necessary|better|best|good|time|safe|likely) (?:to"
        r"|that) (?!market|first)"
        r"|clear that|true that|because|too (?:late|early|much|many|hard|bad|expensive)|really|definitely|probably"
        r"|just a"
        r"|still (?:a|not|the)|also (?:a|not|the)|never (?:too|been|going)|always (?:been|good|a)|all about|like a)\b",
        "it's",
    ),
    row(
        "confusion.its",
        r"\b(?:that|think|know|believe|said|says|say|hope|if|because|but|when|so|and)"
        r" (?P<x>its) (?:very|so|too|quite|good|nice|great|fine|hard|easy|cold|hot|worth|true|time|better|okay|ok"
        r"|raining"
        r"|snowing|getting|working|happening|important|possible|impossible|likely|difficult|not|only|just|really|all"
        r"|over|gone|done|broken|finished|ready|late|safe|wrong|right|useful)(?= (?:to|that|and|but|when|if|because"
        r"|for|a|the"
        r"|you|we|i|now|again|today|already|in|at|on|not|it|as|here)\b|[.;!?]|$)",
        "it's",
    ),
    row("confusion.it_s", r"\b(?P<x>it's) own\b(?! (?:fault|up))", "its"),
    row(
        "confusion.it_s",
        r"\b(?:of|with|from|by|into|about|through|under|over|lost|wagged|changed|within|behind|above|against|during"
        r"|near"
        r"|inside|outside|on|to|at) (?P<x>it's) (?!a\b|an\b|the\b|not\b|been\b|going\b|all\b|just\b|been\b|own\b"
        r"|only\b|too\b"
        r"|because\b|that\b|like\b|no\b|so\b|very\b|really\b|always\b|never\b|still\b|about\b|in\b|on\b|at\b|here\b"
        r"|there\b"
        r"|better\b|hard\b|easy\b|worth\b|time\b|my\b|your\b|his\b|her\b|our\b|their\b|[a-z]+(?:ing|ed|ly)\b)[a-z]+",
        "its",
    ),
    row(
        "confusion.it_s",
        r"\b(?P<x>it's) (?:influence|value|name|size|colour|color|length|price|owner|owners|users?|contents?"
        r"|effects?|members|parents?"
        r"|children|surface|shape|history|role|impact|behaviou?r|functions?|features?|roots|purpose|performance"
        r"|quality|weight"
        r"|height|tail|wings|head|body|eyes|mouth|legs|paws|servers?|customers|employees|staff|library|position|origin"
        r"|structure|location|neighbou?rs|walls|roof|windows|doors|edges?|website|budget|policy|policies|readers|author"
        r"|title|cover|pages|meaning|success|popularity|reputation|mission|goals?|founder|limits?|strengths?|weaknesses"
        r"|results?|advantages|disadvantages|citizens|streets|people|annual|current|original|current|main|full"
        r"|new (?:name|home|owner|office|job))\b"
        r"(?! (?:who|that)\b)",
        "its",
        when=lambda prose, match: (
            not match.group().endswith(
                ("people", "success", "history", "results", "result", "main", "full", "current", "original", "annual")
            )
            or (
                bool(
                    re.match(
                        r" (?:of|in|is|are|was|were|has|name|budget|owner|form|report|state|version|meaning|purpose)\b",
                        prose.plain[match.end() :],
                    )
                )
                and not match.group().endswith(("people", "history"))
            )
        ),
    ),
    row(
        "confusion.its",
        r"(?P<x>its) (?:one of|(?:tested|used|made|called|written|based|designed|built|known|located|available"
        r"|supported|intended|meant|installed"
        r"|licensed|recommended|worth|free|fast|simple|safe|ready|raining|cold|late|over|expected|said|hoped"
        r"|believed|planned) (?:on|in|by|with|for|as"
        r"|to|that|from|at|here|now|out|and)\b)",
        "it's",
        at="clause",
    ),
    row(
        "confusion.its",
        r"\b(?P<x>its) (?:one of the|still (?:in|at|on|open|closed|waiting|working|raining|missing|broken|there|here"
        r"|going)|already (?:too|been|in|here|there|late|done|gone))\b",
        "it's",
    ),
    row("confusion.its_mark", r"(?P<x>its')(?= [a-z])", "its"),
)

YOUR: tuple[Row, ...] = (
    row("confusion.your", r"\b(?P<x>your) welcome(?=[.,!]| to [a-z]+|$)", "you're"),
    row(
        "confusion.your",
        r"(?P<x>your) (?:going to|not|gonna|being too|a|an|the|so|very|too|really|never|always|already|probably|just"
        r"|still"
        r"|right(?=[.,;!?]| about| that)|wrong(?=[.,;!?]| about)|trying to|looking (?:for|at)|coming|leaving|sure"
        r"|kidding|supposed|able|allowed)\b(?!-)",
        "you're",
        at="clause",
    ),
    row(
        "confusion.your",
        r"\b(?:if|when|that|because|since|while|where|what|hope|think|know|believe|glad|sure|as|and|but|whether"
        r"|says?|said"
        r"|whatever|until|unless|see) (?P<x>your) (?:going to|not|doing|trying|looking|coming|getting|having"
        r"|interested|happy"
        r"|able|willing|free(?=[.,;!?]| (?:on|to|at|this|next|tomorrow|for))|available|late|okay|ok"
        r"|feeling (?:better|well|ok)|right(?=[.,;!?]| about)"
        r"|wrong(?=[.,;!?]| about)|a|an|the|too|so|very|really|sure|allowed|supposed|ready|done(?=[.,;!?]"
        r"| with))\b(?!-)",
        "you're",
    ),
    row(
        "confusion.your",
        r"\b(?:if|when|hope|think|know|because|since|while|until|unless|sure) (?P<x>your) [a-z]+ing (?:a|an|the|this"
        r"|my|it|them|us|me|to)\b",
        "you're",
        when=lambda prose, match: (
            not match.group().endswith((" to", " the"))
            or not re.search(
                r"(?:meeting|building|writing|understanding|training|feeling|reading|painting|planning|thinking"
                r"|opening|wedding|recording|setting|rating|timing|hearing|parking|warning|landing|ending"
                r"|beginning) (?:to|the)$",
                match.group(),
            )
        ),
    ),
    row(
        "confusion.you_re",
        r"\b(?P<x>you're) (?:own|book|books|opinion|opinions|name|email|e-mail|message|support|feedback|reply|answer"
        r"|question"
        r"|questions|order|account|password|house|work|job|team|letter|idea|ideas|car|phone|mind|computer|interest"
        r"|attention"
        r"|patience|understanding|comments|comment|suggestions|suggestion|data|company|school|office|report|draft"
        r"|website"
        r"|life|hands?|eyes|room|needs|request|parents|children|browser|device|file|files|code|project|help with"
        r"|telephone"
        r"|number|address|(?:new|old|current|full|last|first|next|latest|recent|kind) (?:[a-z]+ )?(?:number|address"
        r"|phone|telephone|book"
        r"|job|house|letter|email|order|message|name|words|help|office|boss|project|report|account))\b",
        "your",
    ),
    row(
        "confusion.you_re",
        r"\b(?:for|of|with|about|from|in|on|by|at|into|send|bring|check|need|lost|love|read|enjoyed|received|tell us"
        r"|tell me)"
        r" (?P<x>you're) (?!(?:a|an|the|not|going|welcome|right|wrong|sure|in|on|at|so|very|too|still|all|just"
        r"|looking|doing|trying"
        r"|here|there|about|able|[a-z]+ing)\b)[a-z]+",
        "your",
    ),
)

THERE: tuple[Row, ...] = (
    row(
        "confusion.there",
        r"\b(?P<x>their|they're) (?:is|are|was|were|has been|have been|had been|will be|would be|must be|may be"
        r"|might be|could be"
        r"|should be|can be|isn't|aren't|wasn't|weren't|seems? to be|used to be|won't be)\b(?! not)",
        "there",
    ),
    row(
        "confusion.there",
        r"\b(?:over|out|up|down|right|back|get|got|went|go|goes|going|gone|been|live|lived|stay|stayed|sit"
        r"|sat|stand|stood|from|here and|arrived|arrive) (?P<x>their|they're)(?=[.,;!?]|$| (?:last|next|yesterday"
        r"|today|tomorrow|again"
        r"|every|by (?:bus|train|car)|when|because|and (?:then|back)|at (?:noon|night|\d)|for (?:a|the|two|three"
        r"|many))\b)",
        "there",
    ),
    row(
        "confusion.there",
        r"\b(?:sit|sat|stand|stood|live|lived|stay|stayed|went|go|got|waited|work|worked) (?P<x>their) (?:in|on|at"
        r"|by|for|with|when|all|every|until|from|and)\b",
        "there",
    ),
    row("confusion.their_end", r"\b(?:is|are|was|were|be) (?P<x>their)(?=[.;!?]|$)", "there|theirs", sure=False),
    row(
        "confusion.there",
        r"\b(?:homework|work|day|week|year|summer|time|people|everyone|everybody|lunch|dinner|train|bus|anything"
        r"|nothing|something"
        r"|friends|it|them|him|her|us|holidays?|night|while) (?P<x>their)(?=[.;!?]|$)",
        "there",
    ),
    row(
        "confusion.theyre",
        r"\b(?:because|since|that|if|when|but|so|think|know|said|says|say|hope|and|although|unless|while"
        r"|sure) (?P<x>their)"
        r" (?:(?:heavy|ready|happy|late|busy|tired|sure|wrong|expensive|cheap|free|cold|hot|gone|broken|open|closed"
        r"|dead|alive|afraid|young"
        r"|old|good|bad|great|fine|nice|easy|difficult|safe|strong|weak|here|back|done|lost|lonely|new|full|empty"
        r"|dirty|clean|delicious)(?=[.;!?,]|$)"
        r"|(?:ready|happy|late|afraid|sure|tired|able|willing|busy|unable|supposed|allowed|proud) (?:to|of|for|with"
        r"|at|about)\b|not (?:the|a|in|to|on|going|sure|very|here|there|ready|happy)\b|too [a-z]+"
        r"|very [a-z]+(?=[.;!?,]))",
        "they're",
    ),
    row("confusion.their", r"\b(?P<x>there|they're) own\b(?!,)", "their"),
    row(
        "confusion.theyre",
        r"(?P<x>their|there) (?:going to|coming(?! of)|trying to|not going|about to|gonna)\b",
        "they're",
        at="clause",
    ),
    row(
        "confusion.theyre",
        r"\b(?:said|say|says|think|thinks|thought|know|because|that|if|when|hope|believe|sure|while|and|but|unless"
        r"|until|what)"
        r" (?P<x>there|their) (?:going to|not going|trying to|coming (?:to|from|back)|about to|happy (?:to|with"
        r"|about|and)|gonna"
        r"|supposed to|willing to|able to|unable to|allowed to|looking for|doing(?=[.,;!?]))\b",
        "they're",
    ),
    row(
        "confusion.their",
        r"\b(?P<x>they're) (?:own|house|houses|home|homes|parents|friends|children|family|families|books|names?|work"
        r"|jobs?|lives"
        r"|car|cars|teacher|opinions?|way|country|money|hands|eyes|heads?|rooms?|team|time|results|data)\b(?! (?:now"
        r"|here|again)\b)",
        "their",
    ),
    row(
        "confusion.their",
        r"\b(?:lost|left|took|take|takes|brought|bring|forgot|forget|packed|finished|finish|did|do|make|made|changed"
        r"|change"
        r"|sold|paid|opened|closed|with|of|for|in|about|from|all|into|on|gave up|share|shared|moved|use|used|improve"
        r"|love|loved)"
        r" (?P<x>there) (?:own|house|houses|home|homes|parents|friends|children|family|families|books|names?|work"
        r"|jobs?|lives"
        r"|cars?|teachers?|opinions?|money|hands|eyes|heads|rooms?|coats?|bags?|shoes|things|homework|teams?|plans?"
        r"|minds?"
        r"|customers?|neighbou?rs|daily|skills|results|phones?|children|kids)\b",
        "their",
    ),
)

TO: tuple[Row, ...] = (
    row(
        "confusion.too",
        r"\b(?:is|are|was|were|be|been|it's|that's|he's|she's|i'm|we're|you're|they're|feels?|felt|seems?|seemed"
        r"|looks?|looked|sounds?|sounded|became|becomes|gets|grew|tastes?|tasted"
        r"|came|come|arrived|got|not|much|far|way|all|you) (?P<x>to) (?:late|early|much|many|big|short|hard|hot|cold"
        r"|expensive"
        r"|difficult|loud|heavy|young|old|tired|far|little|few|high|bad|dark|weak|strong|busy|dangerous|complicated"
        r"|complex"
        r"|soft|tall|shy|small|often|soon|easy|easily|slowly|quickly|wide|afraid|embarrassed|proud|scared|lazy|risky"
        r"|sweet"
        r"|salty|quiet|crowded|nervous|angry|sad|rich|stupid|simple|obvious|general|long(?! for)|sick|ill|poor|steep"
        r"|vague|noisy)\b(?! (?:of|a|the|or)\b)(?!-)",
        "too",
        when=lambda prose, match: (
            not (
                match["x"] == "to"
                and prose.plain[match.start() : match.start("x")].strip()
                in {"far", "you", "all", "come", "came", "much", "got"}
                and prose.plain[match.end("x") + 1 : match.end()]
                not in {"late", "early", "soon", "much", "often", "expensive"}
            )
        ),
    ),
    row("confusion.too", r"\bthere (?:is|are|was|were|'s) (?P<x>to) (?:much|many|few|little)\b", "too"),
    row("confusion.too", r"(?:,|^) (?P<x>to)(?=[.!?]+(?:\s|$))", "too"),
    row("confusion.too", r"\b(?:me|you) (?P<x>to)[.!]", "too", at="sentence"),
    row(
        "confusion.to",
        r"\b(?:want|wants|wanted|need|needs|needed|have|has|had|going|try|tries|tried|trying|like|likes|decided|hope"
        r"|hopes"
        r"|hoped|able|ready|went|used|plan|plans|planned|ought|supposed|came|comes|go|back|according|due|next|listen"
        r"|listened"
        r"|belongs?|refers?|similar|thanks|up|happy) (?P<x>too) (?:the|a|an|be|do|go|get|make|see|have|take|know|say"
        r"|work|find|use|give"
        r"|keep|come|help|leave|stay|learn|buy|eat|meet|tell|talk|write|read|my|your|his|her|our|their|this|that|it"
        r"|me|him"
        r"|them|us|you|school|bed|town)\b",
        "to",
    ),
)

THAN: tuple[Row, ...] = (
    row(
        "confusion.than",
        rf"\b(?<!or )(?:{_COMPARATIVE}) (?P<x>then) (?:{_AFTER_THAN})\b",
        "than",
    ),
    row("confusion.than", r"\bwould rather (?:[a-z]+ ){1,3}(?P<x>then) [a-z]+", "than"),
    row(
        "confusion.than",
        r"\b(?:more|less) [a-z]+(?:ly|ive|ful|ous|ent|ant|ing|ed|able|ible|al|ic) (?P<x>then) (?:<determiner>"
        r"|<subject>|me|him|them|us"
        r"|ever|before|usual|expected|[0-9]\S*|<number>|any|other|others)\b",
        "than",
    ),
    row(
        "confusion.then",
        r", (?P<x>than) (?:<subject>) [a-z]+",
        "then",
        when=lambda prose, match: not _compares(prose, match),
    ),
    row("confusion.then", r"\b(?:if|when|after|once)\b[^.,;!?\n]{3,80}, (?P<x>than) (?:<subject>|the|there)\b", "then"),
    row("confusion.then", r"\band (?P<x>than)\b", "then", when=lambda prose, match: not _compares(prose, match)),
    row(
        "confusion.then",
        r"\b(?:back|by|until|since|just) (?P<x>than)(?=[.,;!?]|$| (?:<subject>|the|went|again)\b)",
        "then",
        when=lambda prose, match: not _compares(prose, match),
    ),
    row(
        "confusion.than",
        rf"\b(?:{_COMPARATIVE}) (?P<p>after|in|on|at|with|for|during|before|among|under|by|from"
        rf"|to) [a-z0-9 ]{{2,30}} (?P<x>then) (?P=p)\b",
        "than",
    ),
    row(
        "confusion.than",
        rf"\b(?:{_COMPARATIVE})\b[^.,;:!?\n]{{3,50}} (?P<x>then) (?:last (?:year|week|month|time|summer|winter"
        rf"|night)|ever|usual|expected|before(?=[.,;!])|in (?:19|20)[0-9][0-9]|any other|the (?:other|others|rest"
        rf"|last one|first one|average))\b",
        "than",
    ),
    row(
        "confusion.than",
        r"\b(?:more|less|fewer|rather|other) (?P<x>then) [a-z]+(?:s|ing|ion|ment|ness|ity)(?=[.,;!?]| (?:in|on|of"
        r"|and|or|is|are|for|with|to)\b)",
        "than",
    ),
    row("confusion.then", r"(?P<x>than) (?:<subject>|the|there) [a-z]+", "then", at="sentence"),
)

OF: tuple[Row, ...] = (
    row(
        "confusion.would_of",
        rf"\b(?:would|could|should|might|must)(?:n't| not| never| also| always| just"
        rf"| probably)? (?P<x>of) (?!{_NOT_HANDLED})(?=[a-z]+)",
        "have",
        when=lambda prose, match: (
            not prose.plain[max(0, match.start() - 4) : match.start()].endswith(("the ", "his ", "its "))
        ),
    ),
    row("confusion.would_of", r"\bto of (?=been|done|had|gone|seen)", "to have "),
)

ROWS: tuple[Row, ...] = (*ITS, *YOUR, *THERE, *TO, *THAN, *OF)


def _compares(prose: Prose, match: re.Match[str]) -> bool:
    """Is there anything in the sentence so far that `than` may go with?"""
    before = re.split(r"[.!?\n]", prose.plain[max(0, match.start() - 200) : match.start()])[-1]
    return bool(re.search(r"\b(?:more|less|rather|other|else|different|sooner|\w+er)\b", before))
