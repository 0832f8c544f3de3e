"""What a critic says beside its judgement: headings, severities, instructions repeated, summaries, history.

One table per language; see `reply_words`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Asides:
    must: str
    may: str
    """Severity of an item, or of the items under a heading."""
    good_heading: str
    """Over strengths, or over what was mended."""
    bad_heading: str
    """Over faults."""
    may_heading: str
    """Over optional remarks."""
    instruct: str
    """Repeats the instructions, acknowledges them, promises."""
    refuse: str
    """Declines to work at all."""
    summary: str
    """Says what the text says."""
    report: str
    """Somebody else is speaking."""
    past: str
    """Speaks of an earlier version."""
    still: str
    """But says that it has not changed since."""
    generic: str
    """A condition that is only the instructions' own: if the text is good."""


EN = Asides(
    must=r"""
        must([- ]fix)? / critical / required / mandatory / major / blockers? / blocking / severe / serious / high /
        essential / compulsory / crucial / error
    """,
    may=r"""
        optional(ly)? / may / nits? / nit ?pick\w* / minor / low / cosmetic / nice to have / trivial /
        if you (like|want|wish) / suggestion / consider(ation)?s?
    """,
    good_heading=r"""
        strengths? / what works( well)? / what ?('s|is|i) (good|liked?|strong|working|great) / positives? / pros /
        highlights? / praise /
        good points? / (what )?you('ve| have)? (fixed|changed|improved|mended)( \w+){0,5} /
        what (you|was|has been|the author)( have| has)? (fixed|improved|changed|mended|done well)( \w+){0,5} /
        (fixed|resolved|addressed|improvements?)( (issues|points|since|so far|in this))?( \w+){0,4} / summary /
        scores? / well done / changes (made|since)( \w+){0,4}
    """,
    bad_heading=r"""
        weakness(es)? /
        (main |key |remaining |open |major |critical )?(issues?|problems?|concerns?|faults?|errors?|flaws?) /
        (required |necessary |requested |needed |suggested |compulsory )changes? /
        (areas? )?(for|to) (improve(ment)?|fix|change) /
        what (does( not|n't) work|needs? \w+( \w+)?|to (fix|change|improve)|is missing) / next steps / to ?do /
        must[- ]fix / cons / negatives? / changes (required|needed|requested|are required)( \w+){0,3} /
        the following (\w+ ){0,3}(changes?|issues|problems|points|corrections|fixes)( \w+){0,6}
    """,
    may_heading=r"""
        optional(ly)? / nits? / nit ?picks? / minor( \w+)? / suggestions? / (small )?(ideas|thoughts) /
        for (a |the )?(later|future|next) \w+ / nice to have / if you (like|want|wish|have time) / feel free /
        not (required|necessary|blocking) / could ignore / ignore
    """,
    instruct=r"""
        (answer|reply|respond|return|output|print)( \w+){0,4} with /
        ^(please )?(only |just )?(answer|reply|respond|write|return|output|say|print|type|use) /
        use (that|this|the) (word|token) /
        i( will|'ll| shall| am going to|'m going to) (now )?(check|review|read|answer|reply|respond|look|judge|assess|
        evaluate|begin|start|examine|go|analy[sz]e|report|return|write|use|say|name|list|provide|give|then|either|
        only|not|follow|be|act|do) /
        ^(understood|got it|noted|sure|certainly|okay|ok|alright|all right|of course|acknowledged)$ /
        ^(understood|got it|i understand|noted|sure|certainly|okay|ok|alright|of course|acknowledged|ready when)\b /
        you asked me / you (want|told|would like) me to /
        i (was|am|have been|'ve been) (asked|told|instructed|supposed|to) / (the|your) instructions? /
        my (task|job|role|instructions?) (is|are|was) / you are an? /
        please (send|paste|provide|share|give me|attach|upload)( \w+){0,3} (text|draft|article|essay|document|it|
        content|story|piece) / (send|paste|share|provide)( me)? (the|your) (text|draft) /
        if the text (is good|falls short) / name at least one / otherwise / happy to (review|help) /
        looking forward to (reading|reviewing) / let me (review|read|check|look|start) / as requested /
        in no other case / treat all of it
    """,
    refuse=r"""
        (can't|cannot|can not|unable to|not able to|won't|will not|not comfortable)( \w+){0,2} (help|assist|comply|
        review|do that|do this|fulfil\w*|engage|discuss|provide|process|continue|evaluat\w+|access|complete|see any|
        see a|judge|participate|support|answer|respond|write|read|generate|create) / as an ai /
        against my (guidelines|policy|policies) / i must decline / i (have to |must )?decline /
        (no|not any|n't (see|find|have) (a|any|the)) (text|draft|document|attachment) /
        there (is|was) no (text|draft|document|article) /
        (text|draft|document|message) (is|was|appears|seems) (to be )?(empty|missing|blank) / i'm sorry / i am sorry /
        ^(error|exception|warning): / context length / rate limit / internal server error / timed out /
        i apologi[sz]e / content polic(y|ies) / have no access
    """,
    summary=r"""
        ^(overall,? )?(in summary,? |summary: ?|to summari[sz]e,? )?(this|the|your) (\w+ ){0,2}(text|essay|article|
        story|piece|draft|letter|report|memo|author|writer|paragraph|poem|speech|chapter|document|paper|post|review|
        introduction|section|narrator|scene|proposal)( (?!never|not|hardly|barely|only|fails)\w+)? (describes|
        discusses|explains|covers|argues|tells|summari[sz]es|is about|is an?|examines|explores|presents|outlines|
        asks for|gives|introduces|follows|deals with|reports|compares|considers|recounts|traces|shows|looks at|starts|
        begins|opens|closes|ends|states|says|claims|concludes|advocates|highlights|addresses|analy[sz]es|consists) /
        ^it (gives|describes|tells|then|also|goes on|covers|quotes|closes|begins|opens|argues|explains|ends|concludes|
        lists|discusses|mentions|compares|presents) / ^summary: / ^in summary / occurs (\w+ )?times? /
        ^(first|then|next|finally),? (it|the author|the text)
    """,
    report=r"""
        (he|she|they|board|author|committee|manager|critic|narrator|director|editor|boss|council) (said|says|wrote|
        writes|asked|announced|declared|stamped|read|reads) / said / announced / stamped / asked
    """,
    past=r"""
        the old (one|version|opening|ending|draft|text|title|introduction|conclusion) /
        (in )?(the|an|your|my) (last|previous|earlier|first|second|third|fourth|prior|old|original) (version|draft|
        round|review|attempt) / used to / last (time|round|week) / was my (main |only |first )?\w+ / previously /
        earlier i / (that|which) i (had )?(marked|flagged|listed|pointed out|noted|raised|mentioned|named) /
        i had (asked|marked|flagged|noted|said|complained) / my (earlier|previous|former|last|original|first|main) \w+
    """,
    still=r"""
        still / again / the same / remains? / unresolved /
        (not|n't)( yet)? (been )?(fixed|resolved|addressed|corrected|changed|mended|improved|gone) / keeps? /
        continues? / yet to / must now / as before / persists?
    """,
    generic=r"""
        (text|draft|article|essay|it|everything|all|piece|version|document|story) (is|are|looks?|reads?|meets?|
        becomes?|seems?)( \w+){0,2} (good|fine|ok|okay|ready|acceptable|right|well|satisf\w+|perfect|criteria|
        standards?|requirements?) / criteri(a|on)( \w+)? (is|are) (met|satisfied|fulfilled) /
        (nothing|no) (\w+ ){0,3}(change\w*|problems?|issues?|faults?|left|fix\w*|errors?) / otherwise / satisfied /
        falls? short / good as it stands
    """,
)

