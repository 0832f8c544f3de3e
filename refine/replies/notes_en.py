"""What English critics say beside an approval: notes that nothing changes, old faults mended, kind words, options.

The form of the rows is that of `reply_words`.
"""

NO_CHANGE = r"""
    (no|zero|without|nor|or|not? any|n't (see|find|have|spot|need|require|want|ask for) (any )?|
    0) (\w+ ){0,2}(changes?|edits?|revisions?|corrections?|issues?|problems?|errors?|mistakes?|typos?|faults?|
    flaws?|concerns?|objections?|comments?|complaints?|notes?|remarks?|improvements?|findings?|contradictions?|
    gaps?|weaknesses|inconsistenc(y|ies)|ambiguit(y|ies)|fixes|reservations?|caveats?|conditions?|requests?|
    demands?|suggestions?|nits?|quibbles?|doubts?|weak spots?|redundanc(y|ies)|repetitions?|jargon|padding|filler|
    loose ends|action)( (or|and|nor) (\w+ )?(changes?|edits?|revisions?|corrections?|issues?|problems?|errors?|
    mistakes?|typos?|faults?|flaws?|concerns?|objections?|comments?|gaps?|contradictions?|inconsistencies|
    corrections?))*( (are|is|were|was|at all|left|remain(s|ing)?|to|that|which|be|need(ed)?|required?|necessary|
    found|fix|make|mend|report|raise|add|change|must|should|have|made|whatsoever|from me|i can see))* /
    nothing( (?!but |except )[\w'-]+){0,3} (change|changed|fix|fixed|add|added|mend|mended|improve|correct|
    corrected|object to|remove|revise|revised|report|complain about|missing|wrong|left|needed|required|more|
    further|do|done|attention|work|mending|fixing|list|unclear)( on my list)? / nothing (else|more|further) /
    nothing left /
    (?<!by )none( (found|left|needed|required|at all))? /
    (issues?|problems?|changes?|required changes|errors?|gaps?|concerns?|findings?|edits?)( (required|needed|
    found|left|remaining))?:? ?(none|no|0|nil|n/a|nothing)(?! \w) /
    (does|do|did|is|are|will|would|need)( not|n't) (need|require|have|want|ask for|
    call for)( to be)?( any| further| more)? ?(changes?|changing|edit\w*|revis\w+|correct\w+|chang\w+|fix\w*|work|
    improvement\w*|anything|rewrit\w+)?( any further| further)? / need(s)? (no|not be)( further| more)? ?(\w+)? /
    (no|not) need(s|ed)?( to)?( \w+)? / no longer (\w+ ){0,3}\w+ /
    (is|are) (not|n't) (needed|required|necessary) / not (needed|required|necessary) / no must\b[^.]* /
    free (of|from) (\w+ )?(\w+)(,? (and|or) \w+)? / (typo|error|mistake|fault|jargon)-free / error free /
    as (it )?(is|stands) / as (written|submitted) /
    i (would|'d)( not|n't) change (a|any|one|anything|it|much)( \w+)? / wouldn't change (a \w+|any\w*|it) /
    (leave|keep) (it|this|everything|the text) (as|unchanged)( (is|it is|it stands))? /
    (could|can)( not|n't) (be (clearer|better|more \w+)|find (any ?)?\w+|fault|ask for (more|better)|
    think of any\w*) / cannot (be (clearer|better)|find (any ?)?\w+|fault|ask for more) / not only / no doubt /
    not a (single )?word too (many|much|long) /
    never (dull|boring|too \w+|drags|confus\w+|loses?|gets? in the way) / not (too|overly|at all) \w+ /
    neither too \w+ nor too \w+ / no trouble / where (they|it) (need|needs|have|has) to( be)? /
    (everything|all)( that)?( \w+){0,2} (needs?|wants?|has to|have to)( to)? \w+ /
    should be( very| rightly)? proud / should (enjoy|do well|please|delight)\w* /
    (does|do|is|are|did)( not|n't) any( ?more| longer) /
    (can't|cannot|can not|could not|couldn't) (wait|put it down|recommend it (enough|more highly)|praise) /
    (would|could)( not|n't) (touch|alter|wish for|want)( \w+){0,2} /
    no (new|other|further|more) (ones?|points?|faults?) / more than (enough|welcome) /
    problem (statement|solving|description|posed) / the (issue|question|problem) of / nothing to object to /
    (accuracy|logic|clarity|structure|style)(,? (and |or )?\w+){0,4},? (and|or) gaps /
    (hard|difficult|impossible|tough) to (dispute|put down|fault|resist|beat|improve|forget|argue|better|top) /
    did(n't| not) (see coming|expect|want (it|this) to end) /
    should (send|publish|submit|print|share|release) (it|this) / (no longer|not) appl(y|ies) /
    read (it|this|the \w+|this \w+|your \w+)( \w+)? (once|twice|three times|aloud)(,? \w+ (aloud|times))? /
    (?<!not )(explain\w*|clarif\w+|untangles?|unravels?|demystif\w+|handles?|navigates?|tackles?|simplif\w+)( (a|
    an|the|
    this|even|what is|some|such))*( \w+)? (confusing|difficult|complex|tricky|hard|complicated|dense|technical|dry|
    thorny|problem\w*|issues?)( \w+)? /
    (check\w*|look\w*|search\w*|hunt\w*|scan\w*|read)( \w+){0,3} for [^.]{1,200} (found|find|see|
    came up)( with)? (nothing|
    none|no|empty|not one)( \w+){0,4} /
    (thanks|thank you)( \w+){0,2} for (\w+ly )?\w+ing( (?!but\b|however\b|though\b|although\b|still\b|
    except\b)[\w'-]+){0,12} / (not|non)[- ]?blocking / what was( \w+){1,3} is now /
    (what|as|where|how) it should be /
    (which|that) (was|were) (absent|missing|lacking|unclear|weak|vague) (before|earlier|previously|last time) /
    never (talks? down|condescends?|preach(es)?|lectures?|wastes?|overstates?|repeats?|rambles?|strays?|lets? (go|
    up)|
    feels? (forced|rushed|long|slow|heavy|padded)|patroni[sz]es|wanders?|falters?|exaggerates?|overreach(es)?|
    (slips?|lapses?|tips|falls) into) /
    (please )?(just )?let me know (if|whether) (you|there|i|anyone)\b[^.]{0,80} (help|like|need|want|else|
    questions?|
    anything|assistance)\b[^.]{0,80} /
    (don't|do not|wouldn't|would not|need not|needn't) (change|touch|alter|edit|cut)( (a|one|any|another|anything|
    it|single|word|thing|comma|this|the text|further))+ /
    please (do )?(go ahead|proceed)( (and|with|to))?( \w+)? /
    please (do )?(publish|print|release|post)( it| this)? /
    please (pass on|convey|extend|accept|give) (my|our)( \w+){0,2} /
    once aloud / nothing but (high |warm |sincere )?(praise|compliments|admiration|good things|applause|respect) /
    not (a|one)( (single|solitary|lone))?( \w+)? (complaint|problem|issue|error|mistake|typo|fault|flaw|objection|
    change|correction|quibble|nit|note|gap|word|comma|concern|thing)\b( (to|i would|i'd|wrong|out of place|that
    needs?|left|too many|is wasted|wasted)( \w+)?)? /
    you asked( \w+){0,4} (whether|if)( [\w'-]+){1,12} /
    without (ever|going|becoming|losing|repeating|wasting|needing|having|trying|effort|trouble|being|
    hesitation)( \w+)? /
    (know\w*|heard?) nothing (of|about) / nothing (\w+ )?(omitted|overlooked|forgotten|glossed over|left out|lost|to
    quarrel with) / what (must|has to|needs? to|had to|needed to|should) be \w+ /
    worth (the|all the|every) (trouble|effort|wait|minute) / (and|then) stops /
    (how|what|as) (a|an|the|such a|such) (\w+ ){1,3}(should|ought to|must|needs to) (be|sound|look|read|do|feel|have|
    open|end|start|work) /
    (tried|searched|looked|struggled|hunted)( \w+){0,3} (find|for)[^.]{1,100}(empty-handed|in vain|without
    success|came up (empty|with nothing)) /
    ((please|make sure|be sure|do|just)( to| you)? )?(keep|leave) (it|this|everything|them|the \w+( \w+)?) (as|exactly
    as|unchanged)( (is|it is|they are|it stands|are))? / you (were|are) right to( \w+){1,8} /
    i (considered|wondered|asked myself|worried|feared|expected|was afraid|thought)( at first)? (whether|if|that)
    [^.]{1,120}, but(?= (it|this|they|the|that|you|each|both)\b) /
    (hard|difficult|impossible) to (imagine|see|think) how (this|it|the \w+) could( \w+){1,5} / (wanted|
    want) to stop /
    never (exploited|abused|trivialised|trivialized|sensationali[sz]ed|mocked|forced|laboured|labored|strained|
    heavy) /
    (criteria|points|aspects|dimensions) \([^)]{1,80}\) / no (\w+ )?(sentence|word|paragraph|
    line) that could( \w+){1,2} /
    (states?|says?|admits?|acknowledges?|concedes?)( \w+){0,2} what( [\w'-]+){1,3} (cannot|can't|does not|
    doesn't)( \w+)? /
    error (codes?|messages?|handling|bars?|rates?|margins?) / (not|never) (once|for a moment) / still be able to /
    ^no [^.]{1,60}, no [^.]{1,60}[,–—] ?(just|only) [^.;]*\.?$ / never left \w+ / never once /
    (^|: )i (went|looked|read|checked|searched|combed|tested|examined)\b(?![^.]*\b(vain|but|without|found|missed|
    however|
    could)\b)[^.]{1,100} (for|against|with an eye to|with regard to|on) [^.]*\.?$ / (first|original|
    earlier),? (\w+ ){0,3}(version|draft) to (this|the \w+) one /
    (found|see|have) nothing (that|which) would( \w+){1,6} /
    from (the )?(\w+ )?problems? to /
    corrects? (a|an|the|some|several)( \w+){0,2} (misconceptions?|myths?|prejudices?|misunderstandings?|legends?) /
    without (talking|speaking) down( to( \w+){1,5})? / without \w+ing (the reader|anyone|anybody|us|them|
    for sympathy) /
    but here (we are|i am) / i('d| would) say /
    (covers?|handles?|anticipates?|answers?|addresses) (the|all|every)( \w+){0,3} (errors?|problems?|mistakes?|
    issues?|
    objections?|pitfalls?|doubts?) /
    (don't|do not|can't|cannot) see (what|why|how|any reason)( \w+){0,3} (another|further|more)( \w+){1,4} /
    neither( of (which|them|these))? (needs?|has|have) (to )?(\w+ ?){1,4} /
    error[- ]correct(ion|ing)( \w+)? / looked for (\w+ )?(gaps|errors|mistakes|problems|faults|contradictions)\.?$ /
    (does|do|did)( not|n't) (hide|shy|flinch|preach|pretend|condescend|waste|dwell|exaggerate|overstate|oversell|drag|
    lecture|moralise|moralize|patronise|patronize)( \w+){0,3} /
    (decisions?|steps?|things|what|everything) (they|you|we|he|she|readers?) (have|has|need|needs) to( \w+)? /
    (someone|anyone|people|readers?|those|beginners|a person) who (has|have|had) never( \w+){1,3} /
    (his|her|their own|its own) (faults|mistakes|failures|weaknesses|failings|errors) / without (dwelling|hiding) /
    (issues?|problems?|findings?|errors?|changes?|gaps?): ?\[ ?\] /
    (having |i )?compared( \w+){1,3} with (my|the|your)( \w+)?
"""

