"""Amounts that nobody means."""

from __future__ import annotations

import pytest

from tests.lint.linting import linted

CLAIM = "{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: a}, spec: {accessModes: [ReadWriteOnce], "


@pytest.mark.parametrize(
    ("size", "said"),
    [
        ('"10"', ["10 means 10 bytes; did you mean a larger unit?"]),
        ("10m", ["10m means less than a byte; did you mean a larger unit?"]),
        ("10Gi", []),
    ],
)
def test_volumes_of_a_few_bytes(size: str, said: list[str]) -> None:
    found = linted(CLAIM + "resources: {requests: {storage: " + size + "}}}}").findings
    assert [each.message.partition(": ")[2] for each in found] == said
    assert not any(each.is_certain for each in found)
