"""How writers talk about their work around the text itself: one table per language.

Rows as in `reply_words`. They are matched against one sentence in its normal form; a sentence is talk when a row
matches at its start. Knows nothing of the rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from re import Pattern
from re import compile as pattern

from refine.replies.words import rows


@dataclass(frozen=True, slots=True)
class Talk:
    nod: str
    """Opens a reply; alone it is talk only with an exclamation mark or before more talk."""
    announce: str
    """Says that the text comes now."""
    report: str
    """Says what was done, or will be."""
    thanks: str
    """Thanks the critic, or agrees."""
    offer: str
    """Closing remarks about the work and offers of help."""
    courtesy: str
    """Offers that a letter may make too."""
    refuse: str
    label: str
    """Names a version of the text, on a line of its own."""
    changes: str
    """Names a list of changes."""


_EN_VERSION = (
    r"(version|draft|revision|rewrite|text|manuscript|essay|article|piece|paragraphs?|passage|section|letter|"
    r"story|poem|email|post|report|memo|document|copy|speech|sentences?|headlines?|titles?|summary|abstract|"
    r"introduction|chapter|scene|review|blog post|announcement|statement|proposal|content|one|notice|recipe|page|"
    r"description|press release|cover letter|dialogue|script|take|attempt|variant)"
)
_EN_REVISED = (
    r"(revised|updated|improved|edited|corrected|final|polished|rewritten|refined|reworked|amended|adjusted|modified|"
    r"fixed)"
)
_EN_NEW = (
    r"(revised|updated|improved|edited|corrected|new|final|polished|rewritten|full|complete|second|third|fourth|"
    r"next|latest|refined|reworked|shortened|shorter|tightened|cleaned[- ]up|amended|finished|adjusted|modified|"
    r"fixed|whole|entire|proofread|better|requested|translated|\w+er|more \w+|less \w+|alternative)"
)
_EN_TEXTUAL = (
    r"(text|draft|version|paragraphs?|sentences?|opening|introduction|intro|conclusion|ending|wording|tone|"
    r"points?|feedback|remarks?|comments?|suggestions?|corrections?|changes?|revisions?|edits?|repetitions?|"
    r"quotations?|passages?|sections?|typos?|errors?|issues?|findings?|everything|requests?|structure|grammar|"
    r"spelling|punctuation|it (accordingly|as)|critique|notes|headings?|titles?|piece|essay|article|post|clarity|"
    r"flow|source|date)"
)

EN = Talk(
    nod=r"""
        sure( thing)? / certainly / of course / absolutely / okay / ok / alright / all right / great / got it /
        understood / no problem / yes / noted / will do / with pleasure / gladly / right / perfect / definitely /
        done / hello / hi / (my |sincere |many )*apologies( for (the|that|my|any|those) .*)? /
        (i apologi[sz]e|sorry|i'm sorry|i am sorry) (for|about) (the|that|my|any|those)( \w+){0,3} (oversight|
        confusion|errors?|
        mistakes?|misunderstanding|omission|mix-up|issues?)\b.* / sorry about that
    """,
    announce=rf"""
        (here|below|attached|enclosed)( you)?( will find|'ll find| is| are)? my ([\w-]+ )?(version|draft|revision|
        rewrite)$ /
        (here|below|following|attached|
        enclosed)( you)?('s| is| are| will find| comes| you will find| you'll find| you go)?( (the|your|my|a|an|
        our))?( \w+){{0,2}} {_EN_NEW}( \w+){{0,2}} {_EN_VERSION}\b /
        (here|below)('s| is| are) (the|your|my|a) (version|draft|revision|rewrite|text)\b(?! of)( \w+){{0,12}} /
        (here|below)('s| is| are) (the|your|my|a) ([\w-]+ )?{_EN_VERSION},? (you (asked|requested|wanted)|
        as requested|as you asked|with (the|your|all|these) (changes|corrections|edits|revisions|suggestions|
        improvements|requested|suggested|feedback|fixes|remarks)|after|incorporating|addressing|based on|rewritten|
        revised|reworked|edited) / (please )?find (below |attached )?(the|your|my) ([\w-]+ )?{_EN_NEW} /
        (the )?{_EN_NEW} {_EN_VERSION} (is|follows|reads|can be found)( \w+)?( below| as follows|:)? /
        here (it is|you go|we go)$ / (please )?see (below|the (revised|updated)) /
        i('ve| have)? (present|offer|give you|propose|provide|submit) (the|a|my) / {_EN_NEW} {_EN_VERSION}$ /
        (the )?following is( the| my| a)?( \w+)? {_EN_VERSION} / what follows is /
        (this|that)('s| is) (the|your|my|a) {_EN_REVISED}( \w+){{0,2}} {_EN_VERSION}\b /
        here('s| is) the (result|outcome)$ / (the )?{_EN_NEW} {_EN_VERSION} (below|attached|here)$
    """,
    report=rf"""
        i('ve| have|'m| am| did)?( now| also| just| carefully| only| then)?( \w+ly)? ((re)?(wrote|written|worked|
        vised|worded|phrased|structured|moved|placed)|updated|fixed|corrected|edited|addressed|incorporated|shortened|
        tightened|improved|adjusted|applied|implemented|made|added|cut|trimmed|clarified|polished|refined|simplified|
        changed|taken|took|integrated|gave|kept|left|smoothed|deleted|dropped|split|expanded|checked|mended|cleaned|
        resolved|merged|streamlined|completed|finished|finalised|finalized|proofread|included|considered|followed|
        accepted|preserved|ensured|tried|focused)\b.*\b{_EN_TEXTUAL}\b /
        i( have|'ve)( \w+)? \w+(ed|ten|ut|ven|pt|ade|ent|lit)\b.*\b(timeline|transitions?|chronology|numbers?|
        figures?|facts?|logic|
        arguments?|claims?|examples?|details?|pacing|phras\w+|clich\S+|jargon|citations?|references?|sources?|years?|
        terms?|definitions?|metaphors?|words?|language|redundanc\w+|problems?|gaps?|thesis|context|concerns?) /
        i( have|'ve) (revised|fixed|corrected|addressed|rewritten|updated|
        edited)( it| this| that| them)?( all)?( accordingly| as (requested|suggested|you asked|instructed))?$ /
        i( will|'ll| shall| am going to|'m going to)( now)? (shorten|revise|rewrite|correct|fix|edit|address|improve|
        adjust|update|make|incorporate|apply|work on|tighten|clarify|add|cut|remove)\b.*\b{_EN_TEXTUAL}\b /
        i( will|'ll) (get to work|get started|get right on it|start (now|right away)) /
        (all|every|each|both)( of)?( the| your| these)?( \w+)? (points?|issues?|changes?|corrections?|remarks?|
        comments?|suggestions?|findings?|errors?|feedback|problems?|revisions?|edits?|requests?) (have|has|were|was|
        are|is)( now)?( all)?( been)? \w+ /
        (the|your) (text|draft|errors?|feedback|changes?|corrections?|suggestions?|remarks?|comments?|points?|
        issues?) (has|have|was|were) (now )?(been )?(revised|rewritten|updated|corrected|addressed|incorporated|fixed|
        edited|implemented|applied|made) /
        no (further |more |other )?(changes|edits|revisions|
        corrections)( were| are| have been| was)?( made| needed| necessary| required)?$ /
        (nothing|everything) (was|has been|is|else was) (changed|fixed|done|corrected|revised|addressed|updated) /
        (changes|edits|revisions|corrections) (made|applied|done)$ /
        (as (requested|suggested|you asked|instructed)|per your (request|feedback|suggestions)|based on (the|
        your) (feedback|remarks|comments|suggestions)|following your (feedback|suggestions|remarks)|
        in response to (the|your)|taking (your|the) (feedback|remarks))\b.* / done$ /
        i (cut|kept|dropped|left|moved|named|trimmed|split|added|softened) the ([\w-]+ ){{0,2}}(adverbs|adjectives|
        sentence|
        paragraph|ending|opening|tone|voice|structure|date|figure|quotation|title|example|metaphor|phrase|
        word)s?\b.* /
        i (did not|didn't|have not|haven't) (change|touch|alter)\w*\b /
        this (version|revision|draft|rewrite|update)( now| also|,? i (hope|believe|think),?)? (corrects|fixes|
        clarifies|tightens|
        removes|adds|gives|puts|makes|cuts|shortens|restores|adjusts|improves|focuses|responds|takes|strengthens|uses|
        preserves|maintains|replaces|resolves|eliminates|aims|provides|ties|simplifies|smooths)\b /
        this (version|revision|draft) (now )?(addresses|incorporates|fixes|includes|keeps|resolves|is|reflects|
        should)\b / (note|p\.?s\.?|please note)[: ]+(that )?(i|the (text|draft|changes|revision)|no changes)\b /
        the (\w+ )?(changes|edits|revisions) (are|focus|address|include)\b
    """,
    thanks=r"""
        (many )?(thank you|thanks)( so much| very much| a lot| again)?,? (for )?(the|your|this|these|all your|such|
        all the|pointing|sharing|taking)( \w+){0,3} (feedback|review|comments?|notes?|remarks?|suggestions?|critique|
        input|guidance|corrections?|points?|time|out|advice|findings|helpful|thorough|detailed|careful)\b /
        (many )?(thanks|thank you)(,? (this|that) (helped|helps|was|is)( \w+){0,4}|!|,? again)?$ /
        (great|good|excellent|fair|helpful|useful|valid|thoughtful) (points?|feedback|notes?|catch|suggestions?|
        remarks?|comments?|critique|question)(?! (?!on|about|here|all|and|so|i|thank)\w) /
        i( \w+)? (understand|see|hear|get|share|take)( all)? (your|the|these|what you)( \w+){0,2} (concerns?|points?|
        feedback|
        remarks?|comments?|criticisms?|suggestions?|mean|reservations?|worr(y|ies))\b /
        you('re| are)( absolutely| quite)? right\b / i (appreciate|agree)( with)? (the|your)\b /
        (this|that) (was|is) (very |really )?(helpful|useful) (feedback|advice|input)
    """,
    offer=rf"""
        (please )?(just )?let me know (if|whether|what|how|should) (you('d| would)? (like|want|need|prefer|
        have)( me)?( to)?( any| some| more)?( \w+){{0,3}} (changes?|edits?|revisions?|adjust\w*|tweaks?|modif\w+|
        further|refin\w+|rewrite|corrections?|versions?|expand|shorten|revise|feedback|suggestions?|work|tone|length)|
        (anything|something|there)( \w+){{0,4}} (work|changed?|adjust\w*|revis\w+|improve\w*|fix\w*|off|changes|else)|
        (this|it|the (text|draft|version)) (works|meets|is|looks|needs|reads)|i (should|can)|what you think|how (this|
        it)|you think)\b /
        (please )?(just |do )?let me know (if|whether|of|about|should) (any|more|further|other|additional|the|
        there are)( \w+){{0,4}} (changes?|
        edits?|revisions?|adjust\w*|tweaks?|needed|required|necessary|issues?|concerns?|refinements?|feedback|
        sections?|
        corrections?|modifications?)\b.* /
        (i|we) (hope|trust|believe|think) (that )?(this|the|these|it|you)( \w+){{0,3}} (version|revision|draft|meets?|
        helps?|works?|address\w*|changes?|satisf\w+|suits?|fits?|reads?|fulfil\w*|captures?)\b /
        hope (this|that|it) (helps|works|meets) /
        (feel free|don't hesitate|do not hesitate) to (ask|let me know|request|suggest|reach out|adjust|edit|modify|
        change|contact|tell) / would you (like|prefer|want) me to\b /
        (do you|would you) (want|like|need) (any|further|more|another|a)\b /
        (i'm |i am |i'd be |i would be |i will be )?(happy|glad|ready|available) to (adjust|make|revise|refine|edit|
        change|help|expand|shorten|discuss|provide|assist|work|tweak)\b /
        if you('d| would)? (like|want|need|prefer|have)\b.*\b(changes?|edits?|revisions?|adjust\w*|tweaks?|modif\w+|
        let me know|refine\w*|further|another version|just (ask|say))\b /
        (is there )?anything else (you('d| would) like|i (can|should)|to (change|adjust))\b /
        (please )?(send|provide|share|paste)( me)? (the|your|me the)( \w+){{0,3}} {_EN_VERSION}\b /
        i('d| would) be (happy|glad) to help\b / looking forward to your (feedback|thoughts|review|comments) /
        (could|can|would) you (please |kindly )?(send|provide|share|paste)\b
    """,
    courtesy=r"""
        (please )?(just )?let me know if (you (need|have|want)|there('s| is)) (anything|any|something)( \w+){0,3} /
        (please )?(just )?let me know (if|whether) you('d| would)? (like|prefer|want|need)( me to| to (see|make|try|
        have))? (anything|
        something|a (different|new|shorter|longer|second|third|softer|stronger|lighter|formal|more)|another|
        any|other|one more|it|this|further|more|additional|adjust\w*|tweak\w*|change\w*)\b /
        (if )?there('s| is) anything else\b.* / happy to help / i hope this helps / hope this helps /
        let me know if i can help
    """,
    refuse=r"""
        (i'm|i am) (sorry|afraid)\b.*\b(can't|cannot|can not|unable|not able|won't)\b /
        i (can't|cannot|can not|won't|am unable to|am not able to)( \w+){0,2} (help|assist|rewrite|revise|comply|
        write|do (this|that)|edit|fulfil\w*|continue|provide|process|see)\b / as an ai\b /
        there (is|was) no (text|draft)\b / i (don't|do not|can't|cannot) see (any|a|the) (text|draft|document)\b
    """,
    label=rf"""
        (the |my |your )?({_EN_NEW} )?(and \w+ )?(version|draft|text|revision|rewrite|manuscript)( (of|for) (the |
        your )?(text|draft|article|essay))?( ?[(,#-]? ?(round|version|draft|v|no\.?|take)?\.? ?#?\d+ ?\)?)? /
        (the |my |your )?{_EN_NEW} {_EN_VERSION}( ?[(,#-]? ?(round|version|draft|v|no\.?)?\.? ?#?\d+ ?\)?)? /
        draft:? round \d+ / output / result / answer / response
    """,
    changes=r"""
        (summary of |list of |overview of |the |main |key |my |notable |major |specific |brief )*(changes|edits|
        revisions|modifications|corrections|improvements|adjustments|fixes|updates)( (i|that i|i've|we|have been|were|
        are))?( made| applied| implemented| done| included)?( in this (version|round|draft))?( \(round \d+\))? /
        (what|here's what|here is what|here are the changes)( i| has| was| i've| i have)?( been)? (changed|did|
        revised|fixed|made|adjusted) /
        (revision|editor'?s?|editing|author'?s?|writer'?s?|change) (notes?|log|summary) / change ?log /
        notes on (the )?(changes|revision|edits) / explanation( of (the )?changes)? /
        response to (the )?(feedback|remarks|critic|review)
    """,
)

ZH = Talk(
    nod=r"""
        好的?,? / 没问题 / 当然(可以)? / 收到 / 明白了? / 了解 / 可以 / 是的 / 遵命 / 您好 / 你好
    """,
    announce=r"""
        (以下|下面|这|如下)(就)?(是|为)(我|您|你|本次|根据.{0,12})?.{0,12}?(修改|修订|润色|润饰|改写|更新|完善|优化|
        调整|改进|精简|重写|最终|最新|新|完整|翻译|校对|改)(后|好|过|完成?)?(的)?(新|最终|完整|全)?(版本|文本|全文|
        文章|稿|稿子|内容|段落|句子|标题|文字|正文|版|初稿|草稿|终稿|定稿|诗|信|故事|开头|结尾|邮件|报告)\w* /
        (修改|修订|润色|润饰|改写|更新|优化|调整|精简)(后|过|好)?的?(版本|文本|全文|文章|稿|稿子|内容|段落|句子|标题|
        正文|文字)(如下|见下|在此)? /
        (已|我已|现已)?(按|依|根据|遵照).{0,20}(修改|调整|修订|润色|润饰|改写)\w{0,4}如下 /
        (修改|修订|润色|润饰|改写|调整)\w{0,4}如下 / 全文如下 / 以下是(全文|正文|文章|定稿|修改稿|修订稿|初稿|草稿) /
        下面是(全文|正文|文章|修改稿|修订稿|定稿) / 请(看|见|查看|查收|审阅)\w{0,6}(如下|以下|下文|修改稿|修订稿)\w* /
        (以下|下面|这)(就)?是(我的?)?(新|第.{1,2}|修改|最新)的?.{0,3}(稿|版|版本)(本|子)?$ /
        请(您)?(看|见|查看|查收|审阅|过目|阅|审核|指正)(以下|如下|下文)?$ /
        以上(就)?是.{0,12}(修改|修订|润色).*
    """,
    report=r"""
        (我|现|本稿|全文|以上|均|都)?(已经?|均已|都已|现已)(全部|逐条|逐一|全|都|按|依|根据|遵照|将|把|对|补|删|更|修|
        调|完|改|缩)\w*.*(修改|修订|调整|更正|完毕|完成|补充|补上|删除|删去|改好|改正|润色|润饰|出处|建议|意见|要求|
        如下|段|句|处理|落实) / 我(会|将|来|这就|马上)\w*.*(修改|修订|调整|缩短|更正|补充|润色|润饰|改|删) /
        (文章|全文|稿子|文稿|内容)?(已经?|均已|都)(全部|按要求|按意见|逐条|重新)?(修改|完成|更新|改好|调整|改正|更正|
        处理|润色|重写|改|修订)(完毕|完成|好|过)?了?(,? ?请\w{1,10})?$ / 本次(无需|没有|未作?|不需要)(修改|改动) /
        (无需|没有|未作)(任何)?(修改|改动)$ / (根据|按照|依照|遵照|结合)(您|你|审稿|评审|上述|以上|审阅|反馈).* /
        注:(已|均|全文|此处|这里).*(修改|改动|保留|调整|删|补|更正|改为|换) /
        注:.*(未作|保留|没有|未)(任何)?(改动|修改|变动|原样)\w* / 注:(我|以上|本次|文中).*(修改|改动|保留|调整) /
        修改完成$ / 第.{1,8}点已(改|修改|调整).* /
        我(保留|删去|删除|补充|缩短|调整|修改|更正|补上)了?.*(段|句|意见|建议|文|词|标题|开头|结尾|出处)
    """,
    thanks=r"""
        (非常|十分|衷心)?(感谢|谢谢)(您|你|审稿|评审)?的?(宝贵|详细|细致|认真|耐心|专业|中肯)?的?(意见|建议|反馈|指正|
        审阅|批评|点评|回馈|评审|指点|审核)\w* / (您|你)说得(很|非常)?(对|有道理).* / (谢谢|感谢)$ /
        (意见|建议)(很|非常)(好|中肯|有帮助)\w* / (很好|不错)的(意见|建议)
    """,
    offer=r"""
        (希望|相信|但愿)(这|以上|该|本|此|能|修改)?\w*(版本|修改|版|稿|内容|文本)\w*(符合|满足|达到|能|更|对|令)\w* /
        (如果?|若|倘若)(您|你)?(还|仍)?(有|需|需要|想|希望|要|对)\w*(修改|调整|改动|需要|其他|其它|语气|篇幅|进一步|
        不满意|建议|意见).*(告诉|告知|联系|说|提出|指出|沟通|反馈)\w* / 如需\w*.*(告诉|告知|联系)\w* /
        (需要|要不要|是否需要)我\w*(吗|再|进一步)?\w* / 请?(随时)?(告诉|告知)我\w*(修改|调整|意见|想法)\w* /
        请(提供|发送?|粘贴|发来)\w*(原文|文本|文章|全文|稿) / 期待您的(反馈|意见)\w*
    """,
    courtesy=r"""
        希望(这)?对(您|你)有(所)?帮助\w* / 如有(任何)?(其他)?(需要|问题|疑问).*(告诉|告知|联系)(我们?)?$ /
        以上[是为].*(修改|修订|润色).*
    """,
    refuse=r"""
        (抱歉|对不起|很遗憾).*(无法|不能|不便).* / 我?(无法|不能)(协助|帮助|完成|提供|处理).*
    """,
    label=r"""
        (修改|修订|润色|润饰|改写|更新|优化|最终|最新|完整)(后)?的?(版本|文本|全文|文章|稿|稿件|版|内容|
        正文)([（(]?第?.{1,4}[轮版稿次][）)]?)? / 正文 / 全文 / 定稿 / 终稿 / 修改稿 / 修订稿 / 新版本?
    """,
    changes=r"""
        (主要|具体|本次|本轮|详细)?的?(修改|修订|改动|变更|调整|润色|润饰|更改)(说明|内容|要点|之处|清单|列表|记录|
        如下|点|总结|概述|日志|意见回复)? / 更新说明 / 改了什么 / 修改和调整
    """,
)


@cache
def talk(field: str) -> Pattern[str]:
    """Matches any row of `field`, in either language, where a sentence begins."""
    english = "|".join(rows(getattr(EN, field)))
    chinese = "|".join(rows(getattr(ZH, field)))
    return pattern(f"(?a:{english})(?![a-z0-9_])|(?:{chinese})")
