"""What an API server refuses of several fields: all of them are named where they have names of their own."""

from __future__ import annotations

import pytest

from kexplain.diagnosis.findings.attempts import field_refused, fields_refused


@pytest.mark.parametrize(
    ("fields", "more", "text"),
    [
        (["requests.cpu"], 0, "requests.cpu is wrong"),
        (["requests.cpu", "requests.memory"], 1, "requests.cpu is wrong, and requests.memory would be refused, too"),
        (["b", "d", "c"], 2, "b is wrong, and c and d would be refused, too"),
        (["requests.cpu", "requests.cpu"], 1, "requests.cpu is wrong, and 1 more field would be refused"),
        (["requests.cpu", ""], 1, "requests.cpu is wrong, and 1 more field would be refused"),
    ],
)
def test_fields_that_are_refused(fields: list[str], more: int, text: str) -> None:
    found = fields_refused([field_refused(field, "is wrong") for field in fields], more, "")
    assert str(found) == text
    assert str(fields_refused([field_refused("a", "is wrong")], 0, "as the server says")) == "a is wrong"
