from __future__ import annotations

import pytest

from kexplain.cli.flags.report import OutputFlags, TableFlags, Target
from kexplain.cli.requests.explain import ExplanationFlags
from kexplain.errors import UsageError
from kexplain.render import Kind
from kexplain.render.view import View


@pytest.mark.parametrize(
    ("output", "targets"),
    [
        pytest.param([], [("text", "")], id="nothing is text"),
        pytest.param(["json"], [("json", "")], id="stdout"),
        pytest.param(["csv=a=b.csv", "name"], [("csv", "a=b.csv"), ("name", "")], id="a file, and stdout"),
    ],
)
def test_targets(output: list[str], targets: list[tuple[str, str]]) -> None:
    expected = [Target(Kind.EXPLANATION, name, path) for name, path in targets]
    assert OutputFlags(output=output).targets(Kind.EXPLANATION) == expected


@pytest.mark.parametrize(
    ("output", "message", "hint"),
    [
        pytest.param(["xml"], '"xml" is not a format', "formats are text, json, yaml, markdown", id="unknown"),
        pytest.param(["csv"], '"csv" is not a format', "formats are text, json", id="of another report"),
        pytest.param(["text", "json"], "only one report can go to stdout", "-o json=report.json", id="stdout twice"),
        pytest.param(
            ["text=x", "json=x"], "two reports cannot go to one file: x", "file of its own", id="a file twice"
        ),
    ],
)
def test_wrong_targets(output: list[str], message: str, hint: str) -> None:
    with pytest.raises(UsageError) as raised:
        OutputFlags(output=output).targets(Kind.RULES)
    assert raised.value.message == message
    assert hint in (raised.value.hint or "")


def test_flags_are_the_fields_of_a_view_that_are_called_so() -> None:
    assert TableFlags(top=3, width=90, verbose=True, quiet=True).view() == View(top=3, width=90, verbose=True)
    assert ExplanationFlags(node="n1", plugin="P").view() == View(node="n1", plugin="P")