SETTLED = r"""
    (has|have|had|were|was|are|is|
    been)( all| now| been| both| since| already| well| each| properly| fully)* (fixed|resolved|addressed|
    corrected|removed|gone|cleared up|dealt with|handled|mended|met|solved|taken care of|repaired|trimmed|
    tightened|clarified|reworded|cut|satisfied|added|supplied|replaced|shortened|explained|moved|rewritten|
    answered|closed|filled|bridged|sourced|cited|defined|reconciled|aligned|expanded|linked|straightened out|ironed
    out|smoothed( out)?|sorted( out)?|rectified|remedied|cured|eliminated) /
    (you|author|writer|version|draft|revision|it|this|that|which|rewrite)(( have|
    've| has)?( now| also| neatly| fully| properly| clearly)*) (fixe[sd]|resolve[sd]|put|moved|replaced|added|
    given|gave|made|tightened|split|merged|shortened|clarified|rewritten|reworked|supplied|trimmed|addresse[sd]|
    correct(ed|s)|removed|solve[sd]|mended|cleared up|dealt with|taken care of|took care of|cut out|handled|
    eliminated|got rid of) / is gone / are gone /
    (all|every)( \w+){1,4} (addressed|resolved|fixed|corrected|incorporated|met|handled|answered) /
    the missing( \w+){1,2} (is|are)( now)? (there|here|in place|back|in|supplied|present) /
    now (clear|consistent|agree\w*|correct|read\w*|match\w*|short\w*|flow\w*|work\w*|explain\w*|add\w* up|fit\w*|
    hold\w*) / it has one now /
    (has|have|was|were)( now)? been (dropped|deleted|merged|split|renamed|compared|checked|revised|lifted|softened)
"""

