"""Words that look alike or are cut in the wrong place: form and from, costumer and customer, them selves. Rows of data.

A row holds only where the words around leave no other reading.
"""

from __future__ import annotations

import re

from refine.checks.rows import Row, row

_KIN = "mother|father|mum|mom|dad|wife|husband|boss|grandmother|grandfather|grandma|grandpa|fiance"
_OWNED = (
    "house|car|book|name|room|birthday|wedding|garden|kitchen|job|phone|voice|face|hand|hands|eyes|bag|coat|letter"
    "|dog|cat|office"
    "|friends?|advice|opinion|funeral|family|bike|recipe|recipes|grave|health|death|life|chair|bed|desk|hat|shoes"
    "|ring|boat|shop|farm"
    "|diary|plan|idea|decision|computer|school|party|place|side|bedroom|flat|apartment|handwriting|email|cooking"
    "|help|first|old|new"
)
_SPAN = "notice|experience|time|pay|holiday|leave|worth|work|rest|wait|delay|salary|wages|supply|vacation|rent"

ROWS: tuple[Row, ...] = (
    row(
        "confusion.knew",
        r"\b(?:i|he|she|we|they|never|already|nobody|always|hardly|barely) (?P<x>new) (?:that|what|how|why|where|who"
        r"|when|it|the|him|her|them|about|nothing|exactly|he|she|they|something|you|each|everyone)\b",
        "knew",
    ),
    row(
        "confusion.meet",
        r"\b(?:to|will|can|could|let's|we'll|i'll|nice to|should) (?P<x>meat) (?:you|him|her|them|us|with|up|at|the"
        r"|my|your|our|in|on|again|for)\b",
        "meet",
    ),
    row(
        "confusion.see",
        r"\b(?:to|can|could|will|we'll|i'll|let's|you'll|didn't|don't) (?P<x>sea) (?:you|it|the|that|what|how|if|a"
        r"|him|her|them|my|why|me|us)\b",
        "see",
    ),
    row(
        "confusion.week",
        r"\b(?:next|last|this|per|every|each|a|one|the) (?P<x>weak) (?:ago|later|after|before|i|we|he|she|they"
        r"|and (?:a|the)|in (?:may|june|july))\b",
        "week",
    ),
    row("confusion.week", r"\b(?:(?:<number>|few|several|many|past|last) (?P<x>weaks))\b", "weeks"),
    row(
        "confusion.weak",
        r"\b(?:too|very|so|feel|feels|felt|feeling|grew|still) (?P<x>week)(?=[.,;!?]|$| (?:to|and|after|from)\b)",
        "weak",
    ),
    row(
        "confusion.won",
        r"\b(?:he|she|they|we|i|who|team) (?P<x>one) (?:the (?:game|match|race|prize|lottery|election|war|cup|final"
        r"|first prize)|first prize|a prize)\b",
        "won",
    ),
    row(
        "confusion.would",
        r"\b(?:i|he|she|we|they|you|it|that|who) (?P<x>wood) (?:have|be|like|not|never|go|you|love|say|rather)\b",
        "would",
    ),
    row(
        "confusion.whole",
        r"\b(?:the|my|his|her|our|their|a|this|your) (?P<x>hole) (?:of (?:last|this|the|my|his|her)|time|day|week"
        r"|thing|world|team|family|story|point|book|process|way|year|night|lot|country|class|group|idea|house|month"
        r"|morning|afternoon|evening|life|project|village|weekend|company)\b",
        "whole",
    ),
    row(
        "confusion.through",
        r"\b(?:walk|walked|walking|walks|went|go|goes|going|ran|run|came|come|drove|look|looked|looking|get|got|gone"
        r"|been|way|pass|passed|broke|break|read|live|lived|put|pushed|flew|climbed) (?P<x>threw)\b",
        "through",
    ),
    row(
        "confusion.threw",
        r"\b(?:he|she|i|they|we|who) (?P<x>through) (?:the|a|his|her|it|my) (?:ball|stone|rock|book|bag|keys?|away"
        r"|coat|party|bottle|letter|towel)\b",
        "threw",
    ),
    row(
        "confusion.which",
        r"(?:, |\b(?:in|of|for|on|at|to|from|with|by|through) )(?P<x>witch)\b(?= (?:is|was|are|were|means|meant"
        r"|makes|made|has|had|can|will|i|we|he|she|they|you|the|it|would|could)\b)",
        "which",
    ),
    row(
        "confusion.role",
        r"\b(?:key|important|major|leading|active|big|crucial|vital|central|significant|new|plays? an? (?:\w+ )?"
        r"|played an? (?:\w+ )?|playing an? (?:\w+ )?|play an? (?:\w+ )?)(?: |(?<= ))(?P<x>roll)(?= (?:in|of|for|as"
        r"|at|on|is|was)\b|[.,;])",
        "role",
    ),
    row("confusion.role", r"\b(?P<x>roll) models?\b", "role"),
    row(
        "confusion.course",
        r"\bof (?P<x>coarse|corse)\b(?! (?:sand|grain|grained|salt|cloth|fabric|hair|material|grass|linen|gravel"
        r"|wool|paper))",
        "course",
    ),
    row(
        "confusion.morale",
        r"\b(?:team|staff|employee|low|high|boosts?|boosted|improved?|our|troop|good for) (?P<x>moral)(?=[.,;]|$"
        r"| (?:is|was|and|of|has|had|in|among)\b)",
        "morale",
        when=lambda prose, match: "moral of the" not in prose.plain[match.start("x") : match.end() + 8],
    ),
    row("confusion.maybe", r"(?P<x>may be) (?:<subject>|the|this|that|there|because|not)\b", "maybe", at="sentence"),
    row(
        "confusion.may_be",
        r"\b(?:it|this|there|he|she|that) (?P<x>maybe) (?:a|an|the|true|possible|that|time|worth|necessary|too"
        r"|better|useful|because|some|more|needed)\b",
        "may be",
        when=lambda prose, match: not match.group().startswith("that"),
    ),
    row(
        "confusion.a_part",
        r"\b(?:is|was|be|are|were|been|being|become|becomes|became|feel|feels|felt|feeling|i'm|as|it's"
        r"|not) (?P<x>apart) of\b",
        "a part",
    ),
    row(
        "confusion.of",
        r"\bone (?:the|of of the) (?P<y>best|most|biggest|few|main|worst|oldest|largest|greatest|first|only|reasons"
        r"|things|great|many|smallest|finest|hardest)\b",
        "one of the {y}",
        when=lambda prose, match: (
            prose.plain[: match.start()]
            .rstrip()
            .endswith(
                (
                    " is",
                    " was",
                    " as",
                    " are",
                    " were",
                    " become",
                    " became",
                    " remains",
                    " be",
                    "'s",
                    " in",
                    " to",
                    " by",
                    " probably",
                    " for",
                )
            )
        ),
    ),
    row(
        "confusion.used_to",
        r"(?:i|we|he|she|they|you|it|people|there|my \w+|the \w+) (?P<x>use) to (?:be|live|have|love|like|think|know"
        r"|believe|hate|want|work|go|play|visit|come|say|call)\b",
        "used",
        at="clause",
    ),
    row(
        "confusion.used_to",
        r"\b(?:am|is|are|was|were|get|got|getting|be|been|i'm|not|gotten|become) (?P<x>use) to (?:it|this|that|the"
        r"|my|his|her|our|their|being|having|working|a|such|new|doing|getting|living|all)\b",
        "used",
    ),
    row(
        "confusion.supposed",
        r"\b(?:<be>|i'm|you're|he's|she's|it's|we're|they're|not|isn't|aren't|wasn't|weren't) (?P<x>suppose) to\b",
        "supposed",
    ),
    row(
        "confusion.advice",
        r"\b(?:some|good|bad|your|his|her|my|their|of|any|no|useful|helpful|the|best|legal|this|more|much|on|for"
        r"|great|sound|free|an?) (?P<x>advise)(?=[.,;!?]|$| (?:on|about|is|was|from|to (?:me|you|him|her|them|us"
        r"|anyone|new|young|everyone)|and|i|that|for|of|he|she|they|we|you|given)\b)",
        "advice",
    ),
    row(
        "confusion.advise",
        r"\b(?:would|will|can|could|i|we|to|should|must|not|strongly|they|please) (?P<x>advice) (?:you|him|her|them"
        r"|us|me|against|that|people|anyone|everyone|the (?:team|client|user|reader|board)|to|caution|on|our|all)\b",
        "advise",
    ),
    row(
        "confusion.breathe",
        r"\b(?:can't|couldn't|cannot|could|can|to|hardly|barely|and|could not) (?P<x>breath)(?=[.,;!?]|$| (?:in|out"
        r"|again|deeply|properly|easily|through|fresh|the|normally|under|easier)\b)",
        "breathe",
        when=lambda prose, match: (
            not match.group().startswith("and")
            or prose.plain[match.end() : match.end() + 7].startswith((" in", " out", " deeply"))
        ),
    ),
    row(
        "confusion.breath",
        r"\b(?:a|deep|my|his|her|their|our|every|last|one|of|hold your|hold my|held his|held her|held my"
        r"|the) (?P<x>breathe)(?=[.,;!?]|$| (?:and|of|before|in|as|when|was|away|to|for)\b)",
        "breath",
    ),
    row("confusion.intents", r"\b(?P<x>for all intensive purposes)\b", "for all intents and purposes"),
    row(
        "confusion.every_one",
        r"\b(?P<x>everyone) of (?:the|these|those|them|us|you|our|my|his|her|their)\b",
        "every one",
    ),
    row(
        "confusion.cloths",
        r"\b(?:wear|wore|wearing|clean|dirty|wet|new|old|my|his|her|their|our|of|wash|washed|summer|winter|work|warm"
        r"|some|change) (?P<x>cloths)(?=[.,;!?]|$| (?:and|were|are|for|in|to|on|that|at)\b)",
        "clothes",
        when=lambda prose, match: (
            match.group().split()[0] in {"wear", "wore", "wearing", "summer", "winter", "warm", "work", "change"}
        ),
    ),
    row(
        "word.joined",
        r"\b(?P<x>them selves|our selves|your selves|your self|him self|her self|my self|it self)\b(?!-)",
        lambda m: m["x"].replace(" ", ""),
    ),
    row("word.joined", r"(?P<x>more over),", "moreover", at="sentence"),
    row("word.joined", r"\b(?:the|an|this|its|of|your|our) (?P<x>out put)\b", "output"),
    row("word.joined", r"\b(?:this|next|last|every|the|a) (?P<x>week end)\b", "weekend"),
    row("word.joined", r"\b(?:this|in the|every|yesterday|late|early) (?P<x>after noon)\b", "afternoon"),
    row("word.joined", r"\b(?P<x>through out) the\b", "throughout"),
    row(
        "word.joined",
        r"\b(?P<x>no body) (?:is|was|knows|knew|can|could|else|wants|wanted|came|has|had|will|would|likes|noticed"
        r"|told|really|ever|in the)\b",
        "nobody",
    ),
    row(
        "word.joined",
        r"\b(?P<x>some one) (?:is|was|who|has|had|else|told|said|asked|called|left|took|could|will|would|should"
        r"|needs)\b",
        "someone",
    ),
    row(
        "word.joined",
        r"\b(?P<x>some thing) (?:is|was|that|went|to|else|like|has|had|about|new|happened|wrong|different|more)\b",
        "something",
    ),
    row(
        "word.joined",
        r"\b(?P<x>any thing) (?:is|was|that|to|else|like|about|new|wrong|more|can|i|you|we|they)\b",
        "anything",
    ),
    row(
        "word.joined",
        r"\b(?P<x>every thing) (?:is|was|that|went|to|else|has|had|about|i|you|we|they|he|she|works?|worked)\b",
        "everything",
    ),
    row(
        "word.apologies", r"\b(?:my|our|his|her|their|please accept|sincere) (?P<x>apologise|apologize)\b", "apologies"
    ),
    row(
        "word.into",
        r"\b(?:walked|walk|went|go|goes|come|came|look|looked|turn|turned|ran|run|put|moved|fell|fall|break|broke"
        r"|drove|climbed|stepped|jumped|crashed|poured|translated|divided|developed) (?P<x>in to) (?:the|a|an|my|his"
        r"|her|our|their|this|it|that|its)\b(?! (?:see|help))",
        "into",
    ),
    row(
        "word.from",
        r"\b(?:came|come|comes|coming|received|heard|taken|taking|away|far|back|ranging|ranges|suffer|suffers"
        r"|suffered|suffering|benefit|benefits|benefited|download|downloaded|bought|got|starting"
        r"|arrived|recover|recovered|graduated|learned|learnt|borrowed|stolen|removed|exported|imported|different"
        r"|departs|returned|fell|escaped|(?:prevents?|prevented|stop|stopped|keep|kept) (?:me|him|her|us|them|you|it))"
        r" (?P<x>form) (?:the|a|an|my|his|her|our|their|your|me|you|him|them|us|it|this|that|here|there|home|work"
        r"|school|all|other|another|one|what|which|being|doing|going)\b",
        "from",
    ),
    row(
        "word.from",
        r"\b(?P<x>form) (?:time to time|now on|scratch|home|the (?:beginning|start|top|bottom|outside|inside|very"
        r"|moment) (?:of|to|on|i|we|he|she|they|up|the)?)\b",
        "from",
        when=lambda prose, match: (
            not re.search(
                r"\b(?:to|the|a|this|will|can|that|and|they|we|which|must|could|would|should|may|each|one)$",
                prose.plain[max(0, match.start() - 12) : match.start()].rstrip(),
            )
        ),
    ),
    row(
        "word.customer",
        r"\b(?:our|your|new|happy|potential|their|the|many|most|every|loyal|other"
        r"|regular) (?P<x>costumers?) (?=(?:service|support|care|satisfaction|relations|are|is|was|were|have|has|who"
        r"|and|to|can|will|want|like|love|need|ask|asked|said|complain|feedback)\b)",
        lambda m: m["x"].replace("costumer", "customer"),
        when=lambda prose, match: "theat" not in prose.plain and "film" not in prose.plain,
    ),
    row("word.customer", r"\b(?P<x>costumer) (?:service|support|care|satisfaction|relations|feedback)\b", "customer"),
    row(
        "word.definitely",
        r"\b(?P<x>defiantly) (?:a|an|the|not|need|want|be|will|worth|going|recommend|have|one|been|more|better|try"
        r"|see|do|go|come|buy|something|my|know)\b",
        "definitely",
    ),
    row(
        "word.and",
        r"\b(?P<x>an) (?:then|the|so|also|i|he|she|we|they|it|that|this|not|was|were|is|are|had|have|to|in|on|of|at"
        r"|for|with|a)\b(?![-'])",
        "and",
        when=lambda prose, match: not prose.text[match.end() - 1].isupper(),
    ),
    row(
        "word.an",
        r"\b(?:is|was|for|about|like|as|has|have|had|within|half|than|took|take|takes|waited) (?P<x>and) (?:hour"
        r"|example|idea|apple|important|interesting|expert|option|issue|error|email|interview|excellent|old (?:man"
        r"|woman|friend|house)|easy way|extra)\b(?! (?:and|are|were)\b)",
        "an",
    ),
    row("word.one", r"\b(?:is|was|be|as|to|with|by|that|becomes?|became|remains|probably) (?P<x>on) of the\b", "one"),
    row("word.one", r"(?P<x>on) of (?:the|my|our|his|her|their|these|those) [a-z]+", "one", at="sentence"),
    row(
        "word.off",
        r"\b(?:turn|turned|turns|turning|switch|switched|switching|cut|got|get|fell|take|took|jumped|jump|fall"
        r"|falls) (?P<x>of) (?:the|my|his|her|their|your|a|all) (?:light|lights|computer|power|bus|train|table|roof"
        r"|chair|heating|machine|engine|tv|radio|alarm|coat|shoes|hat|phone|horse|bike|ladder|water|gas|oven|wall"
        r"|tree|cliff|bed|sofa|lamp|boat|plane|shelf)\b",
        "off",
    ),
    row(
        "word.of",
        r"\b(?:most|some|because|instead|part|kind|lot|couple|number|middle|rest|end|none|each|many|several|front"
        r"|inside|one) (?P<x>off) (?:the|these|those|my|our|your|his|her|their|its|them|us|you|this|that)\b",
        "of",
        when=lambda prose, match: (
            not match.group().startswith(("one", "end", "rest", "front", "each", "some", "many", "part"))
            or (match.group().endswith(("them", "us")) and not match.group().startswith(("end", "rest")))
        ),
    ),
    row(
        "word.thorough",
        r"\b(?:a|more|very|and) (?P<x>through) (?:review|check|analysis|investigation|cleaning|clean|understanding"
        r"|search|test|examination|job|look at|inspection|study|discussion|report)\b",
        "thorough",
        when=lambda prose, match: match.group().startswith(("a ", "very", "more")),
    ),
    row(
        "word.through",
        r"\b(?:go|went|walk|walked|run|ran|pass|passed|looked|half ?way|going|got|goes|drove|come"
        r"|came) (?P<x>thorough)\b",
        "through",
    ),
    row("word.except", r", (?P<x>expect) for (?:the|a|my|that|one|this|his|her|two|some|me|him|us|them)\b", "except"),
    row(
        "word.create",
        r"\b(?:to|then|first|please|and|,|will|can|must) (?P<x>crate) (?:the|a|an|your|new|this) (?:new )?(?:folder"
        r"|file|account|directory|list|page|project|user|table|team|plan|document|group|branch|copy)\b",
        "create",
    ),
    row(
        "word.sitting",
        r"\b(?:are|is|was|were|am|be|been|i'm|he's|she's|they're|still|kept) (?P<x>siting) (?:there|here|in|on|at"
        r"|still|down|next|by|around|alone|quietly|together)\b",
        "sitting",
    ),
    row(
        "word.hoping",
        r"\b(?P<x>hopping) (?:that|to (?:see|hear|get|be|find|meet|have|go|finish|win)|for (?:a|the|some|better|good"
        r"|more))\b",
        "hoping",
    ),
    row(
        "word.started",
        r"\b(?P<x>stared) to (?:feel|rain|walk|run|cry|laugh|work|speak|talk|snow|move|grow|think|get|make|play"
        r"|write|read|sing|eat|cook|fall|shake|burn)\b",
        "started",
    ),
    row("word.dining", r"\b(?P<x>dinning) (?:room|table|hall|area|chairs?|out)\b", "dining"),
    row(
        "word.wonder",
        r"\b(?:i|we|you|they|he|she) (?P<x>wander|wandered|wanders) (?:if|why|whether|what|when|who)\b",
        lambda m: m["x"].replace("wander", "wonder"),
    ),
    row(
        "word.wander",
        r"\b(?P<x>wondered|wondering) (?:around|off|through|along|down) (?:the|a|and|to|in|into|for)\b",
        lambda m: m["x"].replace("wonder", "wander"),
    ),
    row("word.sale", r"\bfor (?P<x>sell)(?=[.,!;]|$| (?:at|in|on|by|here|now|again)\b)", "sale"),
    row(
        "word.steal",
        r"\b(?:to|would|will|could|did|didn't|who|not) (?P<x>steel) (?:the|a|my|his|her|it|money|from|anything"
        r"|something|food)\b(?! (?:self|selves|against|for))",
        "steal",
        when=lambda prose, match: "herself" not in prose.plain[match.end() : match.end() + 12],
    ),
    row("word.steel", r"\bstainless (?P<x>steal)\b", "steel"),
    row(
        "word.flour",
        r"\b(?:bag|cups?|grams|g|kilo|kg|spoons?|tablespoons?|plain|white|wheat|rye|bread|the eggs,|sugar and"
        r"|sift the|add the) (?:of )?(?P<x>flower)\b(?! (?:bed|pot|garden|shop|heads?))",
        "flour",
    ),
    row(
        "word.flour",
        r"\b(?P<x>flower)(?:,| and) (?:the )?(?:water|sugar|eggs?|butter|salt|milk|yeast|baking)\b",
        "flour",
    ),
    row("word.tale", r"\bfairy (?P<x>tails?)\b", lambda m: m["x"].replace("tail", "tale")),
    row("word.fare", r"\b(?:bus|train|taxi|air|cab|rail) (?P<x>fairs?)\b", lambda m: m["x"].replace("fair", "fare")),
    row(
        "word.pair",
        r"\b(?:a|new|this|one|another|two) (?P<x>pear) of (?:shoes|socks|gloves|glasses|trousers|jeans|boots"
        r"|scissors|pants|eyes|hands|skates|shorts)\b",
        "pair",
    ),
    row(
        "word.sun",
        r"\bthe (?P<x>son) (?:shone|was shining|is shining|shines|rose (?:over|above)|was setting|is setting"
        r"|set (?:over|behind))\b",
        "sun",
    ),
    row("word.vain", r"\bin (?P<x>vein)(?=[.,;!]|$)", "vain"),
    row(
        "word.write",
        r"\b(?:to|please|will|can|could|would|should|and|not|must|i) (?P<x>right) (?:(?:a|an|the|my|his|her|your"
        r"|this|it) (?:\w+ )?(?:letter|book|email|e-mail|report|story|note|essay|article|song|poem|post|review|code"
        r"|novel)|down (?:the|what|your|everything|my|all|every))\b",
        "write",
    ),
    row(
        "word.right",
        r"\b(?:the|a|turn|turned|on the|all|is|was|quite|you're|are) (?P<x>write) (?:way|answer|time|place|one|thing"
        r"|direction|side|hand|decision|person|people|word|choice|moment|into|at the|after)\b",
        "right",
        when=lambda prose, match: not match.group().startswith(("is", "was", "are")),
    ),
    row("word.breaking", r"\b(?P<x>braking) (?:news|the law|point|bad|up with)\b", "breaking"),
    row(
        "word.ones",
        r"\b(?:the|blue|new|old|other|these|those|which|small|big|same|red|green|little|young|good|bad|only|best"
        r"|right|wrong|white|black|cheaper|smaller|bigger|larger|newer|older|different|first|last|few"
        r"|loved) (?P<x>one's) (?:are|were|that|which|in|on|from|with|who|have|we|you|i|they|will|can|do)\b",
        "ones",
    ),
    row(
        "word.plural",
        r"\b(?:<number>|many|several|these|those|few|all the|fresh|most) (?P<x>(?!people|children|men|women|else"
        r"|one)[a-z]{3,}'s)(?= (?:are|were|have|for sale|that|which|who|will|can)\b|[.;])",
        lambda m: m["x"].replace("'", ""),
    ),
    row(
        "word.possessive",
        rf"\b(?:my|his|her|our|your|their) (?P<x>(?:{_KIN})s) (?:{_OWNED})\b(?! (?:and|or|in|on|at) (?:my|his|her))",
        lambda m: "boss's" if m["x"] == "bosss" else m["x"][:-1] + "'s",
    ),
    row(
        "word.possessive",
        rf"\b(?:<number>|few|several|couple of|many) (?P<x>weeks|years|months|days|hours"
        rf"|minutes) (?:{_SPAN})\b(?! (?:is|are|was|were|for|on|as|with)\b)",
        lambda m: m["x"] + "'",
        when=lambda prose, match: (
            not match.group().endswith(("work", "rest", "wait", "delay", "leave", "supply", "rent"))
        ),
    ),
    row(
        "word.possessive",
        rf"\b(?:a|one|last|this|next|each) (?P<x>weeks|years|months|days) (?:{_SPAN})\b",
        lambda m: m["x"][:-1] + "'s",
    ),
    row(
        "word.possessive",
        r"\b(?:someone|somebody|everyone|everybody|nobody|anyone|anybody)(?P<x>s) (?:else|house|book|car|job|life"
        r"|opinion|name|time|turn|responsibility|phone|fault|favou?rite|attention|business|mind|lives)\b",
        "'s",
    ),
)
