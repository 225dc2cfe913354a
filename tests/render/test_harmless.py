"""Names from a dump, whatever is in them, in every format of every kind of report."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
import yaml

from kexplain.cli.main import run
from kexplain.cli.output import write_patch
from kexplain.render.harmless import in_cell, in_markdown, in_strings, log_lines, markdown_block, printable

BIDI, C1, ESCAPE = "a\u202eb\u2066c\u200f", "a\x9b2Jb\x85c\x7f", "a\x1b[2J\x1b]0;x\x07b"
LINES = "a\n::error file=x::pwned\r\n##[error]pwned\n##vso[task.setvariable variable=x]y\u2028b"
COLONS = "::error file=x::pwned"
BUILD = "##vso[task.complete result=Succeeded]"
MARKS = "@joe #12 !3 https://evil.example/a www.evil.example joe@evil.example <img src=x> ```` | [a](javascript:x)"
FORMULA = "=HYPERLINK(1)"
HOSTILE = {
    "control": f"{BIDI} {C1} {ESCAPE} {LINES}",
    "colons": COLONS,
    "marks": f"{MARKS} {BUILD}",
    "formula": FORMULA,
}
#: What no text may have in it, whatever it is for.
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_RUNNER = re.compile(r"^\s*::[\w-]+.*::|##[\w.-]*\[", re.MULTILINE)


def _objects(name: str) -> Iterator[dict[str, object]]:
    for number in (1, 2):
        labels = {"pool": name, "kubernetes.io/hostname": f"{name}{number}"}
        taints = [{"key": name, "value": name, "effect": "NoSchedule"}] if number == 2 else None
        yield {
            "apiVersion": "v1", "kind": "Node",
            "metadata": {"name": f"{name}{number}", "labels": labels, "uid": f"n{number}"},
            "spec": {"taints": taints}, "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "10"}},
        }  # fmt: skip
    for number, cpu in ((1, "3"), (2, "1"), (3, "9")):
        running = {"nodeName": f"{name}1"} if number == 1 else {}
        owner = [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": name, "uid": "r1", "controller": True}]
        metadata = {"name": f"{name}{number}", "namespace": name, "uid": f"p{number}", "labels": {"app": name}}
        container = {"name": "main", "image": name, "resources": {"requests": {"cpu": cpu}}}
        yield {
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {**metadata, **({"ownerReferences": owner} if running else {})},
            "spec": {"containers": [container], "nodeSelector": {"pool": name}, **running},
        }  # fmt: skip
    yield {
        "apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": name, "namespace": name, "uid": "r1"},
        "spec": {"replicas": 1, "selector": {"matchLabels": {"app": name}},
                 "template": {"metadata": {"labels": {"app": name}}, "spec": {"containers": [{"name": "main"}]}}},
    }  # fmt: skip
    message = f'0/1 nodes are available: persistentvolumeclaim "{name}" not found.'
    yield {
        "apiVersion": "v1", "kind": "Event", "metadata": {"name": "e", "namespace": name}, "reason": "FailedScheduling",
        "message": message, "involvedObject": {"kind": "Pod", "name": f"{name}3", "namespace": name, "uid": "p3"},
    }  # fmt: skip


def _commands(name: str) -> Iterator[list[str]]:
    pages = ("text", "markdown", "csv", "html", "json", "yaml")
    for form in (*pages, "wide", "name", "event", "simulator"):
        yield ["--cluster", "dump.json", "-v", "-o", form]
    for form in pages:
        yield ["capacity", "--cluster", "dump.json", "-v", "-o", form]
        yield ["drain", f"{name}1", "--cluster", "dump.json", "-v", "--force", "-o", form]
        yield ["what-if", "--cordon", f"{name}2", "--cluster", "dump.json", "-v", "-o", form]
        yield ["diff", "--cluster", "dump.json", "--to-kubernetes-version", "1.30", "-v", "-o", form]
    for form in ("text", "json", "yaml"):
        yield ["event", "dump.json", "-o", form]
        yield ["event", f'0/1 nodes are available: persistentvolumeclaim "{name}" not found.', "-o", form]
    for form in ("text", "json", "yaml", "sarif", "junit", "tap", "github", "markdown", "html"):
        yield ["lint", "dump.json", "-v", "--exit-zero", "-o", form]


@pytest.mark.parametrize("name", HOSTILE.values(), ids=list(HOSTILE))
def test_names_steer_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "dump.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [*_objects(name)]}))
    for words in _commands(name):
        code = run(words)
        out, err = capsys.readouterr()
        assert code in (0, 1), (words, err)
        _check(words, name, out, err)


def _check(words: list[str], name: str, out: str, err: str) -> None:
    form = words[-1]
    plain = out.replace("\r\n", "\n") if form == "csv" else out
    for text in (plain, err):
        assert not _UNSEEN.search(text), (words, _UNSEEN.search(text))
    assert not _RUNNER.search(err), words
    if form == "github":
        assert all(line.startswith("::") for line in out.splitlines())
        return
    assert form == "html" or not _RUNNER.search(plain), (words, _RUNNER.search(plain))
    # What is pasted loses its line breaks and escape sequences.
    if form in ("json", "yaml") and words[0] != "event":
        assert name in _strings(json.loads(out) if form == "json" else yaml.safe_load(out))
    if form == "csv":
        assert not [cell for row in csv.reader(StringIO(out)) for cell in row if cell[:1] in "=+@" and cell[:1]]
    if form == "markdown":
        _check_markdown(out)


def _strings(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key} {_strings(inner)}" for key, inner in value.items())
    return " ".join(map(_strings, value)) if isinstance(value, list) else str(value)


def _check_markdown(out: str) -> None:
    outside = re.sub(r"(?ms)^(`{3,})sh$.*?^\1$|`[^`\n]*`", "", out).replace("<sub>", "").replace("</sub>", "")
    outside = re.sub(r"\\.|<br>|</?details>|</?summary>|\]\([^)]*\)", "", outside)
    assert not re.search(r"@(?!&#8203;)", outside)
    assert not re.search(r"https?://|www\.(?!&)|<img", outside)


# --------------------------------------------------------------------------------------------------- one by one


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb", "a\\nb"),
        ("\x1b[2J", "\\x1b[2J"),
        ("\x9b\x7f\u202e", "\\x9b\\x7f\\u202e"),
        ("##[error]x", "#\\x23[error]x"),
        ("x ##vso[task] ##teamcity[x]", "x #\\x23vso[task] #\\x23teamcity[x]"),
        ("## a heading", "## a heading"),
        ("größe 节点 ✓", "größe 节点 ✓"),
    ],
)
def test_printable(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::error::x", "\\x3a:error::x"),
        ("a\n  ::add-mask::x\nb", "a\n  \\x3a:add-mask::x\nb"),
        ("  ::error  ::x", "  \\x3a:error  ::x"),
        ("host ::1", "host ::1"),
        ("::1", "::1"),
        ("::ffff:10.0.0.1", "::ffff:10.0.0.1"),
    ],
)
def test_lines_of_logs(text: str, shown: str) -> None:
    assert log_lines(text) == shown


@pytest.mark.parametrize("text", [BIDI, C1, ESCAPE, LINES, BUILD, "\U000e0041", "plain", "größe"])
def test_strings_mean_the_same(text: str) -> None:
    for written in (json.dumps({text: [text]}, ensure_ascii=False), json.dumps({text: [text]})):
        assert json.loads(in_strings(written)) == {text: [text]}
        assert not re.search(r"[\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0041]|##\w*\[", in_strings(written))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("@joe", "@&#8203;joe"),
        ("a#12 !3", "a\\#&#8203;12 !&#8203;3"),
        ("https://x.y", "https&#8203;://x.y"),
        ("HTTP://x.y", "HTTP&#8203;://x.y"),
        ("www.x.y", "www&#8203;.x.y"),
        ("a_b*c", "a\\_b\\*c"),
        ("node-1.eu-west-1.compute.internal:10250", "node-1.eu-west-1.compute.internal:10250"),
    ],
)
def test_markdown(text: str, shown: str) -> None:
    assert in_markdown(text) == shown


def test_nothing_ends_a_block_of_code() -> None:
    assert markdown_block(["a ```` b", "```"]) == ["`````sh", "a ```` b", "```", "`````"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("-1", "-1"),
        ("-1+1", "'-1+1"),
        ("a;=1+1", '"a;=1+1"'),
        ('a"b', '"a""b"'),
        ("a,b", '"a,b"'),
        ("\t=1", "\\t=1"),
        ("", ""),
    ],
)
def test_cells(text: str, shown: str) -> None:
    assert in_cell(text) == shown
    assert next(csv.reader(StringIO(f"{shown},x")))[0] == shown.strip('"').replace('""', '"')


def test_a_patch_is_exact_but_for_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_patch("+a\x1b[2J\n")
    assert capsys.readouterr().out == "+a\x1b[2J\n"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    write_patch("+a\x1b[2J\n")
    assert capsys.readouterr().out == "+a\\x1b[2J\n"
