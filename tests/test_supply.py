"""What is installed is what was looked through: bounds, hashes, and private parts of others."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml

from tests.package import nodes

ROOT = Path(__file__).parents[1]
LOCK = ROOT / ".github" / "requirements.lock"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCKED = {
    name: (found, len(re.findall(r"--hash=sha256:[0-9a-f]{64}", rest)))
    for name, found, rest in re.findall(
        r"^([\w.-]+)==(\S+) \\\n((?:    --hash=\S+(?: \\)?\n)+)", LOCK.read_text(), re.MULTILINE
    )
}
#: Private parts of typer, whose next minor release is therefore not taken.
PRIVATE = {
    "typer._click.core": {"Context", "Parameter"},
    "typer._click.exceptions": {"BadParameter", "ClickException"},
    "typer._click.formatting": {"HelpFormatter"},
    "typer._click.globals": {"get_current_context"},
    "typer._click.types": {"IntParamType", "IntRange", "ParamType"},
}


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


def _bounds(requirement: str) -> tuple[str, list[tuple[str, tuple[int, ...]]]]:
    name, rest = re.fullmatch(r"([\w-]+)(.*)", requirement).groups()  # type: ignore[union-attr] # each has a name
    return name.lower(), [(sign, _numbers(text)) for sign, text in re.findall(r"(>=|<)([\d.]+)", rest)]


@pytest.mark.parametrize("requirement", [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["expressions"]])
def test_what_is_locked_is_what_is_asked_for(requirement: str) -> None:
    name, bounds = _bounds(requirement)
    locked, hashes = LOCKED[name]
    assert hashes
    for sign, bound in bounds:
        assert _numbers(locked) >= bound if sign == ">=" else _numbers(locked) < bound


def test_every_line_of_the_lock_has_hashes() -> None:
    text = LOCK.read_text()
    assert len(LOCKED) == len(re.findall("==", text)) >= 30
    assert "://" not in text
    assert {"hatchling", "cel-expr-python", "google-re2"} <= LOCKED.keys()


def test_what_reads_hostile_input_is_bounded_above() -> None:
    bounds = dict(map(_bounds, [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["expressions"]]))
    for name in ("urllib3", "cel-expr-python", "google-re2", "kubernetes", "typer"):
        assert "<" in [sign for sign, _ in bounds[name]], name


@pytest.mark.parametrize("path", ["fixtures/in-cluster/Dockerfile", ".github/actions/lint/action.yml"])
def test_nothing_is_installed_without_a_hash(path: str) -> None:
    text = (ROOT / path).read_text().replace("\\\n", " ")
    installs = re.findall(r"pip install[^&\n]*", text)
    assert len(installs) == 2
    assert "--require-hashes" in installs[0]
    assert "requirements.lock" in installs[0]
    assert "--no-deps --no-build-isolation" in installs[1]


def test_actions_are_named_by_their_commits() -> None:
    used = [
        step["uses"]
        for path in (ROOT / ".github").rglob("*.yml")
        for job in _jobs(yaml.safe_load(path.read_text()))
        for step in job.get("steps", ())
        if "uses" in step and not step["uses"].startswith("./")
    ]
    assert used
    assert [each for each in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", each)] == []


def _jobs(document: dict[str, dict[str, dict[str, object]]]) -> list[dict[str, list[dict[str, str]]]]:
    return [*document.get("jobs", {}).values(), document.get("runs", {})]  # type: ignore[list-item] # by their schema


def test_the_sdist_has_no_keys() -> None:
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]
    assert {"*.key", "*.pem"} <= {*targets["sdist"]["exclude"]}


def test_private_parts_of_typer_are_known() -> None:
    found: dict[str, set[str]] = {}
    for _, node in nodes():
        if isinstance(node, ast.ImportFrom) and "._" in (node.module or ""):
            found.setdefault(str(node.module), set()).update(alias.name for alias in node.names)
    assert found == PRIVATE
    for module, names in PRIVATE.items():
        assert names <= {*vars(import_module(module))}
    _, bounds = _bounds(next(each for each in PROJECT["dependencies"] if each.startswith("typer")))
    (least,) = [bound for sign, bound in bounds if sign == ">="]
    (most,) = [bound for sign, bound in bounds if sign == "<"]
    # No release is taken that nobody has looked at.
    assert least <= _numbers(version("typer"))[:2] < most
    assert most <= (least[0], least[1] + 2)


def test_the_action_lints_every_path_and_nothing_else(tmp_path: Path) -> None:
    (*_, step) = yaml.safe_load((ROOT / ".github/actions/lint/action.yml").read_text())["runs"]["steps"]
    program = tmp_path / "kexplain"
    program.write_text("#!/bin/sh\nfor word; do printf '%s\\0' \"$word\"; done > words\n")
    program.chmod(0o700)
    given = {
        "PATHS": "a b\n  c/*\n--write-baseline=x $(touch x)\n",
        "CLUSTER": "$(touch x)",
        "FAIL_ON": "",
        "SARIF": "a;touch x",
        "ARGUMENTS": "--namespace shop\n--live",
    }
    assert given.keys() == step["env"].keys()
    environment = {**given, "PATH": f"{tmp_path}:/usr/bin:/bin"}
    subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=tmp_path,
        env=environment,
        check=True,
    )
    words = (tmp_path / "words").read_text().split("\0")[:-1]
    head = [
        "lint",
        "-R",
        "-o",
        "github",
        "--cluster",
        "$(touch x)",
        "-o",
        "sarif=a;touch x",
        "--namespace",
        "shop",
        "--live",
    ]
    assert words == [*head, "--", "a", "b", "c/*", "--write-baseline=x", "$(touch", "x)"]
    assert {path.name for path in tmp_path.iterdir()} == {"kexplain", "words"}


@pytest.mark.parametrize(("cluster", "flags"), [("", []), ("a b.json", ["--cluster", "a b.json"])])
def test_the_gitlab_job_lints_every_path_and_nothing_else(cluster: str, flags: list[str], tmp_path: Path) -> None:
    declared, made = yaml.safe_load_all((ROOT / ".gitlab/kexplain.yml").read_text())
    inputs, job = declared["spec"]["inputs"], made["kexplain"]
    asked = {re.fullmatch(r"\$\[\[ inputs\.(\w+) \]\]", each)[1]: name for name, each in job["variables"].items()}  # type: ignore[index]
    assert {*asked, "stage"} == {*inputs}
    program = tmp_path / "kexplain"
    program.write_text("#!/bin/sh\nfor word; do printf '%s\\0' \"$word\"; done > words\n")
    program.chmod(0o700)
    given = {"paths": "a --write-baseline=x $(touch", "cluster": cluster, "fail_on": "warning"}
    environment = {asked[name]: value for name, value in given.items()}
    subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", "\n".join(job["script"])],
        cwd=tmp_path,
        env={**environment, "PATH": f"{tmp_path}:/usr/bin:/bin"},
        check=True,
    )
    words = (tmp_path / "words").read_text().split("\0")[:-1]
    reports = ["-o", "text", "-o", "junit=kexplain.xml", "-o", "gitlab=kexplain.json"]
    paths = ["a", "--write-baseline=x", "$(touch"]
    assert words == ["lint", "-R", "--fail-on", "warning", *flags, *reports, "--", *paths]
    assert {each.partition("=")[2] for each in reports if "=" in each} == {*job["artifacts"]["reports"].values()}


def test_files_of_a_hook_are_no_options() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert hook["args"][-1] == "--"
