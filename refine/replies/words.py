"""The form of the words by which replies are read: one table per language, `reply_words_en` and `reply_words_zh`,
and one for what stands beside the judgement, `reply_asides`.

A new case is a row there, not a new pattern elsewhere. A row is a small regular expression over text in its normal
form (`reply_text.normal`): lower case, simplified characters, plain apostrophes. Rows are set off by " / "; brackets
only group; a line may be broken at a space, or after one of | ) ? * }. English rows match whole words, Chinese rows
match anywhere. Knows nothing of the rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """What one language has to say in a reply."""

    label: str
    """What may stand before the token on a verdict line."""
    reject: str
    """Verdicts that are not approvals, at the start of a line or after a label."""
    fail: str
    """What is said of a single criterion that fails."""
    no_change: str
    """Notes that nothing has to change, or that nothing is wrong."""
    settled: str
    """Faults of an earlier round that are mended."""
    praise: str
    follow: str
    """What may follow the token without a sign between them."""
    optional: str
    """Expressly optional."""
    strong: str
    """Compulsory, whatever else the sentence says."""
    fault: str
    """Names a fault, unless denied."""
    hint: str
    """Smells of a fault: it names one unless the same sentence praises."""
    deny: str
    """What denies a fault that follows it."""
    lacking: str
    """A virtue denied: a fault."""
    demand: str
    """A change that is asked for."""
    order: str
    """A verb that demands when a clause starts with it."""
    withhold: str
    """Negates, conditions or qualifies an approval in its own sentence."""
    but: str
    """Turns against what was said before."""
    part: str
    """A part or a side of the text: what a critic says of it, if nothing kind, may be a fault in unusual words."""


def rows(block: str) -> list[str]:
    """The rows of one field, as regular expressions."""
    joined = " ".join(re.sub(r"(?<=[|)*?}])\n\s*", "\0", block).replace("\0", "").split())
    return [re.sub(r"(?<!\\)\((?!\?)", "(?:", row) for row in joined.split(" / ")]


SIMPLIFIED = str.maketrans(
    "與專業兩嚴個箇為爲麼麽義書亂於親僅從們價優會傳傷體餘脩關興內寫決凈淨準幾齣則刪別彆製務動協單卽卻壓參蔘發髮變"
    "敘隻號閤衕後嗎響囉迴圍聲處復複夠頭誇寶實審對導將儘盡層佈幫乾幹榦並併應開異強噹當彔錄録綵誌態總願纔紮釦摺報換"
    "據撐數斷無舊時顯暫條來極査標樣覈檢歡歐畢氣溝沒氾汎註潔潤滿點愛牽狀獨現電暢眞確離筆籠簡類餬係繫纍糾約級練組細"
    "織終紹經結繞給絕絶統繼續維綜綻編縮聯脫緻節範慮補錶見規訂認討讓議記講許論証證評訴詞譯詩話該詳語誤說説請讀調謝"
    "謹敗質貫貼貴賀贅讚贊躍輪輕較輯輸達過還這進連適選邏遺郵釋錯錦長門問間閱閲闡陽隨難麪麫麵頁項順須鬚顧預領題風飾"
    "饋馬駁驗",
    "与专业两严个个为为么么义书乱于亲仅从们价优会传伤体余修关兴内写决净净准几出则删别别制务动协单即却压参参发发变"
    "叙只号合同后吗响啰回围声处复复够头夸宝实审对导将尽尽层布帮干干干并并应开异强当当录录录彩志态总愿才扎扣折报换"
    "据撑数断无旧时显暂条来极查标样核检欢欧毕气沟没泛泛注洁润满点爱牵状独现电畅真确离笔笼简类糊系系累纠约级练组细"
    "织终绍经结绕给绝绝统继续维综绽编缩联脱致节范虑补表见规订认讨让议记讲许论证证评诉词译诗话该详语误说说请读调谢"
    "谨败质贯贴贵贺赘赞赞跃轮轻较辑输达过还这进连适选逻遗邮释错锦长门问间阅阅阐阳随难面面面页项顺须须顾预领题风饰"
    "馈马驳验",
)
"""Traditional characters to the simplified ones that stand in the tables."""
