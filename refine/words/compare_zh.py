"""对比的中文说法：依据什么排序，要留意什么，以及导出文件里的词语。"""

from __future__ import annotations

from collections.abc import Mapping

BASIS: Mapping[str, str] = {
    "judge": "按同一位评委的评分排序：{model}，0 到 10 分。",
    "checks": (
        "没有评委评分，因此按检查的意见排序：必改计 {must}，应改计 {should}，丢失一处事实计 {lost}，按每 100 字计，"
        "越少越好。"
    ),
    "": "还没有测评任何结果，因此没有排序。",
}

NO_LEAD = "现在下结论还太早：有结果的方案还不到两个。"

WARNINGS: Mapping[str, str] = {
    "one_draft": "只对比了一篇文字：没有区间，换一篇文字结果可能不同。",
    "few_drafts": "只对比了 {n} 篇文字：少于 {enough} 篇时区间很宽。",
    "same_model": "{variants}的{parts}都是 {model}：模型可能偏爱自己写的文字。",
    "scripted": "{variants}的模型由脚本角色扮演：这只演示对比如何进行，不说明提示词的好坏。",
    "scripted_judge": "评委是脚本角色，并不会评判：它的评分只演示对比如何进行，不说明哪篇更好。",
    "no_score": "评委没有给出任何评分；原因见各次测评的记录。",
    "critics": "各方案的审稿人不同，因此审稿人自己的评分只供参看，不参与排序。",
    "failed": "失败或被停止的运行：{list}。它们没有结果；最后一次的原因：{reason}",
    "missing": "没有评分的结果：{list}。这些不计入，也不算作 0 分。",
    "lost": "丢失了原稿事实的结果：{list}。",
    "unpriced": "{models} 的价格未知，因此费用不完整。",
    "uncharged": "有些调用的费用未知，因此费用写作“至少”。",
    "currencies": "费用有多种货币，因此不与质量对照。",
    "swayed": "{n} 对中有 {k} 对（{percent}%），评委选的是位置而不是文字：这些算作平局。",
    "agreement": "{n} 对中有 {k} 对，你和评委的选择一致（{percent}%）。",
    "kappa": "{n} 对中有 {k} 对，你和评委的选择一致（{percent}%，kappa {kappa}）。",
}

FAULTS = "条加权意见（每 100 字）"
SAME_COST = "{best}每格的费用与{over}相近。"
TIMES = "{best}每格的费用是{over}的 {times} 倍。"
SOME = "{variant} {all} 个中有 {n} 个"
AND = "和"
ALL_VARIANTS = "所有方案"

REPORT: Mapping[str, str] = {
    "untitled": "一次对比",
    "about": "{variants} 个方案 × {tasks} 篇文字 × {repeats} 次",
    "so_far": "{all} 格中有 {n} 格有结果：对比还没有结束。",
    "variants": "方案",
    "judgements": "检查、两两比较和投票",
    "costs": "长度、费用和用时",
    "differences": "与{variant}相比：{scale}",
    "no_interval": "没有区间",
    "scale_judge": "评委评分之差，越大越好",
    "scale_checks": "每 100 字少了多少加权意见，越大越好",
    "front": "质量与费用",
    "front_x": "每格费用，{currency}",
    "front_judge": "评委评分",
    "front_checks": "每 100 字的加权意见",
    "front_joined": "质量与费用。连线上的方案：没有别的方案既更好又更便宜。",
    "matrix_judge": "各篇文字的评委评分",
    "matrix_checks": "各篇文字每 100 字的加权意见",
    "transitions": "各篇文字的变化",
    "better": "变好",
    "worse": "变差",
    "same": "不变",
    "texts": "文字",
    "cell": "{variant}，第 {n} 次",
    "no_text": "没有审过的文字。",
    "unchanged": "这篇文字与原稿一字不差。",
    "brief": "要求",
    "prompts": "提示词",
    "prices": "价格",
    "judge": "评委",
    "checks": "检查",
    "with": "如何得出",
    "comparison": "对比编号",
    "spent": "各方案费用",
    "judging": "评委费用",
    "votes": "你的投票",
    "default": "默认",
    "variant": "方案",
    "text": "文字",
    "results": "格数",
    "results_said": "{all} 格中 {done} 格",
    "failed_said": "{failed} 格失败",
    "approved": "通过",
    "rounds": "轮数",
    "findings": "意见",
    "lost": "丢失事实",
    "lost_said": "{n} 处，在 {cells} 格中",
    "judge_score": "评委",
    "faults": "每 100 字意见",
    "difference": "差距（95%）",
    "baseline": "基准",
    "pairs": "评委两两比较",
    "tally": "{won} 胜 {tied} 平 {lost} 负",
    "consistency": "各次一致",
    "stops": "停止的原因",
    "length": "长度",
    "edits": "改动",
    "tokens": "输入 / 输出词元",
    "cost": "每格费用",
    "total": "总费用",
    "first": "首段文字",
    "time": "用时",
    "role": "角色",
    "model": "模型",
    "endpoint": "接口",
    "temperature": "温度",
    "hash": "提示词版本",
    "input": "输入",
    "output": "输出",
    "cached": "缓存",
    "million": "每百万词元",
    "source": "来源",
    "date": "日期",
    "run": "编号",
}
