"""Commands that are printed are run by people as they stand: whatever is named in them arrives as one word."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec
import pytest

from kexplain.api import explain, load_case
from kexplain.diagnosis.scene import Scene
from kexplain.explain.gates import KUEUE_POD_GROUP, gates
from kexplain.explain.objections.claims import UnusableClaimFact
from kexplain.framework.evidence.storage import ClaimProblem
from kexplain.messages import texts
from kexplain.messages.part import Section, known
from kexplain.objects.changes import Change, Target
from kexplain.remedies.against.claims import AgainstUnusableClaims
from kexplain.remedies.commands import commands, deletion_of, to_manifest
from kexplain.shell import command, filled, new_file, program, word
from tests.factories import cluster, pod
from tests.package import modules, nodes, within

PROGRAMS = ("kubectl", "kexplain", "helm", "kustomize")
#: Each would make a file in the working directory, end a command, or be an option, if a shell saw more than one word.
HOSTILE = {
    "substitution": "$(touch x)",
    "backticks": "`touch x`",
    "quote": "a'; touch x; '",
    "double-quote": 'a"; touch x; "',
    "lines": "a\ntouch x\n",
    "option": "-h",
    "long-option": "--kubeconfig=x",
    "end": "--",
    "sequence": "a; touch x",
    "pipe": "a | touch x",
    "background": "a & touch x",
    "redirection": "a > x",
    "blanks": "  a  b ",
    "glob": "* ?[a-z]",
    "home": "~",
    "variable": "$HOME ${IFS}",
    "history": "!!",
    "backslashes": "a\\n\\\\",
    "comment": "# a",
    "carriage-return": "a\rtouch x",
    "escapes": "\x1b[2Ja\x7f\x9b",
    "braces": "{a,b} {pod}",
    "percent": "%s%n",
    "nothing": "",
    "umlauts": "größe\u202e",
}
EVERY_TEXT = [each for name, table in vars(texts).items() if name.endswith("_TEXTS") for each in table]
CHECKS = [each for each in EVERY_TEXT if re.match(r"kubectl .*(?<!{){[a-z]", each.check)]
hostile = pytest.mark.parametrize("name", HOSTILE.values(), ids=list(HOSTILE))


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


class Shell:
    """A real `sh` that finds stand-ins of programs on its PATH, which note their words."""

    def __init__(self, folder: Path) -> None:
        self._programs, self._log, self._here = folder / "bin", folder / "log", folder / "here"
        for each in (self._programs, self._log, self._here):
            each.mkdir()
        for program_name in PROGRAMS:
            file = self._programs / program_name
            file.write_text(f"#!/bin/sh\nfor word; do printf '%s\\0' \"$word\"; done > '{self._log}'/$$\n")
            file.chmod(0o700)

    def run(self, line: str) -> list[list[str]]:
        """The words of each program that a line starts; nothing else may have happened."""
        before = {*self._here.iterdir()}
        path = f"{self._programs}:/usr/bin:/bin"
        environment = {"PATH": path, "HOME": "/"}
        done = subprocess.run(
            ["sh", "-c", line], cwd=self._here, env=environment, capture_output=True, check=False, timeout=60
        )
        assert (done.returncode, done.stderr) == (0, b""), line
        made = {*self._here.iterdir()} - before
        assert {each for each in made if not each.name.endswith("-new.yaml")} == set(), line
        started = [each.read_bytes().decode().split("\0")[:-1] for each in self._log.iterdir()]
        for each in (*self._log.iterdir(), *made):
            each.unlink()
        return started


@hostile
def test_each_value_is_one_word(shell: Shell, name: str) -> None:
    (words,) = shell.run(command("kubectl uncordon", name, "b", namespace=name, flags=("--now", name)))
    flags = ["-n", name, "--now", name] if name else ["--now", name]
    assert words == (["uncordon", *flags, "--", name, "b"] if name.startswith("-") else ["uncordon", name, "b", *flags])
    assert shell.run(f"kubectl {word(name)}") == [[name]]
    assert shell.run(filled("kubectl describe pvc/{claim} -n {other}", {"claim": name, "other": name})) == [
        ["describe", f"pvc/{name}", "-n", name]
    ]


def test_no_option_is_passed_as_a_value() -> None:
    """It would make values of all others, as it does in the name of an object."""
    calls = (
        (file.name, node)
        for file, node in nodes()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "command"
    )
    options = [
        f"{name}:{node.lineno}"
        for name, node in calls
        for value in node.args[1:]
        if isinstance(value, ast.Constant) and str(value.value).startswith("-")
    ]
    assert options == []


def test_a_new_file_is_beside_the_others() -> None:
    for name in HOSTILE.values():
        assert re.fullmatch(r"[\w][\w.-]*", new_file(f"../{name}", "-new.yaml"))


@hostile
def test_changes(shell: Shell, name: str) -> None:
    target = Target(api_version="v1", kind="Pod", namespace=name, name=name)
    patch = [{"op": "add", "path": "/a", "value": name}]
    for change, programs in (
        ({"verb": "delete"}, 1),
        ({"verb": "patch", "patch": patch}, 1),
        ({"verb": "patch", "patch": patch, "recreate": True}, 5),
        ({"verb": "create", "object": {"a": name}}, 1),
    ):
        found = msgspec.convert({**change, "target": msgspec.to_builtins(target)}, Change)
        started = [words for line in commands([found], {}) for words in shell.run(line)]
        assert {words[0] for words in started} <= {"delete", "patch", "create", "get", "replace"}
        assert len(started) == programs
        for words in started:
            if words[0] in ("delete", "get") or (words[0] == "patch" and not found.recreate):
                assert words[words.index("pod") + 1] == name
                assert words[words.index("pod") - 1] == "--" or not name.startswith("-")
                assert not name or f"--namespace={name}" in words
            if "json" in words:
                assert json.loads(words[words.index("-p") + 1])[0]["value"] == name
        if found.object is not None:
            (line,) = commands([found], {})
            piped = subprocess.run(["sh", "-c", line.rpartition(" | ")[0]], capture_output=True, check=True)
            assert json.loads(piped.stdout) == {"a": name}
        if found.patch:
            (written,) = shell.run(to_manifest(found, name))
            assert written[:4] == ["patch", "--local", "-f", name]
    assert name in shell.run(deletion_of(target))[0]


@hostile
def test_gates(shell: Shell, name: str) -> None:
    names = ["kueue.x-k8s.io/admission", f"k8s.ksgate.org/{name}", "grove.io/podgang-pending-creation"]
    for labels in ({KUEUE_POD_GROUP: name}, {}):
        for gate in gates(pod(name, namespace=name or "x", gates=names, labels=labels)):
            (words,) = shell.run(gate.command)
            assert words[words.index("-n") + 1] == (name or "x")
            assert words[0] in ("get", "describe")
            assert not words[1].startswith("-")


@hostile
def test_checks_of_messages(shell: Shell, name: str) -> None:
    for text in CHECKS:
        said = text.filled(dict.fromkeys(re.findall(r"<([a-z_]+)>", text.template), name))
        part = known(said, Section.POD, [text])
        if part.text is not text:
            # No name has such characters.
            assert part.check == ""
            continue
        (words,) = shell.run(part.check)
        assert any(each.endswith(f"/{name}") or each in (name, f"--as={name}") for each in words)


@hostile
def test_words_in_sentences(shell: Shell, name: str) -> None:
    unbound = ClaimProblem.UNBOUND.value
    fact = UnusableClaimFact(claim=f"ns/{name}", problem=unbound, volume="", class_name="k", known=())
    text = next(AgainstUnusableClaims().proposals(Scene(pod(), cluster([])), {"n1": [fact]})).text
    (words,) = shell.run(text[text.index("kubectl describe") :])
    assert name in words


# ------------------------------------------------------------------------------------------------ whole reports


def _cluster(name: str) -> dict[str, object]:
    """A pending pod and a node for each way of making room on it, all of which are called as one likes."""
    allocatable = {"cpu": "4", "memory": "8Gi", "pods": "10"}

    def node(number: int, **spec: object) -> dict[str, object]:
        labels = {"pool": name, f"l{number}": "x"}
        metadata = {"name": f"{name}{number}", "labels": labels, "uid": f"n{number}"}
        return {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": metadata,
            "spec": spec,
            "status": {"allocatable": allocatable},
        }

    def pod(number: int, priority: int, **spec: object) -> dict[str, object]:
        metadata = {"name": f"{name}{number}", "namespace": name or "x", "uid": f"p{number}"}
        container = {"name": "main", "image": name, "resources": {"requests": {"cpu": "3"}}}
        return {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": metadata,
            "spec": {"priority": priority, "containers": [container], **spec},
        }

    items = [
        node(1, unschedulable=True),
        node(2, taints=[{"key": name, "value": name, "effect": "NoSchedule"}]),
        node(3),
        node(4, taints=[{"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}]),
        pod(3, 1000, nodeName=f"{name}3"),
        pod(0, 0, nodeSelector={"pool": name}),
    ]
    return {"apiVersion": "v1", "kind": "List", "items": items}


def _commands_in(value: object) -> Iterator[str]:
    """Whatever machine output calls a command."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key == "commands":
                yield from inner
            yield from _commands_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _commands_in(inner)


