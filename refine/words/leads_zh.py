"""对比中谁领先、领先多少、有多大把握。"""

from __future__ import annotations

from collections.abc import Mapping

SENTENCES: Mapping[str, str] = {
    "leads": "“{best}”比“{over}”{by}（{level}% 区间 {low} 至 {high}，{texts}）。",
    "tied": "“{best}”比“{over}”{by}（{level}% 区间 {low} 至 {high}，{texts}），但与{tied}尚分不出高下{settle}。",
    "early": "现在下结论还太早：“{best}”比“{over}”{by}，但区间从 {low} 到 {high}{settle}。",
    "unknown": "现在下结论还太早：“{best}”在 {texts}上比“{over}”{by}，但算不出区间。",
    "one": "只有一篇稿子：“{best}”在这一篇上比“{over}”{by}，对其他稿子说明不了什么。",
    "none": "目前没有方案领先：在 {texts}上，没有一个方案胜过其余所有方案。",
}
SETTLE = "；再有约 {more}就能分出高下"
NEVER = "；要分出高下，还需要超过 {more}"
BY: Mapping[str, str] = {
    "more": "高 {value} {unit}",
    "fewer": "少 {value} {unit}",
    "less": "少 {value} {unit}",
}
POINTS = "分"
TEXTS = ("{n} 篇稿子", "{n} 篇稿子")
MORE = ("{n} 篇稿子", "{n} 篇稿子")
NAME = "“{name}”"
LIST = "、"
