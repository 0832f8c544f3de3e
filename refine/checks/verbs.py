"""Verbs and their forms, as data, and the forms that follow from them. Knows nothing of texts."""

from __future__ import annotations

from collections.abc import Mapping

from refine.checks.tables import word_list, word_set

IRREGULAR: Mapping[str, tuple[str, str]] = {
    base: (past, participle)
    for base, past, participle in (
        line.split()
        for line in """
        arise arose arisen|awake awoke awoken|become became become|begin began begun|bend bent bent|bite bit bitten
        bleed bled bled|blow blew blown|break broke broken|breed bred bred|bring brought brought|build built built
        burst burst burst|buy bought bought|catch caught caught|choose chose chosen|cling clung clung|come came come
        cost cost cost|creep crept crept|cut cut cut|deal dealt dealt|dig dug dug|do did done|draw drew drawn
        drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed fed|feel felt felt
        fight fought fought|find found found|flee fled fled|fling flung flung|fly flew flown|forbid forbade forbidden
        forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got got|give gave given|go went gone
        grow grew grown|have had had|hear heard heard|hide hid hidden|hit hit hit|hold held held|hurt hurt hurt
        keep kept kept|know knew known|lead led led|leave left left|lend lent lent|let let let|lose lost lost
        make made made|mean meant meant|meet met met|mistake mistook mistaken|overcome overcame overcome|pay paid paid
        put put put|read read read|ride rode ridden|ring rang rung|rise rose risen|run ran run|say said said
        see saw seen|seek sought sought|sell sold sold|send sent sent|shake shook shaken|shoot shot shot
        show showed shown|shrink shrank shrunk|shut shut shut|sing sang sung|sink sank sunk|sit sat sat
        sleep slept slept|slide slid slid|speak spoke spoken|spend spent spent|spread spread spread
        spring sprang sprung|stand stood stood|steal stole stolen|stick stuck stuck|sting stung stung
        strike struck struck|swear swore sworn|sweep swept swept|swim swam swum|swing swung swung|take took taken
        teach taught taught|tear tore torn|tell told told|think thought thought|throw threw thrown
        understand understood understood|wake woke woken|wear wore worn|weep wept wept|win won won
        withdraw withdrew withdrawn|write wrote written|beat beat beaten|bind bound bound|kneel knelt knelt
        lay laid laid|lie lay lain|spin spun spun|split split split|tread trod trodden|undo undid undone
        undergo underwent undergone|undertake undertook undertaken|rebuild rebuilt rebuilt
        repay repaid repaid|rewrite rewrote rewritten
        foresee foresaw foreseen|grind ground ground|hang hung hung|quit quit quit|cast cast cast
        """.replace("\n", "|").split("|")
        if line.strip()
    )
}
"""base -> (past, participle)"""

REGULAR: tuple[str, ...] = word_list(
    """
    accept add agree allow answer appear apply arrive ask believe belong bother call care carry cause change check
    claim close complain confirm consist contain continue cook cover create cry decide deliver demand depend describe
    deserve destroy develop die disagree discover discuss enjoy ensure enter exist expect explain fail finish follow
    happen hate help hope ignore imagine improve include increase indicate intend introduce invite involve join keep
    know laugh learn lie like listen live look love manage matter mention miss move need notice obtain occur offer
    open own pass perform play prefer prepare prevent produce promise protect prove provide pull push raise reach
    realize realise receive recommend reduce refer refuse remain remember remove repeat replace reply report require
    return save seem serve share smile sound start stay stop study succeed suffer suggest support suppose talk taste
    tend thank touch travel try turn use visit wait walk want warn wash watch wish wonder work worry
    """
)

_DOUBLING = word_set(
    """
    stop occur refer prefer admit permit commit plan run get sit put let cut win begin dig swim
    """
)
_MORE_DOUBLED = frozenset({"hit", "shut", "bet", "set", "forget", "forbid", "spin", "quit"})


def third(base: str) -> str:
    """he goes, she tries, it returns"""
    special = {"be": "is", "have": "has", "do": "does", "go": "goes"}
    if base in special:
        return special[base]
    if base.endswith(("s", "sh", "ch", "x", "z", "o")):
        return base + "es"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + "s"


def regular_past(base: str) -> str:
    """The form with -ed, right or wrong: walked, goed, runned."""
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    if base in _DOUBLING or base in _MORE_DOUBLED:
        return base + base[-1] + "ed"
    return base + "ed"


def past(base: str) -> str:
    """went, tried, returned"""
    return IRREGULAR[base][0] if base in IRREGULAR else regular_past(base)


def gerund(base: str) -> str:
    """seeing, making, running"""
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")):
        return base[:-1] + "ing"
    if base in _DOUBLING or base in _MORE_DOUBLED:
        return base + base[-1] + "ing"
    return base + "ing"


BASES: tuple[str, ...] = tuple(sorted({*IRREGULAR, *REGULAR}))
BASE_OF_THIRD: Mapping[str, str] = {third(base): base for base in BASES}
_AMBIGUOUS = word_set(
    """
    ground hung bound beat quit cast split found felt fell saw left wound lay bore read put cut hit hurt let
    cost spread shut burst
    """
)
"""Past forms that are bases of other verbs, or the base itself: no sign of a fault after can or did."""
BASE_OF_PAST: Mapping[str, str] = {
    form: base
    for base in BASES
    for form in (IRREGULAR[base] if base in IRREGULAR else (regular_past(base),))
    if form != base and form not in _AMBIGUOUS and form not in BASES
}
PARTICIPLE_OF_PAST: Mapping[str, str] = {
    past: participle
    for past, participle in IRREGULAR.values()
    if past != participle and past not in {"forgot", "got", "showed", "saw"}
}
PAST_OF_PARTICIPLE: Mapping[str, str] = {
    participle: past
    for base, (past, participle) in IRREGULAR.items()
    if past != participle and participle not in {base, "shown"}
}

_LEGIT = word_set(
    """
    awaked bended costed flied hanged haved doed leaved lied putted showed singed sited seed waked wined
    """
)
REGULARISED: Mapping[str, tuple[str, str]] = {
    wrong: forms
    for base, forms in IRREGULAR.items()
    for wrong in {regular_past(base), base + ("d" if base.endswith("e") else "ed")}
    if wrong not in forms and wrong not in _LEGIT
} | {
    "brung": ("brought", "brought"),
    "brang": ("brought", "brought"),
    "boughten": ("bought", "bought"),
    "tooken": ("took", "taken"),
    "wroten": ("wrote", "written"),
    "setted": ("set", "set"),
}
"""A past with -ed where the language has another: goed -> (went, gone)."""