@hostile
def test_every_command_of_a_report(shell: Shell, tmp_path: Path, name: str) -> None:
    dump = tmp_path / "dump.json"
    dump.write_text(json.dumps(_cluster(name)))
    report = explain(load_case([], cluster=[str(dump)]), last_resorts=True)
    found = {*_commands_in(json.loads(msgspec.json.encode(report)))}
    verbs = set()
    for line in found:
        for words in shell.run(line):
            verbs.add(words[0])
    assert {"uncordon", "taint"} <= verbs


# ------------------------------------------------------------------------------------------- whoever writes one


_VERBS = (
    "kubectl (annotate|apply|create|cordon|delete|describe|edit|get|label|patch|replace|scale|taint|uncordon)",
    "kexplain (pod|lint|capacity|diff|event|explain|what-if)",
    "(helm template|kustomize build)",
)
_COMMAND = re.compile(rf"(?<![\w/.-])({'|'.join(_VERBS)})\b[^;:()|&]*$")
_QUOTING = {"command", "filled", "word", "deletion_of"}


def _unquoted(nodes: Iterable[ast.AST]) -> Iterator[int]:
    """Lines of formatted texts in which what follows a program is not quoted."""
    for text in (node for node in nodes if isinstance(node, ast.JoinedStr)):
        before = ""
        for part in text.values:
            if isinstance(part, ast.Constant):
                before += str(part.value)
            elif _COMMAND.search(before):
                call = part.value if isinstance(part, ast.FormattedValue) else part
                if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in _QUOTING):
                    yield part.lineno