ZH = Asides(
    must=r"""
        必须 / 必改 / 严重 / 关键 / 硬伤 / 务必 / 主要问题 / 重大 / 高
    """,
    may=r"""
        可选 / 仅供参考 / 供参考 / 轻微 / 次要 / 小问题 / 小建议 / 不影响 / 低 / 酌情 / 可改可不改
    """,
    good_heading=r"""
        优点 / 亮点 / 长处 / 优势 / 值得肯定\w* / 已(经|全部|逐条|逐一|都|均|一一|得到)*(修改|解决|改进|改正|更正|
        处理|落实|修正)\w* / 总体评价 / 总评 / 概要 / 摘要 / 评分 / 得分
    """,
    bad_heading=r"""
        (主要|存在的?|仍有|具体)?问题 / 不足(之处)? / 缺点 / (必须|需要|需|建议|待)?修改(意见|建议|之处|的地方)? /
        必须修改的地方 / 改进(意见|建议)? / 建议 / 理由如下 / 修改建议
    """,
    may_heading=r"""
        可选 / 仅供参考 / 供参考 / 小建议 / 不影响 / 可改可不改 / 锦上添花
    """,
    instruct=r"""
        ^(好的|明白|收到|知道了|了解|没问题|我明白|我会|遵命) /
        我(会|将|来|先|这就)(从|按|对|仔细|逐|认真|审|看|检查|根据|遵|只|回复|马上|尽快|阅读)\w* /
        (只|仅)?(回复|回答|输出|写|返回)[“"「'`]?.{0,12}即可 / 只(回复|回答|输出|写|返回) / 否则 / 您?你?要求我 /
        请(发|提供|粘贴|上传|把|将)\w{0,4}(全文|文章|原文|稿子|文本|稿件|内容)(发\w+)?(?!.{0,20}(压缩|缩短|改|删|统一|
        补)) / 你是一位 / 逐条列出 / 如果没有问题就回复 / 若文章已无问题
    """,
    refuse=r"""
        (无法|不能|不便|难以)(协助|帮助|提供|处理|完成|满足|审阅|评价|回答|参与|继续)\w* /
        作为(一个|一名)?(ai|人工智能|语言模型)\w* / 抱歉 / 对不起 /
        没有(看到|收到|找到)\w*(文章|文本|稿|内容|原文|附件)
    """,
    summary=r"""
        ^(概要|摘要|总结|内容)[:：] /
        ^(本文|文章|该文|全文|这篇文章|这篇\w{0,4}文|作者|这篇稿子|文中|此文)(主要)?(介绍|讲述|描述|论述|讨论|说明|
        叙述|记述|探讨|分析|回顾|讲|写|从|先|提到|阐述|指出|通过|认为|围绕)\w* / 出现了\w{0,3}次
    """,
    report=r"""
        他说 / 她说 / 说道 / 宣布 / 写道 / 问道
    """,
    past=r"""
        上一?稿 / 上次 / 上一?轮 / 第[一二三四五]稿 / 原稿 / 初稿 / 我曾 / 此前 / 之前的?版本
    """,
    still=r"""
        仍 / 还是 / 依然 / 依旧 / 又(出现|犯) / 同样的 / (没有?|未)(改|解决|修正|处理|补) / 尚未 / 还没
    """,
    generic=r"""
        (文章|全文|稿子|文本|一切|都)\w{0,3}(合格|没有?问题|无问题|很好|可以|达标) / 没有问题 / 否则 / 已无问题
    """,
)
