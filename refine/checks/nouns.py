"""Nouns by number, as far as agreement has to know them: data of our own. Knows nothing of texts."""

from __future__ import annotations

from refine.checks.tables import word_list, word_set

VERB_OR_NOUN: frozenset[str] = word_set(
    """
    acts answers beats bets bites blows breaks breeds builds burns bursts buys calls cares catches causes
    changes claims closes cooks copies costs covers cries cuts deals demands dies digs draws dreams drinks
    drives falls feeds fights finds finishes flies gets helps hides hits holds hopes hurts increases joins keeps
    lacks lands leads leaves lets lies likes lives looks loves matters means mentions misses moves needs notices
    offers opens orders owns passes pays plays promises pulls pushes puts raises reads remains replies reports
    requests respects returns rides rings rises runs saves sees sells sets shakes shares shines shoots shows
    shuts sings sinks sits sleeps slides smiles sounds speaks spends spreads stands starts states stays steals
    sticks stings stops strikes studies suits supports swings takes talks tastes tears tests thanks throws
    touches travels tries trusts turns uses values visits waits wakes walks wants warns washes watches wears
    wins wishes wonders works worries
    """
)
"""Third forms that are plural nouns as well: `the sales reports`. No sign of a verb after a plural noun."""

SINGULAR_S: frozenset[str] = word_set(
    """
    access acoustics acres across address aerobics afterwards alias alms always amends analysis as athletics
    atlas authorities axis barracks basis besides bias billiards bonus boss brains bus business campus canvas
    census cents chaos charles chess christmas circus citrus class classics comes congratulations contents
    corpus cosmos crisis cross crossroads dallas darts days degrees diabetes does dollars dregs dress dynamics
    earnings eats economics electronics emphasis ethics ethos euros feels feet focus gallows gas genetics genius
    gives glass goes grams grass gymnastics happiness has headquarters hears here's his hours hypothesis illness
    inches innings iris is it's its james jesus kansas keeps kilograms kilometers kilometres kilos kiss knows
    lens less let's lies linguistics liters litres logistics looks loss lucas makes manners mass mathematics
    means measles mechanics mess meters metres miles minutes months mumps needs news nicolas oasis odds pancreas
    paris pass pathos percent perhaps physics plus politics pounds premises press princess proceeds process
    progress rabies remains riches robotics sales savings says seconds seems sees series sometimes species
    statistics status stress success summons synthesis takes tennis tetris texas thanks that's there's thesis
    thinks this thomas thus tonnes tons towards tries unless us versus virus wants was weakness wears weeks
    what's whereabouts who's wishes witness works yards years yes
    """
)
"""Words with -s that take a singular verb, or may, or are verbs: nothing is said after them."""

NOT_ONE: frozenset[str] = word_set(
    """
    accused aircraft algae all also alumni always analyses any aristocracy army as audience bacteria band bank
    bbc best bison blind board both bourgeoisie brave brethren british bunch can cannot cast cattle cavalry
    children chinese choice choir church class clergy club cod committee community company congress could
    council country couple court crew crises criteria crowd damage data dead deaf deer department dice dozen
    dutch each eight either elderly electorate enemy english faculty family father feet few firm fish five flock
    folk following force former four french fungi gang geese generation gentry government group grouse half
    handful he herd homeless household hundred husband hypotheses i if infantry injured innocent irish it
    japanese jury just larvae latter less living lot majority management many may me means media memoranda men
    mice might military million minority minutiae money moose more most mother must nation navy neither never
    nine nobility none nuclei number offspring often old only opposition orchestra other others oxen pack pair
    panel parents parliament party peasantry people phenomena pike police poor population portuguese poultry
    power press problem proletariat public radii range really remainder rest rich salmon same school scottish
    senate series seven several shall she sheep should sick side six some spacecraft spanish species squad staff
    still stimuli strata swine swiss team teeth ten that them theses they things third though thousand three
    time trout two unemployed union university us variety vermin vertebrae village way we welsh what which who
    wife will wise wish women work world worst would wounded you young youth
    """
)
"""Words after which a plural verb may be right: plurals without -s, groups, what is no noun."""

ENDINGS_OF_ONE: tuple[str, ...] = word_list(
    """
    rate tion sion ment ness ity ance ence ship ist er or dog cat car book house room door report result error
    file system program project problem man woman boy girl child test window table phone letter meeting garden
    street train road price cost budget plan website page weather sky moon sun wind rain bridge tree office shop
    hotel food water story idea kitchen light town city manager box parcel pump library machine river lake
    student teacher school song picture computer button screen answer question reason boat
    """
)
"""Endings of nouns that are one thing and cannot be read as many or as a verb."""

PERSONS: tuple[str, ...] = word_list(
    """
    er or ist man woman person ant ent child friend boy girl king guest wife
    """
)
"""Endings of words for one person."""