PRAISE = r"""
    great / good / excellent / well / nice(ly)? / fine / strong / clear(ly)? / clean / solid / wonderful /
    perfect(ly)? / ready / love(ly|d)? / thanks? / thank you / congratulations / congrats / bravo / polished /
    ship it / lgtm / publish\w* / improve[ds]? / improvement / compelling / engaging / reads / works? / flows? /
    meets / satisf(y|ies|ied|ying) / fulfil\w* / all (\w+ )?criteria / happy / pleased / pleasure / yes / true /
    beautiful(ly)? / best / better / impressive / superb / outstanding / concise / precise / accurate /
    consistent / coherent / convincing / persuasive / vivid / elegant / crisp / sound / enjoy\w* / delight\w* /
    fantastic / terrific / brilliant / amazing / effective / successful / well[- ]\w+ / kudos / complete /
    correct / right / balanced / tight / sharp / readable / easy to (follow|read|understand) / go ahead /
    keep (it|this|everything) / good to go / proud / flawless / exemplary / high quality / logical(ly)? /
    smooth(ly)? / send it / for publication / every (step|sentence|claim|point) / hits / holds / delivers /
    proceed / finali[sz]e\w* / done / finished / deserves / job / stands / confident / no doubt / lands / earns /
    pass(es|ed)? / follows / understood / admir\w* / exactly / at once / earns? / surpris\w+ / restrain\w* /
    care(ful|fully)? / faultless / unmistakabl\w* / recogni[sz]\w* / in one go / adds? up(?! to) / rings? true /
    carries /
    as promised / on point / spot on / just right / memorable / graceful(ly)? / rhythm /
    never (gets|feels|becomes) / moving / honest / warm / witty / funny / fresh / charming / rich / thoughtful /
    insightful / refreshing / natural(ly)? / captivating / evocative / powerful / rewarding / masterful(ly)? /
    subtle / gripping / authentic / focused / cohesive / pitch-perfect / spotless / error-free / nails / nailed /
    shines / sparkles / sings / thorough(ly)? / useful / helpful / appropriate(ly)? / suitable / fitting /
    justif(y|ies|ied) the / pa(ys|id) off / worth (it|the|every|reading) / sourced / hooks? / builds? on /
    now (has|have|carr\w+|includes?|names?|gives?|states?|answers?|builds?|leads?|closes) /
    stands up / comes alive / worth reading / remarkable / splendid / stunning /
    (strong|clear|tight|short|sharp|smooth|clean|crisp|firm|rich|warm|live|liveli|fresh|simpl|leane?)er /
    i look forward /
    looking forward to / agree(s|d)?( with)? / match(es)? / tall(y|ies) / verified / check(s|ed)? out / defined /
    attributed / cited / introduced / explained / explains / spelled out / illustrates? / backed / supported /
    in order / avoids / resists / removed / taken on board / credible / measured / proportionate / economical /
    plausible / grounded / cumulative / patient(ly)? / generous / humane / distinctive / lively / apt / plain words /
    stays? with (me|you|the reader) / will (stay|remain|linger) / lingers? / made me (smile|laugh|cry|think|want) /
    favou?rite / within (the|its|your) (\w+ )?(limit|count|length|range|brief) / builds / useful / kept apart /
    rightly /
    at a glance / openly / in one sitting / as (it|they) should / straight now / now straight / transformed /
    dated / kept / not even once / logical order / to the point /
    carry / suits? / (^|[–—-] ?)what an? (?!mess\b|pity\b|shame\b|waste\b|muddle\b)[\w-]+ / one idea / nouns /
    concrete /
    (each|every) (paragraph|sentence|section|line|stanza|example|step|scene|chapter|command|term|image) (adds|has|
    leads|gets|
    serves|does|makes|supports|is followed|counts|matters) / feels? (real|alive|earned|true|lived|complete) / firm /
    fair /
    friendly / courteous / serious / sympathy / tact / half the length / (is|are) (stated|acknowledged|disclosed|
    marked as)(?! (twice|again|wrong|without)) / one fact / real / what it (set out|means|meant|promises|promised|
    wants) to \w+ / genuine /
    learns? (what|how|why|when) / drawn /
    makes? sense / traced to / can be followed / taken seriously / congratulate / (are|is) (all )?given / mature /
    rare /
    can follow / tested / trust /
    feels? inevitable / sets the scene / draws the conclusion / (dry|short|plain|simple|brief) (sentences|humou?r|
    words) /
    compared with the / holds together / understandable
"""

