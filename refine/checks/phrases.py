"""The phrase table: wordy phrases and what says the same in fewer words. Data of our own.

A line is `wordy = short`. `a|b` in round brackets are alternatives, and `{0}` is the first one as written. In SURE the
short form is right wherever the wordy one stands (GUARDS lists the places where it is not); in TASTE it is suggested.
"""

from __future__ import annotations

SURE = """
due to the fact that = because
owing to the fact that = because
because of the fact that = because
on account of the fact that = because
in (light|view|consideration) of the fact that = because
by virtue of the fact that = because
as a result of the fact that = because
on the grounds that = because
for the (simple )?reason that = because
despite the fact that = although
in spite of the fact that = although
notwithstanding the fact that = although
regardless of the fact that = although
in order to = to
in order that = so that
so as to = to
for the purposes? of = for
at (this|the present|the current) (point in time|moment in time|time) = now
at the present moment = now
at that point in time = then
in the (not too distant|not-too-distant) future = soon
in the near future = soon
at a later date = later
at some point in time = at some point
until such time as = until
at such time as = when
in the event (that|of a situation where) = if
under circumstances in which = when
during the time (that|when) = while
during the period (that|when) = while
during the course of = during
in the course of = during
throughout the course of = during
for the duration of = during
over the course of the (last|past) = over the last
for a period of = for
in advance of = before
prior to = before
previous to = before
subsequent to = after
in the absence of = without
in close proximity to = near
in the (immediate )?vicinity of = near
in excess of = more than
a (large|great|huge|significant|considerable|substantial|high) number of = many
a (large|great|significant|considerable|substantial|huge) (amount|quantity) of = a lot of
a small number of = a few
a limited number of = a few
a sufficient (number|amount|quantity) of = enough
an adequate (number|amount|quantity) of = enough
the (vast |overwhelming |great )?majority of (the|these|those|our|my|his|her|their|its) = most of {1}
on a daily basis = daily
on a weekly basis = weekly
on a monthly basis = monthly
on a (yearly|annual) basis = yearly
on a regular basis = regularly
on a frequent basis = often
on a day-to-day basis = daily
on numerous occasions = often
on many occasions = often
on several occasions = several times
on a number of occasions = several times
with the exception of = except
with regards? to = about
in regards? to = about
with reference to = about
as regards = about
concerning the matter of = about
on the subject of = about
in conjunction with = with
make a decision (about|on|to) = decide {0}
made a decision (about|on|to) = decided {0}
makes a decision (about|on|to) = decides {0}
making a decision (about|on|to) = deciding {0}
make an attempt to = try to
made an attempt to = tried to
makes an attempt to = tries to
make use of = use
makes use of = uses
made use of = used
making use of = using
give consideration to = consider
gave consideration to = considered
giving consideration to = considering
take into consideration (the|that|all|your|our|his|her|their|its|how) = consider {0}
taking into consideration (the|that|all|your|our|his|her|their|its|how) = considering {0}
come to the conclusion that = conclude that
came to the conclusion that = concluded that
comes to the conclusion that = concludes that
reach the conclusion that = conclude that
reached the conclusion that = concluded that
conduct an investigation (into|of) = investigate
conducted an investigation (into|of) = investigated
is of the opinion that = thinks that
are of the opinion that = think that
am of the opinion that = think that
was of the opinion that = thought that
were of the opinion that = thought that
is indicative of = indicates
are indicative of = indicate
is (dependent|reliant) (up)?on = depends on
are (dependent|reliant) (up)?on = depend on
is in need of = needs
are in need of = need
was in need of = needed
were in need of = needed
is in possession of = has
are in possession of = have
has the (ability|capability|capacity) to = can
have the (ability|capability|capacity) to = can
had the (ability|capability|capacity) to = could
is in a position to = can
are in a position to = can
in such a manner that = so that
the question as to whether = whether
as to whether = whether
the reason (why )?is because = the reason is that
the reason why is that = the reason is that
the manner in which = how
the way in which = how
in (a|an) (timely|prompt) (manner|fashion) = promptly
in a careful manner = carefully
in an efficient manner = efficiently
in a quick manner = quickly
in a similar (manner|fashion) = similarly
in a clear manner = clearly
in an effective manner = effectively
in an appropriate manner = appropriately
in a professional manner = professionally
in a consistent manner = consistently
in a safe manner = safely
in a satisfactory manner = satisfactorily
in my personal opinion = in my opinion
in actual fact = in fact
as a matter of fact = in fact
each and every one of = every one of
each and every = every
first and foremost = first
basic fundamentals = fundamentals
basic essentials = essentials
end result = result
final outcome = outcome
free gift = gift
future plans = plans
past history = history
unexpected surprise = surprise
added bonus = bonus
consensus of opinion = consensus
general consensus = consensus
difficult dilemma = dilemma
new innovation = innovation
new innovations = innovations
true facts = facts
actual facts = facts
joint collaboration = collaboration
mutual cooperation = cooperation
completely unanimous = unanimous
repeat again = repeat
repeated again = repeated
return back = return
returned back = returned
revert back = revert
reverted back = reverted
refer back to = refer to
reply back = reply
replied back = replied
merge together = merge
merged together = merged
combine together = combine
combined together = combined
collaborate together = collaborate
cooperate together = cooperate
mix together = mix
connect together = connect
connected together = connected
postpone until later = postpone
still remains = remains
still continues = continues
continues to remain = remains
small in size = small
large in size = large
few in number = few
whether or not to = whether to
it is important to note that = 
it should be noted that = 
it is worth noting that = 
it is interesting to note that = 
it must be remembered that = 
it goes without saying that = 
needless to say,? = 
the fact of the matter is (that)? = 
"""

