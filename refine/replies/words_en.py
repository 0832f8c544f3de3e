"""English words by which replies are read; see `reply_words`."""

from refine.replies import notes_en
from refine.replies.words import Words

EN = Words(
    label=r"""
        ((my|the|our|final|overall|review|editorial|current|critic'?s?|reviewer'?s?|editor'?s?|round \d+|formal|
        official|short|resulting|recommended) )*(verdict|status|decision|conclusion|result|outcome|answer|overall|
        assessment|judge?ment|recommendation|evaluation|review|reviewer|critic|editor|final|response|ruling|
        determination|approval status)( (on|for|of) (this|the) (draft|text|version|round))?( ?\(?(round|draft|version|
        v)? ?#? ?\d+\)?)?( is| remains| stands as)? / (in )?(conclusion|summary|short) /
        (this|the|your) (revised |new |final |current )?(draft|text|version|piece) (is|has been)( now| hereby)?
    """,
    reject=r"""
        revis(e|ion|ions|ed)( (and resubmit|needed|required|requested|necessary))? /
        (needs?|requires?) (\w+ )?(revisions?|changes?|work|edits?|improvements?|rewrit\w+|editing) /
        reject(ed|ion)? / not (yet )?approved? / dis-?approved? / unapproved / un-?acceptable /
        not (yet )?(acceptable|accepted|ready|good enough|there yet|ok|okay) /
        (major|minor|substantial) (revisions?|changes?|edits?)( (needed|required|requested))? /
        changes? (requested|required|needed|necessary) /
        (revisions?|edits?|improvements?) (requested|required|needed) / rewrite / declined? / denied / refused /
        fail(ed|s)? / no[- ]go / no / return(ed)? (to|for) \w+ / resubmit / try again / back to (the )?\w+ /
        request(ing)? changes / not approving / withheld / pending
    """,
    fail=r"""
        revis(e|ion|ions) /
        (needs?|requires?) (\w+ )?(revisions?|changes?|work|edits?|improvements?|attention|fix\w*) / fail(ed|s|ing)? /
        reject(ed)? / not (yet )?(approved|met|passed|ok|okay|good enough|acceptable|satisfied) /
        un(met|satisfactory|acceptable) / dis-?approved / insufficient / weak / poor / no
    """,
    no_change=notes_en.NO_CHANGE,
    settled=notes_en.SETTLED,
    praise=notes_en.PRAISE,
    follow=r"""
        for (publication|release|print|submission|posting|sending) / as (it )?(is|stands) / as (written|submitted) /
        with(out| no) / with (great |much )?(pleasure|enthusiasm|thanks|praise|flying|honou?rs|distinction) /
        and ready / in (full|its current form|its present form) / unconditionally / by me / from (me|my side) /
        thanks? / great / well done / nice / good (work|job) / excellent /
        no (changes?|further|more|edits?|revisions?|corrections?|issues?) / nothing / wholeheartedly / ready / yes /
        now$ / this version$ / congratulations
    """,
    optional=notes_en.OPTIONAL,
    strong=r"""
        must(?!n't|[- ](read|see|have)\b(?! to)) / ha(s|ve) to / required / mandatory /
        needs? (to|a|an|more|some|another|the|fixing|\w+ing) /
        essential /
        before (it (is|can be) |you )?(publish\w*|publication|print\w*|release\w*|it goes|sending|submi\w+) /
        please (fix|correct|change|remove|delete|add|rewrite|revise|shorten|cut|replace|clarify|mend|address|resolve|
        explain|make|rework|move|check|update|do|don't|do not|first|also fix) / fix( \w+){0,3} first / critical /
        compulsory / blocker / blocking
    """,
    fault=r"""
        with nothing in / only at (its|the) / dead / kills? / dangerous(ly)? / harmful / lethal / illegal /
        what i miss(ed)? / i miss(ed)? / as if (translated|written|it|they|the) / reads as (if|though) /
        gives? away the /
        at cross purposes / (twice|half|three times) as (long|short|many|big) as / already passed /
        you were asked for /
        backwards / upside down / at odds / out of nowhere / out of the blue / hanging / peters? out /
        not (appear|occur|mentioned|named|given|cited|sourced|stated|shown|proven|proved|backed)\w* / debunked /
        truncated /
        cut off / mismatch\w* / discrepanc\w+ / oversells? / overblown / swings? / turns? up out /
        too (?!good|well\b)\w+ / unclear / vague\w* / ambiguous / ambiguity / confus\w+ / missing / lack(s|ing)? /
        wrong(ly)? / incorrect(ly)? / inaccura\w+ / errors? / mistakes? / mistaken / typos? / mis-?spel\w+ /
        mis-?quot\w+ / contradict\w* / inconsisten\w+ / weak(er|est|ens?|nesse?s?|ness)? / repetiti\w+ /
        repeat(s|ed|edly)? / redundan\w+ / awkward\w* / clumsy / clunky / wordy / verbose / stilted / abrupt(ly)? /
        un(supported|substantiated|explained|convincing|finished|grammatical|founded|proven|necessary|necessarily|
        even|sourced) / misleading / mislead\w* / problem(s|atic)? / issues? / flaw(s|ed)? / concerns? / gaps? /
        fail(s|ed|ing|ure)? / falls? (short|flat|apart) / insufficient\w* / incomplete / dull / boring / overlong /
        over-?long / long-winded / clich\w+ / filler / padding / jargon / dangling / run-on / broken /
        (hard|difficult|tricky) to \w+ / drags? / rambl\w+ / bur(y|ies|ied) / jumps? / stops? / trouble / never \w+ /
        nobody (can|will|knows) /
        no (support|source|verb|evidence|transition|conclusion|thesis|explanation|reason|example|subject|date|ending|
        structure)\w* / reject(ed)? / un-?acceptable / dis-?approved? / disagree\w* / worn / exaggerat\w+ /
        overstat\w+ / overclaim\w* / claims? more / not (quite|yet|there|ready|enough|good|clear\w*) /
        rather than (the )?\w+ / (says|say) nothing / illogical / irrelevant / off-topic / out of place / outdated /
        overus\w+ / poor(ly)? / sloppy / disjointed / choppy / bland / generic / fuzzy / muddled / shaky / shallow /
        thin / undefined / unreadable / unnatural / useless / vanish\w* / loses? / lost / spoils? / suffers? /
        distract\w* / obscur\w+ / underdeveloped / unresolved / tautolog\w+ / non sequitur / false / faults? /
        faulty / garbled / bad(ly)? / worse / deficien\w+ / careless\w* / disorgani[sz]ed / hedg\w+ /
        legalese / gibberish / purple / melodramatic / preach\w+ / pompous / anachron\w+ / fabricat\w+ /
        non-?existent /
        placeholders? / one-sided / simplistic / implausible / far-fetched / offensive / biased /
        (they|it|this|that) (do|does|did|is|are|was|were|has|have)( not|n't) / no longer follows /
        does( not|n't) \w+ / do( not|n't) \w+ / did( not|n't) \w+ /
        (is|are|was|were)( not|n't) (\w+ ){0,2}\w+ / can(not|'t| not) \w+ / could( not|n't) \w+ /
        one (last|small|more) thing / close, but / almost there / not quite there / promises (\w+ ){1,6}(and|but) /
        which (\w+ )?(one|studies|\w+)\? / (can|could|may|might) mean /
        (long|slow|late|unevenly)( to)? (start|begin|come)\w* / only in the last / only one of / less \w+s /
        without (a |any )?(verb|source|reason|evidence|explanation|explaining|saying|support|transition|conclusion|
        link)\w* / still (?!(a|the|one|best|my|be able)\b)\w+ /
        to be (corrected|fixed|changed|added|removed|resolved|improved|revised|addressed|rewritten|clarified) /
        breaks? off / cuts? off / (has|have) a hole / holes? in / not? add up
    """,
    hint=r"""
        feels? / seems? / a (little|bit|touch|tad) / somewhat / slightly /
        rather (long|short|abrupt|flat|thin|slow|dry) / only / just / off by / stumbl\w+ / sags? / rushed /
        rush(es)? / wonder\w* / without /
        (one|a single|my (one|only|main|last)|a few|some|two|three|several) (\w+ )?(corrections?|reservations?|
        complaints?|objections?|exceptions?|questions?|quibbles?|requests?|points?|things?|changes?|edits?|fixes|
        notes?|suggestions?) / complaints? / reservations? / corrections? / subject to / once / after you / when you /
        as soon as / provided / except / pending / shifts? / halfway / occurs / belongs? /
        goes? (after|before|in|at) / in one place / spell(s|ed)?(?! out) /
        (say|says|said|is|are|stands?) .* and (\d+|elsewhere) /
        (same|different) (word|words|thing|things|phrase|place|point|sentence|spelling|name) / ends? without /
        would help / (could|might|may) be /
        (paragraphs?|lines?|sentences?|sections?|pages?|chapters?|stanzas?|para|scenes?) (\d+|one|two|three|four|five|
        six|seven|eight|nine|ten) /
        (first|second|third|fourth|fifth|sixth|last|final|next|closing|opening|middle|two|three|four|some|many|most|
        half|several) (of the )?(paragraph|line|sentence|section|page|chapter|stanza|example|claim|quotation|
        point)s? / slow(s|ly|er)? / long / short / early / late / twice / times / unclear / stiff / flat / heavy /
        dry / crowded / busy / tired / old / less / fewer / nowhere / abandon\w* / forgot\w* / forget\w* / omit\w* /
        mix(es|ed)? / swap\w* / elsewhere / nobody / no one / follow-?up / needed / necessary / recommended / i'd /
        i would / expected / instead / unexpected(ly)? / question(s|ed|able)? / doubt\w*
    """,
    deny=r"""
        no / not / \w+n't / never / without / free (of|from) / nothing / none / neither / nor / zero / hardly /
        avoids / avoided / resists / eschews / sidesteps / dispels / debunks / corrects / dismantles / escapes /
        rid of / any / longer / instead of any
    """,
    lacking=r"""
        (not|n't|never|hardly|barely|no|cannot|without|nor)( (very|yet|even|quite|really|always|be|been|a|an|the|
        single|
        one|to|fully|
        enough|seem|look|feel|any|have|clear)){0,3} (clear\w*|explain\w*|support\w*|work\w*|follow\w*|enough|
        sufficient\w*|consistent\w*|convinc\w+|flow\w*|make sense|add up|match\w*|connect\w*|read|justif\w+|evidence|
        sources?|transition|conclusion|example\w*|introduction|thesis|ready|good|acceptable|accurate|correct|true|
        right|grammatical|concise|defin\w+|answer\w*|address\w*|meet|satisf\w+|publish\w*|accept\w*|approv\w+|hold|
        belong|fit|stand|believ\w+|coherent|relevant|necessary|deliver\w*|contain\w*|name\w*|say\w*|tell|agree|solid|
        there|fixed|corrected|resolved|mended)
    """,
    demand=r"""
        do (please )?(correct|fix|change|check|add|remove|replace|cut|rewrite|shorten) (the|this|that|“”|it|your|a) /
        (is|are) (still |also )?(needed|required|necessary|called for|due|in order here) /
        would (be|read|work|sound|flow|feel|land)( \w+)? (\w+er|better|more \w+|improved) (if|with|without|as|at|in|
        by) /
        would be (good|nice|better|great|wise|worth|helpful|useful|best) to /
        (be|do) (sure|certain) to (add|fix|correct|change|check|remove|give|name|cite) / do have / kindly /
        should(?!n't (be )?(worry|change)) / ought / please / ha(s|ve) to / needs? / need(ed|ing)? to /
        must(?!n't|[- ](read|see|have)\b(?! to)) /
        requires? / required / has to go / changes? requested / revise / rewrite / re-?work /
        want(s)? (more|a|an|another|some) /
        would (benefit|help|be better|read better|work better|like to see|recommend|suggest|advise) /
        (i|we) (suggest|recommend|advise|propose|want|ask) / could (use|be|benefit|do with)( \w+)? /
        (say|tell|show|name|give|explain|use) (the|how|why|what|who|which|it|us|me|one|plain|a) / take out /
        i('d| would) (suggest|recommend|cut|change|rewrite|shorten|move|drop|prefer|like|drop|add) / calls for /
        let me know (when|once|after) / until / unless / go back / try again /
        (would|could|can|will) (approve|accept) (it|this)?( \w+){0,3} ?if /
        i'd approve / would approve /
        (once|after|as soon as) (you|it|this|that|they|these|the \w+)( \w+)? (have|has|is|are|had)( been)? (\w+ed|
        done|in place)
    """,
    order=r"""
        fix / change / remove / delete / add / shorten / cut / rewrite / rephrase / reword / revise / clarify /
        explain / replace / move / merge / split / trim / tighten / define / check / avoid / use / make / drop /
        reduce / expand / include / provide / cite / support / simplify / consider / address / resolve / improve /
        restructure / rework / tone down / state / specify / mention / say / give / put / start / begin / end /
        break / turn / spell / insert / correct (the|this|it|that|all|your|a) / name / take / tell / show / let /
        pick / choose / supply / mend / combine / strengthen / verify / update / try / swap / strike / omit /
        separate / limit / vary / introduce / develop / focus / condense / join / convert / bring / decide / do not /
        don't / stop / ensure / bypass / skip / leave out / make sure / switch / unify / reconsider /
        complete (it|the|this|that|your)
    """,
    withhold=r"""
        not / \w*n't / cannot / never / no / yet / once / if / when(ever)? / unless / until / till / after / before /
        provid(ed|ing) / pending / subject to / conditional(ly)? / on (the )?condition\w* / except(ing|ion)? /
        apart from / aside from / other than / however / only (if|when|after|once) / almost / nearly / had the /
        would / assuming / as long as / so long as / in principle / tentative(ly)? / provisional(ly)? / partial(ly)? /
        in part / half /
        with( \w+){0,2} (changes?|edits?|corrections?|revisions?|caveats?|reservations?|fix(es)?|comments?|
        conditions?|modifications?|amendments?|tweaks?|suggestions?|notes?) / far from / close to / short of /
        hold(ing)? (off|back) / withh\w+ / wait\w* / false / instead of / rather than / as soon as / then / mostly /
        largely / next (round|time) / soon / future / rejected / revoked / denied / nor / neither / hardly / barely /
        scarcely / by (none|no one|nobody|neither) / unlikely / premature(ly)? / more work / still needs?
    """,
    but=r"""
        but / however / although / though / still / yet / nevertheless / nonetheless / that said / only(?=,) / while /
        whereas / unfortunately / except
    """,
    part=r"""
        dosages? / steps? \d+ / links? / footer / acronyms? / quantit(y|ies) / formulas? / calculations? /
        instructions /
        paragraphs? / para / sentences? / lines? / sections? / pages? / stanzas? / chapters? / scenes? /
        intro(duction)? /
        opening / beginning / middle / conclusion / ending / close / closing / title / headings? / subheadings? /
        tables? /
        chart / figures? / numbers? / totals? / dates? / years? / names? / words? / comma / quotations? / quotes? /
        sources? / examples? / arguments? / logic / claims? / tone / voice / abstract / text / piece / essay /
        article /
        story / draft / letter / poem / deadline / metaphors? / images? / transitions? / thesis / evidence /
        you write /
        references? / footnotes? / captions? / terms? / point of view / plot / characters? / dialogue / punctuation /
        spelling / grammar / tense / pronouns? / verbs? / reasoning / premise / statistics? / statement / percentages?
    """,
)