OPTIONAL = r"""
    optional(ly)? /
    if you (like|want|wish|prefer|feel|have (the )?time|care|ever|fancy|are (interested|inclined|so inclined|
    looking)) / if (desired|wanted|time permits|anything) /
    you (might|may|could)( also| perhaps| possibly| still)? / (might|could|may)( be)? (worth|consider\w*) /
    (pick|choose|use) (whichever|either) / one (might|could) / nits? / nit ?pick\w* /
    minor (suggestions?|notes?|points?|remarks?|comments?|thoughts?|nits?|ideas?|quibbles?|tweaks?|polish\w*|
    preferences?) / minor(?=[:)]) / small (suggestions?|notes?|thoughts?|ideas?|preferences?) / non-?blocking /
    not blocking /
    (for|in) (a |some |the )?(future|later|next) ?(version|edition|revision|piece|text|draft|work)?s? /
    next time / feel free / up to you / your (call|choice|discretion) / matter of taste /
    personal (preference|taste) / (would|might) be nice / nice to have / can be ignored /
    (feel free to |may |can )?ignore / take it or leave it / just a thought /
    not (required|necessary|mandatory|essential|needed|compulsory) / no (need|obligation|pressure) /
    suggestions? only / purely (a )?(suggestions?|stylistic|cosmetic) / cosmetic / for what it's worth / fwiw /
    does( not|n't) (affect|change) (the|my) (verdict|decision|approval) / i might have / would be a bonus /
    stylistic preference / leave (it|them) if you / does not block / doesn't block /
    (neither|none) of (which|them|these) (needs?|has|have|is|are) (to|necessary|needed|required|essential|pressing|
    urgent)
"""
