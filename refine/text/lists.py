"""Lists of English words that sentences and facts are recognised by. Data only."""

from __future__ import annotations


def listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


def ordered(words: str) -> tuple[str, ...]:
    return tuple(words.split())


BEFORE_A_NAME = listed(
    "dr mr mrs ms mx messrs prof st rev hon gen col capt cpt lt maj sgt cmdr adm rep sen gov pres supt fr sr br "
    "mt ft m mme mlle vs v viz cf e.g i.e eg ie approx incl esp resp ca c al"
)
"""Never the end of a sentence, whatever follows."""
BEFORE_A_NUMBER = listed(
    "no nos fig figs eq eqs sec secs ch chap vol vols p pp pt art par para tab ex ed eds ver op "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)
"""Not the end where a number follows."""
MAYBE_LAST = listed("u.s u.k u.n e.u u.s.a d.c ph.d m.d b.a m.a b.c a.d inc ltd co corp jr dept est univ assn")
"""The end only where a word follows that likes to begin sentences."""
BEFORE_A_ZONE = listed("a.m p.m")
ZONES = listed("est edt cst cdt mst mdt pst pdt gmt utc monday tuesday wednesday thursday friday saturday sunday")
STARTERS = listed(
    "the a an this that these those it he she we they i you there here his her its our their my your in on at by for "
    "from with as if when while after before since because although though but and or so yet however then thus "
    "therefore moreover furthermore meanwhile what who why how where which one some many most all no not each every "
    "both let please do does did is are was were to of"
)

FUNCTION_WORDS = listed(
    "the be is are was were been being am and of to in a an that it its it's for on with as at by this these those or "
    "from but not no have has had do does did don't doesn't didn't will would can could should may might must shall i "
    "you he she we they me him her us them my your his our their what which who when where why how if then than there "
    "here so because about into over after before between out up down off i'm you're we're they're i've can't won't"
)
"""Words that any page of English is full of."""
FOREIGN_WORDS = listed(
    "der die das und ist nicht ein eine zu den von mit sich auf le la les des et est que qui pas pour dans une un il "
    "je el los las del y en es por con se lo mi ik het een van op niet dat de di che non per sono della e è o os da em "
    "não um uma og det er på som att och är"
)
"""The same for German, French, Spanish, Italian, Portuguese, Dutch and the Nordic languages."""

NOT_NAMES = (
    STARTERS
    | FUNCTION_WORDS
    | listed(
        "january february march april may june july august september october november december jan feb mar apr jun jul "
        "aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun "
        "mr mrs ms mx dr prof sir madam dear hello hi thanks thank regards sincerely yes ok okay please note notes "
        "fyi figure fig table chapter section part appendix equation step example version page pages volume "
        "item question answer summary conclusion introduction background method methods result results discussion "
        "abstract warning caution important tip info never always must only also just even very still again good "
        "bad first second third next last more less much such same other another today tomorrow yesterday tonight "
        "am pm id vs etc ad bc ie eg god lord mom mum dad im ive ill youre dont cant wont isnt"
    )
)
"""Words that are often capitalised without being somebody's or something's name."""