def test_nothing_is_written_into_a_command_unquoted() -> None:
    assert len(modules()) > 100
    assert [(file.name, line) for file in modules() for line in _unquoted(within(file))] == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('f"run kubectl get {name}"', [1]),
        ('f"kubectl get {word(name)} {other}"', [1]),
        ('f"kubectl get {word(name)}"', []),
        ('f"kubectl get; {name}"', []),
        ('f"kubectl-get {name}"', []),
    ],
)
def test_what_is_unquoted_is_found(text: str, found: list[int]) -> None:
    assert [*_unquoted(ast.walk(ast.parse(text)))] == found


def test_programs_are_never_those_of_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for directory in ("here", "there"):
        (tmp_path / directory).mkdir()
        (tmp_path / directory / "kustomize").write_text("#!/bin/sh\n")
        (tmp_path / directory / "kustomize").chmod(0o755)
    (tmp_path / "no-program").mkdir()
    (tmp_path / "no-program" / "kustomize").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for relative in (".", "", "../here"):
        monkeypatch.setenv("PATH", os.pathsep.join([relative, str(tmp_path / "no-program")]))
        assert program("kustomize") is None
    monkeypatch.setenv("PATH", os.pathsep.join([".", str(tmp_path / "no-program"), str(tmp_path / "there")]))
    assert program("kustomize") == str(tmp_path / "there" / "kustomize")


def test_programs_of_windows_have_an_ending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kubectl.EXE").write_text("")
    (tmp_path / "kubectl.EXE").chmod(0o755)
    expected = str(tmp_path / "kubectl.EXE")
    monkeypatch.setenv("PATHEXT", os.pathsep.join([".COM", ".EXE"]))
    monkeypatch.setenv("PATH", str(tmp_path))
    with monkeypatch.context() as patched:
        patched.setattr("kexplain.shell.os.name", "nt")
        found = program("kubectl")
    assert found == expected
