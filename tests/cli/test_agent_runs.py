"""What a server for agents hands on to the runs that answer."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import FieldInfo, fields

from kexplain.cli.agent_runs import Asking, Detail, asking
from kexplain.cli.agent_tools import CommandLine
from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.flags.declaring import declaration_of
from kexplain.cli.flags.scheduler import CycleFlags
from kexplain.cli.requests.mcp import Request

GROUPS: dict[str, Any] = {"cluster": ClusterFlags, "connection": ConnectionFlags, "scheduler": CycleFlags}
OPTIONS = [(group, field) for group, record in GROUPS.items() for field in fields(record)]


def _value(field: FieldInfo) -> Any:
    """A value that is not the default."""
    return True if field.default is False else "-x" if field.default == "" else ("a", "-b")


@pytest.mark.parametrize(("group", "field"), OPTIONS, ids=[field.name for _, field in OPTIONS])
def test_every_option_is_handed_on_with_its_value(
    group: str, field: FieldInfo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Files are named as they are seen from any folder, and a value is never taken for an option."""
    monkeypatch.chdir(tmp_path)
    value, declared = _value(field), declaration_of(field, GROUPS[group])
    flags: dict[str, Any] = {name: record() for name, record in GROUPS.items()}
    flags[group] = GROUPS[group](**{field.name: value})
    words = asking(Request(**flags)).cluster
    name = declared.spelled(field.name)[-1]
    values = () if value is True else value if isinstance(value, tuple) else (value,)
    located = [f"{tmp_path}/{each}" if declared.is_input else each for each in values]
    assert words == (tuple(f"{name}={each}" for each in located) or (name,))


def test_what_names_files_is_known_to_do_so() -> None:
    files = {field.name for group, field in OPTIONS if declaration_of(field, GROUPS[group]).is_input}
    assert files == {
        "cluster", "nodes", "running", "instance_types", "kubeconfig", "certificate_authority", "client_certificate",
        "client_key", "config", "policy",
    }  # fmt: skip


def test_a_relative_kubeconfig_of_the_environment_is_found_from_any_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KUBECONFIG", f"a{os.pathsep}/b")
    handed_on = asking(Request(cluster=ClusterFlags(), scheduler=CycleFlags(), connection=ConnectionFlags()))
    assert handed_on.environment == {"KUBECONFIG": f"{tmp_path}/a{os.pathsep}/b"}
    assert handed_on.cluster == ()


@pytest.mark.parametrize(
    ("command", "options", "side"),
    [("explain", ["-A"], ""), ("diff", ["--to-feature-gates=GenericWorkload=true"], "before: ")],
)
def test_notes_belong_to_the_text_of_an_answer(command: str, options: list[str], side: str) -> None:
    """In a comparison, one that holds for one side says for which."""
    cluster = Path(__file__).parents[2] / "fixtures" / "group-in-no-zone" / "cluster.yaml"
    said = Asking((f"--cluster={cluster}",)).answer(CommandLine(command, tuple(options))).splitlines()
    rest = "does not count without the feature gate GenericWorkload: each pod is placed by itself"
    assert f"note: {side}group train/workers {rest}" in said


def test_parts_are_of_the_report_that_was_read_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until a while has passed, or another question was asked; the report itself is always made anew."""
    asked: list[CommandLine] = []
    now = [100.0]

    def whole(_: Asking, question: CommandLine) -> str:
        asked.append(question)
        return f'{{"run": [{len(asked)}]}}'

    monkeypatch.setattr(Asking, "whole", whole)
    monkeypatch.setattr("kexplain.cli.agent_runs.monotonic", lambda: now[0])
    agent = Asking(())

    def run(part: str = "run", *options: str, first: int = 0) -> str:
        return agent.answer(CommandLine("pack", options, ("n1",)), Detail(is_wanted=True, part=part, first=first))

    assert [("[1]" in run().replace(" ", "").replace("\n", "")) for _ in range(2)] == [True, True]
    assert asked == [CommandLine("pack", ("-o", "json"), ("n1",))]
    run("")
    run()
    assert len(asked) == 2
    run("run", "--force")
    run()
    assert len(asked) == 4
    now[0] += 61
    run()
    assert len(asked) == 5
