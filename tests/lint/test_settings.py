"""What a settings file may say, and how everything that is wrong with one is named with its place."""

from pathlib import Path

import pytest

from kexplain.errors import InputError
from kexplain.lint.settings import IgnoreEntry, LintSettings, read_settings

RULES = ("refused", "does-not-fit")


def read(text: str, folder: Path) -> LintSettings:
    path = folder / ".kexplain.yaml"
    path.write_text(text)
    return read_settings(path, RULES).settings


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        pytest.param("cluster: a.json", LintSettings(cluster=("a.json",)), id="a text for a list"),
        pytest.param(
            "ignore: {rule: refused, reason: known, paths: a/*, objects: Pod x/*}",
            LintSettings(ignore=(IgnoreEntry(rule="refused", reason="known", paths=("a/*",), objects=("Pod x/*",)),)),
            id="an object for a list, and texts within it",
        ),
        pytest.param(
            "ignore: [{rule: refused, reason: known, paths: a/*}]",
            LintSettings(ignore=(IgnoreEntry(rule="refused", reason="known", paths=("a/*",)),)),
            id="a text within a list",
        ),
    ],
)
def test_what_stands_alone_is_a_list_of_one(tmp_path: Path, text: str, settings: LintSettings) -> None:
    assert read(text, tmp_path) == settings


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        pytest.param("cluster: 5", ["1:10 cluster: expected a list, found a number"], id="no list"),
        pytest.param("cluster: [5]", ["1:11 cluster[0]: expected a string, found a number"], id="no text in it"),
        pytest.param("ignore: refused", ["1:9 ignore: expected a list, found a string"], id="a rule for a list"),
        pytest.param("ignore: [refused]", ["1:10 ignore[0]: expected an object, found a string"], id="a rule"),
        pytest.param("baseline: 5", ["1:11 baseline: expected a string, found a number"], id="a number for a file"),
        pytest.param(
            "kubernetesVersion: 1.30", ["1:20 kubernetesVersion: expected a string, found a number"], id="a release"
        ),
        pytest.param(
            "severities: {refused: off}",
            ["1:23 severities.refused: False (as YAML reads on, off, yes and no) is not one of info, warning, error"],
            id="a severity that YAML reads as a boolean",
        ),
        pytest.param(
            "severities: {refused: ~}", ["1:23 severities.refused: None is not one of info"], id="no severity"
        ),
        pytest.param("failOn: {a: b}", ["1:9 failOn: {'a': 'b'} is not one of info"], id="an object for a severity"),
        pytest.param(
            "failOn: never\nseverities: {refusd: info}",
            [
                '1:9 failOn: "never" is not one of info, warning, error',
                "2:22 severities.refusd: there is no such rule; did you mean refused?",
            ],
            id="an unknown severity, and an unknown rule",
        ),
        pytest.param(
            "ignore: [{rule: refused, path: a, reason: known}]",
            ["1:32 ignore[0].path: there is no such field; did you mean paths?"],
            id="a misspelt field of an entry, which would ignore the rule everywhere",
        ),
        pytest.param("- cluster: a", ["1:1 expected an object, found a list"], id="a list"),
        pytest.param("cluster", ["1:1 expected an object, found a string"], id="a text"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path: Path, text: str, faults: list[str]) -> None:
    with pytest.raises(InputError) as caught:
        read(text, tmp_path)
    named = [
        f"{each.line}:{each.column} {each.path}{': ' if each.path else ''}{each.message}"
        for each in caught.value.faults
    ]
    assert len(named) == len(faults)
    assert all(one.startswith(other) for one, other in zip(named, faults, strict=True)), named


def test_a_rule_is_not_switched_off_by_its_severity(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read("severities: {refused: off}", tmp_path)
    assert caught.value.faults[0].message.endswith("; a rule that is not wanted goes under ignore")
