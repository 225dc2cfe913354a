from __future__ import annotations

import gc
import gzip
import io
import json
import os
import pwd
import socket
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kexplain.errors import InputError
from kexplain.load import Loaded, load
from kexplain.load.text import source as source_module
from kexplain.load.text import yaml as yaml_module
from kexplain.load.text import yaml_manifests as manifests_module
from kexplain.load.text.source import leads_out
from tests.load.texts import faults, listed, names, node, pod, write

POD = b"apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n"


def archive() -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("nodes.json"), io.BytesIO())
    return packed.getvalue()


def test_directories_are_read_by_name(tmp_path: Path) -> None:
    write(tmp_path / "b.yaml", pod("b"))
    write(tmp_path / "a.json", pod("a"))
    write(tmp_path / "c.yml", pod("c"))
    write(tmp_path / "d.txt", "no manifest")
    write(tmp_path / ".hidden.yaml", "a: [")
    (tmp_path / "aa").mkdir()
    write(tmp_path / "aa" / "x.yaml", pod("x"))
    (tmp_path / "z.yaml").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    assert names(load([str(tmp_path)])) == ["Pod/a", "Pod/b", "Pod/c"]
    assert names(load([str(tmp_path)], recursive=True)) == ["Pod/a", "Pod/x", "Pod/b", "Pod/c"]


def test_what_sosreport_had_printed_is_read(tmp_path: Path) -> None:
    (tmp_path / "kubectl_--kubeconfig_.etc.admin.conf_get_-o_json_nodes").write_text(json.dumps(node()))
    (tmp_path / "kubectl_get_-o_json_--namespace_a_vms").write_text('error: the server has no resource type "vms"\n')
    (tmp_path / "kubectl_get_nodes").write_text("NAME  STATUS\nn     Ready\n")
    loaded = load([str(tmp_path)])
    assert names(loaded) == ["Node/n"]
    assert [Path(each).name for each in loaded.foreign] == ["kubectl_get_-o_json_--namespace_a_vms"]


def test_an_empty_directory_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no .yaml, .yml or .json file in this directory; use recursive to read"):
        load([str(tmp_path)])
    with pytest.raises(InputError, match=r"no .yaml, .yml or .json file in this directory$"):
        load([str(tmp_path)], recursive=True)


def test_names_are_taken_as_they_are(tmp_path: Path) -> None:
    write(tmp_path / "a.yaml", pod("a"))
    assert names(load([write(tmp_path / "*.yaml", pod("star"))])) == ["Pod/star"]
    assert faults(str(tmp_path / "?.yaml")) == ["?.yaml: no such file or directory"]
    assert faults("~", "", "a\0b") == [
        "~: no such file or directory",
        ": no such file or directory",
        "a\0b: embedded null byte",
    ]


def test_an_explicit_file_may_have_any_name(tmp_path: Path) -> None:
    assert names(load([write(tmp_path / ".pods", pod())])) == ["Pod/p"]


def unread(directory: Path) -> list[str]:
    """What is said of the files of a directory that are passed over."""
    return [note.removeprefix(f"{directory}/") for note in load([str(directory)]).notes]


def test_what_is_no_file_is_refused_where_it_is_named_and_else_passed_over(tmp_path: Path) -> None:
    (tmp_path / "dangling.yaml").symlink_to("nowhere")
    (tmp_path / "self.yaml").symlink_to("self.yaml")
    os.mkfifo(tmp_path / "fifo.yaml")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket.yaml"))
    whys = {
        "dangling.yaml": "a symbolic link to nowhere, which does not exist",
        "fifo.yaml": "a named pipe, not a file; read it through standard input: -",
        "self.yaml": "too many levels of symbolic links",
        "socket.yaml": "a socket, not a file",
    }
    assert unread(tmp_path) == [f"{name} is not read: {why}" for name, why in whys.items()]
    assert faults(*(str(tmp_path / name) for name in whys)) == [f"{name}: {why}" for name, why in whys.items()]
    assert faults("/dev/null", "/dev/zero") == ["null: a device, not a file", "zero: a device, not a file"]


def test_what_holds_no_object_is_passed_over_in_directories_only(tmp_path: Path) -> None:
    texts = {
        "a-dashboard.json": b'{"title": "t", "panels": [{"legend": "{{instance}}"}]}',
        "b-log.json": b'{"level": "info"}\n{"level": "warn"}\n',
        "c-provisioning.yaml": b"apiVersion: 1\nproviders: []\n",
        "d-playbook.yaml": b"- hosts: {{ hosts }}\n  tasks: []\n",
        "e-settings.json": b'{"strict": true, // as ever\n}',
        "f-wide.yaml": POD.decode().encode("utf-16"),
    }
    for name, text in texts.items():
        write(tmp_path / name, text)
    write(tmp_path / "pod.yaml", POD)
    loaded = load([str(tmp_path)])
    assert [Path(each).name for each in loaded.foreign] == [name for name in texts if name != "f-wide.yaml"]
    assert names(loaded) == ["Pod/p"]
    assert unread(tmp_path) == ["f-wide.yaml is not read: the text is UTF-16; save it as UTF-8"]
    for name in texts:
        assert faults(str(tmp_path / name))


