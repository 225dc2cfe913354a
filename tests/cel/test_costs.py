from __future__ import annotations

import pytest

from kexplain.cel.costs import is_affordable, is_within_reach
from kexplain.cel.references import tokens_of

BIND = 'cel.bind(a, device.attributes["gpu.example.com"], a.model == "h100" && a.index > 3)'


def mapped(times: int) -> str:
    return "[1, 2]" + ".map(v, [v, v])" * times


def nested(times: int) -> str:
    return "[1].all(x, " * times + "true" + ")" * times


@pytest.mark.parametrize("expression", [BIND, f"({BIND}) || ({BIND})", mapped(3), nested(3)])
def test_what_is_usual_is_affordable(expression: str) -> None:
    assert is_affordable(tokens_of(expression))


@pytest.mark.parametrize("expression", [mapped(12), nested(12), '"a"' + '.replace("a", "aa")' * 40])
def test_what_grows_without_bounds_is_not(expression: str) -> None:
    assert not is_affordable(tokens_of(expression))


def test_alternatives_have_nothing_to_do_with_one_another() -> None:
    assert is_within_reach(tokens_of(" && ".join([BIND] * 50)))
    assert not is_within_reach(tokens_of(mapped(11)))
    assert not is_within_reach(tokens_of(nested(11)))
