"""Facts of a text and facts lost by a rewrite: the one place from which the rest takes them."""

from refine.text.fact import Fact, FactKind
from refine.text.kept import lost
from refine.text.markup import masked
from refine.text.stated import facts

__all__ = ["Fact", "FactKind", "facts", "lost", "masked"]
