"""Words that are taken for each other: data of our own. Knows nothing of texts.

Each line of _SETS is one set; every member may have been meant where another stands. `a>b` is one-way: only `a` is
suspected, for `b` is too common to be asked about each time, or `a` is seldom meant. A line that begins with `!` holds
words of one kind, between which a sentence tells little.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_SETS = """
to>two
he's>his
laying lying
extent extend
red>read
lite>light
all_most>almost
no_body>nobody
some_body>somebody
every_body>everybody
any_body>anybody
some_one>someone
some_thing>something
any_thing>anything
every_thing>everything
some_times>sometimes
some_how>somehow
some_where>somewhere
with_in>within
with_out>without
after_words>afterwards
after_wards>afterwards
it's_self>itself
its_self>itself
it_self>itself
him_self>himself
her_self>herself
my_self>myself
your_self>yourself
our_selves>ourselves
them_selves>themselves
their_selves>themselves
mean_while>meanwhile
how_ever>however
when_ever>whenever
what_ever>whatever
where_ever>wherever
there_fore>therefore
further_more>furthermore
never_the_less>nevertheless
be_cause>because
a_head>ahead
a_way>away
a_lone>alone
a_round>around
a_bout>about
a_cross>across
a_gain>again
to_day>today
to_night>tonight
to_gether>together
over_night>overnight
week_end>weekend
week_ends>weekends
birth_day>birthday
out_side>outside
in_side>inside
its>it's
! it's>its
your you're
your you>your
their there they're
theirs there's
whose who's
where were we're
where wear
lets let's
ill>I'll
well>we'll
than then
then them
to too
two>to
no know
now>know
know>now
nose>knows
new knew
news>knows
lose loose
loses looses
losing loosing
loss>lose
affect effect
affects effects
affected effected
past passed
weather whether
less fewer
much many
amount number
quiet quite
quit>quite
here hear
buy by
bye>by
! brought bought
! advice advise
device devise
breath breathe
cloth>clothe
cloths>clothes
forth fourth
lead led
peace piece
! principal principle
accept except
accepted excepted
right write
rite>right
wright>write
threw through
though through thought
taught>thought
tough>though
thorough>through
weak week
weeks>weaks
weaks>weeks
hole whole
wait weight
waits weights
waste waist
! plain plane
break brake
breaks brakes
breaking braking
sight site
sights sites
cite>site
! site>cite
aloud>allowed
allowed>aloud
wood>would
would>wood
meat meet
road rode
desert dessert
deserts desserts
stationary stationery
complement compliment
complements compliments
! council counsel
choose chose
role roll
roles rolls
bare bear
! farther>father
dairy diary
! trail trial
! trails trials
angel angle
steal steel
! sale sail
tail tale
! personal personnel
patience patients
moral morale
! later latter
lightening>lightning
costumer>customer
costumers>customers
conscious conscience
casual causal
formally formerly
proceed precede
loan lone
presence presents
prophet>profit
bored>board
! board>bored
born borne
coarse course
coarse>course
alter altar
isle aisle
find fined
fair fare
feat>feet
flour>flower
flower>flour
heal heel
! hire>higher
hoarse>horse
idol idle
knight>night
knot>not
knots>nots
mail male
main mane
minor miner
pail pale
pair pear
pause paws
peak peek
pole poll
pour poor
pores>pours
prey pray
reign rain
rein>rain
rains>reins
! raise rise
! raised rose
! raising rising
rays>raise
! root route
! routes roots
sew>so
sow>so
shore>sure
soar sore
sole soul
sum>some
son sun
steak stake
stair stare
stairs stares
vain vein
vary>very
wander wonder
! wandered wondered
warn>worn
worn>warn
won>one
witch>which
mist>missed
missed>mist
past>paste
guest>guessed
guessed>guest
bred bread
cell>sell
sell>cell
cent>sent
scent>sent
sent>scent
seen>scene
scene>seen
dose>does
does>dose
form from
our>are
are>our
off>of
! live life
lives>lifes
think>thing
thing>think
things>thinks
thinks>things
! chance change
save safe
belief believe
! want went
! fell feel
! ever every
different difference
important importance
choice>choose
into in_to
onto on_to
! everyday every_day
maybe may_be
anyone any_one
everyone every_one
already all_ready
altogether all_together
apart a_part
! sometime some_time
anyway any_way
! lay lie
laid lain
borrow lend
! good>well
well>good
real>really
us>use
quick quickly
slow slowly
careful carefully
bad badly
! easy easily
! regular regularly
proper properly
! clear clearly
serious seriously
! complete completely
recent recently
sudden suddenly
! usual usually
careless carelessly
gentle gently
loud loudly
! quiet quietly
quite>quietly
! near>nearly
! nearly>near
nice nicely
perfect perfectly
! immediate immediately
is are
isn't aren't
was were
wasn't weren't
has have
hasn't haven't
does do
doesn't don't
this these
those that
being been
use used
suppose supposed
prejudice prejudiced
bias biased
"""

AGREEMENT = frozenset(
    [
        *("is", "are", "isn't", "aren't", "was", "were", "wasn't", "weren't", "has", "have", "hasn't", "haven't"),
        *("does", "do", "doesn't", "don't", "this", "these", "that", "those"),
    ]
)
"""Members of sets that are a matter of number rather than of sound."""

_MORE_VERBS = """
add admire admit advise amaze amuse announce arrange arrest attach attack attempt attend attract avoid bake balance beg
blame boil book borrow bounce brush bump bury camp cheat cheer chew climb collect combine compare complain complete
concentrate connect count cross dance dare decorate delay deliver deny depend direct disappear divide double drag drip
drop dust earn educate embarrass empty encourage escape excite excuse expand explode export fade fetch file fill fix
float flood fold form found frighten fry gather glow grab greet guess hammer hand hang hunt hurry impress inform install
interest interrupt invent iron jog joke judge jump kick kiss knit knock land last level lick list load lock marry mark
measure melt milk mix mow nail nod number object order pack paint park peel phone pick plant plug point polish pour
practise practice pray press pretend print pump punch punish question queue race rain reject relax rely remind rent
repair rescue rinse risk roll rub ruin rush sail scare scratch scream search shelter shiver shock shop sign skip slip
smash smell smoke snow soak solve sort spell spill spoil spot stamp stare step stir store strengthen stretch suspect
switch tap tease test tick tidy tie tip tour train transport trap treat trick trip trust twist type unite unlock unpack
vanish wait wander water wave weigh welcome whisper whistle wipe wrap yawn
"""
MORE_VERBS = frozenset(_MORE_VERBS.split())
"""Bases of regular verbs beside those whose forms the checks know."""

_NOUNS_TOO = """
answer ask bite blow break build burn call care cause change claim close cook cost cover cry cut deal demand draw dream
drink drive fall feed fight find finish fly follow hate help hide hit hold hope hurt increase keep lack laugh lead lie
like live look love matter mean meet mention miss move need notice offer open own pass pay perform play pull push put
raise reach read repair reply report return ride ring rise run save say sell send serve set share shoot show shut sing
sink sit sleep slide smile sound speak spend spread stand start stay steal stick stop study support swim swing take talk
taste tear thank throw touch travel try turn use visit wait wake walk want warn wash watch wear win wish wonder work
worry appeal match check display
"""
NOUNS_TOO = frozenset(_NOUNS_TOO.split()) | MORE_VERBS
"""Bases that are nouns as well: their -s may be a plural."""


def read_sets(lines: str) -> Mapping[str, tuple[str, ...]]:
    """Word -> what may have been meant instead. `_` in a line stands for a space."""
    found: dict[str, dict[str, None]] = {}
    for line in lines.split("\n"):
        for word, other in _pairs(line):
            found.setdefault(word.replace("_", " "), {})[other.replace("_", " ")] = None
    return {word: tuple(others) for word, others in found.items()}


def _pairs(line: str) -> Iterable[tuple[str, str]]:
    items = line.removeprefix("!").split()
    members = [item for item in items if ">" not in item]
    yield from (tuple(item.split(">")) for item in items if ">" in item)  # type: ignore[misc]
    yield from ((word, other) for word in members for other in members if word != other)


MEANT: Mapping[str, tuple[str, ...]] = read_sets(_SETS)
ALIKE = frozenset(word for line in _SETS.split("\n") if line.startswith("!") for word in read_sets(line))
"""Words of the lines with `!`."""