@contextmanager
def _without_rights() -> Iterator[None]:
    """As a user who may read what everybody may; root could read everything."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(pwd.getpwnam("nobody").pw_uid)
    try:
        yield
    finally:
        os.seteuid(user)


def test_unreadable_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "a.yaml", pod())
    (tmp_path / "a.yaml").chmod(0)
    tmp_path.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    with _without_rights():
        found = faults("a.yaml")
    assert found == ["a.yaml: permission denied"]


def test_pipes_that_a_shell_hands_over_are_read() -> None:
    reader, writer = os.pipe()
    try:
        os.write(writer, POD)
        os.close(writer)
        loaded = load([f"/dev/fd/{reader}"])
    finally:
        os.close(reader)
    assert names(loaded) == ["Pod/p"]
    assert loaded.origin(loaded.objects[0]).locate(("metadata", "name")) == (3, 18)


@pytest.mark.parametrize("text", [POD, b'\xef\xbb\xbf{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}}'])
def test_standard_input_is_read_once(text: bytes) -> None:
    loaded = load(["-"], stdin=io.BytesIO(text))
    assert names(loaded) == ["Pod/p"]
    origin = loaded.origin(loaded.objects[0])
    assert origin.source == "<stdin>"
    assert origin.locate()[0] == 1
    with pytest.raises(InputError, match="<stdin>: standard input can be read only once"):
        load(["-", "-"], stdin=io.BytesIO(text))


def test_much_standard_input_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "_KEEP_LIMIT", 10)
    # Of what is written by hand, the places are known once it is read.
    monkeypatch.setattr(manifests_module, "_WRITTEN_BY_HAND", 10)
    loaded = load(["-"], stdin=io.BytesIO(POD))
    assert loaded.origin(loaded.objects[0]).locate() == (0, 0)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (POD.decode().encode("utf-16"), "the text is UTF-16; save it as UTF-8"),
        (POD.decode().encode("utf-16-le"), "the text is UTF-16; save it as UTF-8"),
        (POD.decode().encode("utf-16-be"), "the text is UTF-16; save it as UTF-8"),
        (POD.decode().encode("utf-32-le"), "the text is UTF-32; save it as UTF-8"),
        (POD.decode().encode("utf-32-be"), "the text is UTF-32; save it as UTF-8"),
        ("# überall größer\n".encode("utf-16-be"), "the text is UTF-16; save it as UTF-8"),
        ("# 中文 says the comment\n".encode("utf-16-le"), "the text is UTF-16; save it as UTF-8"),
        (POD.decode().encode("utf-32"), "the text is UTF-32; save it as UTF-8"),
        (b"BZh91AY", "the file is compressed; unpack it first"),
        (archive(), "this is an archive; unpack it, and read the directory with recursive"),
        (gzip.compress(archive(), mtime=0), "this is an archive; unpack it, and read the directory with recursive"),
    ],
)
def test_foreign_encodings_are_named(tmp_path: Path, content: bytes, message: str) -> None:
    assert faults(write(tmp_path / "a.yaml", content)) == [f"a.yaml: {message}"]
    with pytest.raises(InputError, match=message):
        load(["-"], stdin=io.BytesIO(content))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (POD + b"x: " + b"{a: " * 100_000, "a.yaml:4:400: nested deeper than 100 levels"),
        (POD + b"x:\n" + b"- " * 100_000, "a.yaml:5:199: nested deeper than 100 levels"),
        (POD + b"x:\n" + b"? " * 100_000, "a.yaml:5:201: nested deeper than 100 levels"),
        (POD + b"x: &a [1]\n" + b"y: *a\nz: *b\n", "a.yaml:6:4: there is no anchor &b"),
        (b"\0" * 100_000, "a.yaml:1:1: control character U+0000: this is not a text file"),
        (bytes(range(1, 256)) * 100, "a.yaml:1:1: control character U+0001 is not allowed"),
        (
            b"%TAG !a! tag:x,2000:\n" * 100_000 + b"---\n" + POD,
            "a.yaml:101:1: more than 100 lines begin with %, which no manifest does",
        ),
    ],
    ids=["braces", "dashes", "question marks", "anchors", "zero bytes", "binary", "directives"],
)
def test_hostile_texts(tmp_path: Path, content: bytes, expected: str) -> None:
    assert faults(write(tmp_path / "a.yaml", content)) == [expected]


def test_brackets_without_end(tmp_path: Path) -> None:
    # A newer parser counts them itself, and gives up at another one.
    (found,) = faults(write(tmp_path / "a.yaml", POD + b"x: " + b"[" * 100_000))
    assert found.startswith("a.yaml:4:1")
    assert found.endswith("03: nested deeper than 100 levels")


def test_aliases_may_not_expand_without_bounds(tmp_path: Path) -> None:
    lines = ["a: &a [1,1,1,1,1,1,1,1,1]"]
    lines += [f"{b}: &{b} [{','.join(['*' + a] * 9)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)]
    assert faults(write(tmp_path / "a.yaml", "\n".join(lines))) == [
        "a.yaml:4:17: aliases repeat too much of the document"
    ]


def test_brackets_in_texts_are_no_nesting(tmp_path: Path) -> None:
    brackets = "[{" * 50_000
    text = POD.decode() + f"# {brackets}\na: |\n  {brackets}\nb: '{brackets}'\nc: \"{brackets}\"\nd: x{brackets}\n"
    assert names(load([write(tmp_path / "a.yaml", text)])) == ["Pod/p"]


@pytest.mark.parametrize("content", [b"", b"\n" * 1_000_000, b" " * 1_000_000, b"# nothing\n---\n---\n", b"null\n"])
def test_nothing_is_nothing(tmp_path: Path, content: bytes) -> None:
    assert load([write(tmp_path / "a.yaml", content)]).count == 0


def test_a_gigabyte_of_nothing_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    with path.open("wb") as file:
        file.truncate(1 << 30)
    assert faults(str(path)) == [
        "a.yaml: more than 128 MiB of YAML; large dumps are read as JSON: kubectl get … -o json"
    ]


@pytest.mark.parametrize("head", ["", "---\n"], ids=["one document", "several documents"])
def test_very_many_values_of_yaml_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: str) -> None:
    monkeypatch.setattr(manifests_module, "MAX_VALUES", 2_000)
    numbers = "".join(f"a{number}: 1\n" for number in range(600))
    told = faults(write(tmp_path / "a.yaml", f"{POD.decode()}{numbers}{head}{POD.decode() if head else ''}{numbers}"))
    assert [fault.split(": ", 1)[1] for fault in told] == [
        "more than 10000000 values of YAML; large dumps are read as JSON: kubectl get … -o json"
    ]


def test_large_texts_are_not_amended_many_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "a.yaml", POD + b"x: {a:}\n" + b"y: {b:, c:, d:, e:}\n")
    assert names(load([path])) == ["Pod/p"]
    monkeypatch.setattr(yaml_module, "_AMENDED_BYTES", 100)
    assert faults(path) == ["a.yaml:5:6: found unexpected ':' while scanning a plain scalar"]


def test_endless_standard_input_is_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "YAML_LIMIT", 5 << 20)
    with Path("/dev/zero").open("rb") as zeros, pytest.raises(InputError, match="more than 5 MiB of YAML"):
        load(["-"], stdin=zeros)


def test_what_is_not_read_is_warned_of(tmp_path: Path) -> None:
    loaded = load([write(tmp_path / "a.yaml", POD + b"...\n" + POD)])
    assert names(loaded) == ["Pod/p"]
    assert [(warning.line, warning.message[:8]) for warning in loaded.warnings] == [(4, "the text")]


def test_loads_are_put_together(tmp_path: Path) -> None:
    first = load([write(tmp_path / "a.json", listed(pod("a"), {"apiVersion": "v1", "kind": "Secret"}))])
    second = load([write(tmp_path / "b.yaml", POD + b"x: 1\nx: 2\n")])
    both = sum((first, second), Loaded())
    assert names(both) == ["Pod/a", "Pod/p"]
    assert both.passed_over == {"v1/Secret": 1}
    assert [both.origin(obj).source[-6:] for obj in both.objects] == ["a.json", "b.yaml"]
    assert len(both.warnings) == 1
    with pytest.raises(KeyError):
        first.origin(second.objects[0])


def test_the_garbage_collector_is_left_as_it_was(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", node())
    load([path])
    assert gc.isenabled()
    gc.disable()
    try:
        load([path])
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_links_out_of_a_directory_are_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside, outside = tmp_path / "repository" / "base", tmp_path / "secret.yaml"
    inside.mkdir(parents=True)
    write(outside, pod("s3cr3t"))
    write(inside / "pod.yaml", pod("p"))
    write(tmp_path / "repository" / "shared.yaml", pod("shared"))
    (inside / "within.yaml").symlink_to("pod.yaml")
    assert names(load([str(inside)])) == ["Pod/p", "Pod/p"]
    for target in (str(outside), "../../secret.yaml", "/proc/self/environ"):
        (inside / "out.yaml").symlink_to(target)
        said = f"a link out of {inside}, to {Path(inside, target).resolve()}: it is read only where it is named"
        assert unread(inside) == [f"out.yaml is not read: {said}"]
        assert leads_out(str(inside / "out.yaml"), str(inside))
        (inside / "out.yaml").unlink()
    # Within the directory that one works in, links may lead anywhere.
    (inside / "shared.yaml").symlink_to("../shared.yaml")
    assert len(unread(inside)) == 1
    monkeypatch.chdir(tmp_path / "repository")
    assert names(load(["base"])) == ["Pod/p", "Pod/shared", "Pod/p"]
    monkeypatch.chdir("/")
    assert len(unread(inside)) == 1
