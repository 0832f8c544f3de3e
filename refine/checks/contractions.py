"""Words that want an apostrophe or a space: data of our own. No wrong form is a word of any English dialect."""

from __future__ import annotations

from collections.abc import Mapping

from refine.checks.misspellings import read_table

_WORDS = """
all right: allright
a lot: alot
as well: aswell
at least: atleast
can't: ca'nt cann't
couldn't: could'nt couldnt
didn't: did'nt didnt
doesn't: does'nt doesnt dosen't dosent
don't: dont do'nt
even though: eventhough
every time: everytime
hadn't: had'nt hadnt
hasn't: has'nt hasnt
haven't: have'nt havent
in case: incase
in fact: infact
in spite: inspite
in front: infront
isn't: is'nt isnt
no one: noone
thank you: thankyou
shouldn't: should'nt shouldnt
wasn't: was'nt wasnt
weren't: were'nt werent
won't: wo'nt
wouldn't: would'nt wouldnt
I'm: i'am im
I've: ive
you're: youre
they're: theyre
that's: thats
there's: theres
he's: hes
she's: shes
aren't: arent are'nt
here's: heres
who's: whos
we've: weve
they've: theyve
you've: youve
you'll: youll
they'll: theyll
today's: todays
each other: eachother
"""

CONTRACTIONS: Mapping[str, str] = read_table(_WORDS)
