"""What an API server refuses of several fields: all of them are named where they have names of their own."""

from __future__ import annotations

import pytest

from kexplain.diagnosis.findings.statement import told


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
    found = told("fields-refused", [told("field-refused", field, "is wrong") for field in fields], more, "")
    assert str(found) == text


def test_what_an_api_server_says_is_the_detail() -> None:
    refused = [told("field-refused", "a", "is wrong"), told("field-refused", "b", "is wrong, too")]
    assert told("fields-refused", refused, 1, "").in_words.detail == "is wrong; is wrong, too"
    assert told("fields-refused", refused[:1], 0, "as the server says").in_words.detail == "as the server says"


def test_long_words_keep_their_end() -> None:
    found = told("refused", f"{'so ' * 80}: no latest tags", "a reason", "all of it", 1).in_words
    assert (found.text.endswith("…: no latest tags"), found.detail) == (True, "all of it")
    assert 150 < len(found.text) <= 200
