"""A few inputs with a fixed seed; `python -m tests.fuzzing` runs as many as one likes."""

from __future__ import annotations

from tests.fuzzing.running import outcomes

SEED = 20
INPUTS = 150


def test_every_command_ends_as_it_should_on_whatever_it_is_given() -> None:
    found = [*outcomes(SEED, range(INPUTS))]
    assert [str(each) for each in found if each.problem] == []
    assert len({each.words[0] for each in found}) > len(
        ("explain", "lint", "capacity", "drain", "what-if", "event", "diff")
    )
    assert {each.code for each in found} >= {0, 1, 2}