TASTE = """
any and all = all
with the aim of = to
has the opportunity to = can
close proximity = proximity
advance (planning|warning|notice) = {0}
absolutely (essential|necessary) = {0}
(round|square) in shape = {0}
(red|blue|green|black|white|yellow|brown|grey|gray) in colou?r = {0}
completely (eliminate|eliminated|destroyed|surrounded) = {0}
a (large|significant|substantial) proportion of = much of
(utilize|utilise) = use
(utilizes|utilises) = uses
(utilized|utilised) = used
(utilizing|utilising) = using
commence = begin
commenced = began
endeavou?r to = try to
ascertain = find out
facilitate = help
terminate = end
approximately = about
numerous = many
additional = more
assistance = help
demonstrate = show
sufficient = enough
purchase = buy
in terms of = 
with respect to = about
in relation to = about
in reference to = about
in connection with = about
in accordance with = by
by means of = by
a number of = several
a variety of = various
a wide range of = many
the majority of = most
in many cases = often
in most cases = usually
in some cases = sometimes
in the majority of cases = usually
in the process of = 
the fact that = that
is able to = can
are able to = can
was able to = could
is required to = must
are required to = must
it is possible that = perhaps
there is no doubt that = no doubt
for the most part = mostly
for all practical purposes = 
in the final analysis = in the end
in the field of = in
in the area of = in
of a similar nature = similar
along the lines of = like
period of time = period
time period = period
exact same = same
at all times = always
as a means of = to
in an effort to = to
has a tendency to = tends to
have a tendency to = tend to
provide assistance to = help
is capable of = can
not un(common|usual|likely|known) = {0}
completely (full|empty) = {0}
totally unique = unique
personal opinion = opinion
final conclusion = conclusion
gather together = gather
join together = join
plan ahead = plan
"""

CLICHES = """
at the end of the day = in the end
think outside the box = try something new
low-hanging fruit = easy part
tip of the iceberg =
needle in a haystack =
when all is said and done = in the end
last but not least = finally
in this day and age = today
game[- ]changer =
win-win( situation)? = gain for both sides
move the needle = make a difference
the bottom line is =
avoid [a-z ]{1,20}like the plague =
crystal clear = clear
easier said than done = not easy
few and far between = rare
better late than never =
only time will tell = nobody knows yet
a blessing in disguise =
the calm before the storm =
hit the ground running = start at once
push the envelope = go further
sharp as a tack = sharp
white as a sheet = pale
quiet as a mouse = quiet
the elephant in the room =
par for the course = normal
level playing field = equal chances
cutting[- ]edge = newest
state[- ]of[- ]the[- ]art = modern
second to none = the best
take it to the next level = improve it
tried and true = proven
crack of dawn = dawn
"""
"""Worn phrases, told as a matter of taste; some with plain words to choose instead."""

GUARDS: tuple[tuple[str, str, str], ...] = (
    ("has the ", r"\b(?:not|nor)$", ""),
    (
        "have the ",
        r"\b(?:to|will|would|can|could|may|might|must|should|shall|not|don't|doesn't|didn't|do|does|did|[a-z]+'ll|won't"
        r"|wouldn't|and|or|also|still|always|longer)$",
        "",
    ),
    ("had the ", r"\b(?:not|have|has|never)$", ""),
    ("is in ", r"\b(?:it|which|that|what)$", ""),
    ("make ", r"\b(?:us|them|you|me|him|her)$", ""),
    ("prior to", r"\b(?:the|a)$", ""),
    ("in order to", r"\b(?:(?:put|set|keep|kept|placed?|arranged?)\b[^.;]{0,25}|not|is|are|was|were|all)$", ""),
    ("so as to", "", r" (?:not|avoid)\b"),
    ("a ", r"\b(?:such|quite|not)$", ""),
    ("end result", r"-$", ""),
    ("as regards", r"\b(?:far|much)$", ""),
    ("on the subject of", r"\b(?:books?|papers?|talk|lecture|articles?|works?|is|was)$", ""),
    ("for a period of", "", r" (?:time|history|rest|mourning|transition)\b"),
    ("in advance of", r"\b(?:far|well|much)$", ""),
    ("on the grounds that", r"\b(?:lies?|stands?)$", ""),
    ("in the course of", "", r" (?:the (?:river|disease)|human)\b"),
    ("the way in which", r"\b(?:in|only|is|was)$", ""),
    ("the manner in which", r"\bin$", ""),
    ("first and foremost", r"\b(?:is|are|was|am|be)$", ""),
)
"""Where a phrase of SURE stays: (how the phrase begins, words before it, words after it)."""
