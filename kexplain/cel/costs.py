"""What an expression may cost at worst, estimated from its text, as the engine can be neither limited nor interrupted.

An API server stores no expression whose estimated cost exceeds its limit, and a scheduler gives up on one that exceeds
it as it runs. The estimate here is coarser: macros over one another multiply what is looked at by its size.
"""

from collections.abc import Sequence

from kexplain.cel.references import Token
from kexplain.tables import words

#: Macros that bind a variable, and functions whose result may be many times as large as what they are given.
_MULTIPLIES = words("cel-multipliers")
#: With more over one another, types alone may take gigabytes.
_MOST_LEVELS = 10
#: About as long as the engine takes a second for.
_MOST_STEPS = 100_000_000


def is_within_reach(tokens: Sequence[Token]) -> bool:
    """Whether an expression can be compiled in reasonable time and memory."""
    return _levels(tokens) <= _MOST_LEVELS


def is_affordable(tokens: Sequence[Token]) -> bool:
    """Whether an expression can be evaluated in reasonable time and memory."""
    steps: int = max(len(tokens), 2) ** (1 + min(_levels(tokens), _MOST_LEVELS))
    return steps <= _MOST_STEPS


def _levels(tokens: Sequence[Token]) -> int:
    """How many macros and functions that multiply are over one another, nested or one behind the other."""
    #: For each bracket that is open: the levels that its inside begins with, and those reached in it.
    open_brackets: list[tuple[int, int]] = [(0, 0)]
    most, word = 0, ""
    for place, token in enumerate(tokens):
        base, reached = open_brackets[-1]
        if token.text in ("(", "[", "{"):
            inner = reached + (token.text == "(" and word in _MULTIPLIES)
            open_brackets.append((inner, inner))
            most = max(most, inner)
        elif token.text in (")", "]", "}") and len(open_brackets) > 1:
            open_brackets.pop()
            outer_base, outer = open_brackets[-1]
            open_brackets[-1] = (outer_base, max(outer, reached))
        elif token.text in ("&", "|") and place and tokens[place - 1].text == token.text:
            # Its two sides have nothing to do with one another.
            open_brackets[-1] = (base, base)
        word = token.text if token.kind == "name" else ""
    return most
