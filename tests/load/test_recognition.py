"""Which texts hold Kubernetes objects: the files that a directory is read for are in `text/test_source`."""

from __future__ import annotations

import pytest

from kexplain.load.recognition import is_expression, is_template


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("{{ .Values.name }}", True),
        ("web-{{ item }}", True),
        ("${NAME}", True),
        ("$(NAME)", False),
        ("web", False),
        (3, False),
        (None, False),
    ],
)
def test_what_is_still_to_be_filled_in(value: object, expected: bool) -> None:
    assert is_expression(value) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [(b"a: {{ b }}", True), (b"{{- if a }}", True), (b"x\n{% raw %}\na: b", True), (b"a: {b: c}", False)],
)
def test_templates_have_expressions_in_braces(text: bytes, expected: bool) -> None:
    assert is_template(text) is expected
