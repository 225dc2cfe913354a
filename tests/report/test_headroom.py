"""Room that is left: how it is written, and how it is said that there is none."""

from __future__ import annotations

import pytest

from kexplain.errors import UsageError
from kexplain.report.headroom import Headroom


@pytest.mark.parametrize(
    ("keep", "lost"),
    [
        ("N+1", "pods of another node would find no room if that one is lost"),
        ("zone", "pods of a zone would find no room if that one is lost"),
        ("99%", "less than 99% of the cluster would be free"),
    ],
)
def test_what_would_not_be_true_any_more(keep: str, lost: str) -> None:
    assert Headroom.of(keep).lost == lost


@pytest.mark.parametrize("keep", ["100%", "-1%", "5", "n+1", "Zone", "٣%"])
def test_what_is_no_headroom(keep: str) -> None:
    with pytest.raises(UsageError) as raised:
        Headroom.of(keep)
    assert (raised.value.message, raised.value.hint) == (
        f'"{keep}" is no headroom to keep',
        "for instance N+1, zone or 20%",
    )
