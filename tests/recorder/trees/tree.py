"""What a tree of Kubernetes says of its scheduler, as far as this project follows it.

Read from the text of Go files by their shape, with no compiler: names and values, never how anything works.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

_VENDORED = Path("vendor/k8s.io/kubernetes")
_SCHEDULER = Path("pkg/scheduler")
_PLUGINS = _SCHEDULER / "framework/plugins"
_GATES = Path("pkg/features/kube_features.go")
#: Where default plugins and arguments have stood; versions of the configuration come and go.
_VERSIONS = ("v1", "v1beta3", "v1beta2", "v1beta1")
_NOT_FOLLOWED = re.compile(r"(_test|zz_generated\..*|test_.*)\.go$|/(testing|testutil|metrics|testdata|debugger)/")

_GATE = re.compile(r"^\t(?:\w+\.)?(\w+): \{\n((?:\t\t.*\n)+)\t\},", re.MULTILINE)
_GATE_IN_LINE = re.compile(r"^\t(?:\w+\.)?(\w+): +\{(Default: .*)\},", re.MULTILINE)
_STAGE = re.compile(r"\{Version: version\.MustParse\(\"([\d.]+)\"\), (.*?)\}")
_DEFAULT_PLUGIN = re.compile(r"\{Name: names\.(\w+)(?:, Weight: \w+\.\w+(?:\[int32\])?\((\d+)\))?\}")
_STRUCT = re.compile(r"^type (\w+Args) struct \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^\t(\w+) +(\S+)", re.MULTILINE)
_INTERFACE = re.compile(r"^type (\w+Plugin) interface \{", re.MULTILINE)
#: What is said of a node or a pod: a constant with a telling name, or what a status or an error is made with.
_SAYS = re.compile(r"(?:ErrReason|[Rr]eason|Status\(|[Ee]rrorf\(|errors\.New\().*")
_LITERAL = re.compile(r"\"((?:[^\"\\]|\\.)*)\"")
_FEWEST_WORDS = 2


class Tree(NamedTuple):
    """One tree, all by name.

    `gates` has the stages of each, such as `1.36 beta on`; `defaults` the weight of each plugin that is on by default;
    `arguments` the fields of each kind of arguments; `reasons` the plugin of each text; `files` a checksum for each.
    """

    gates: Mapping[str, str]
    defaults: Mapping[str, str]
    arguments: Mapping[str, str]
    points: Mapping[str, str]
    reasons: Mapping[str, str]
    files: Mapping[str, str]


def read(folder: Path) -> Tree:
    """The tree in a folder: Kubernetes itself, or a project that vendors its scheduler. Raises FileNotFoundError."""
    root = folder / _VENDORED if (folder / _VENDORED / _SCHEDULER).is_dir() else folder
    if not (root / _SCHEDULER).is_dir():
        raise FileNotFoundError(f"{folder} holds no scheduler: {_SCHEDULER} is not there")
    files = dict(_files(root))
    return Tree(
        gates=dict(_gates((root / _GATES).read_text(encoding="utf-8"))),
        defaults=dict(_defaults(root)),
        arguments=dict(_arguments(root)),
        points=dict(_points(folder, root)),
        reasons=dict(_reasons(files)),
        files={name: hashlib.sha256(text.encode()).hexdigest() for name, text in files.items()},
    )


def _files(root: Path) -> Iterator[tuple[str, str]]:
    for file in sorted((root / _SCHEDULER).rglob("*.go")):
        name = file.relative_to(root).as_posix()
        if not _NOT_FOLLOWED.search(name):
            yield name, file.read_text(encoding="utf-8")


def _gates(text: str) -> Iterator[tuple[str, str]]:
    for name, body in _GATE.findall(text):
        yield name, ", ".join(f"{release} {_stage(spec)}" for release, spec in _STAGE.findall(body))
    for name, spec in _GATE_IN_LINE.findall(text):
        yield name, _stage(spec)


def _stage(spec: str) -> str:
    maturity = re.search(r"PreRelease: featuregate\.(\w+)", spec)
    words = [maturity[1] if maturity else "", "on" if "Default: true" in spec else "off"]
    return " ".join([*words, *(["locked"] if "LockToDefault: true" in spec else [])])


def _defaults(root: Path) -> Iterator[tuple[str, str]]:
    for version in _VERSIONS:
        file = root / _SCHEDULER / "apis/config" / version / "default_plugins.go"
        if file.exists():
            yield from ((name, weight or "-") for name, weight in _DEFAULT_PLUGIN.findall(file.read_text()))
            return


def _arguments(root: Path) -> Iterator[tuple[str, str]]:
    text = (root / _SCHEDULER / "apis/config/types_pluginargs.go").read_text(encoding="utf-8")
    for name, body in _STRUCT.findall(text):
        for field, kind in _FIELD.findall(body):
            yield f"{name}.{field}", kind


def _points(folder: Path, root: Path) -> Iterator[tuple[str, str]]:
    places = (
        root / "staging/src/k8s.io/kube-scheduler/framework/interface.go",
        folder / "vendor/k8s.io/kube-scheduler/framework/interface.go",
        root / _SCHEDULER / "framework/interface.go",
    )
    for file in places:
        if file.exists():
            yield from ((name, "interface") for name in _INTERFACE.findall(file.read_text(encoding="utf-8")))


def _reasons(files: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, text in files.items():
        if not name.startswith((_PLUGINS.as_posix(), f"{_SCHEDULER}/framework/preemption")):
            continue
        for said in _SAYS.findall(text):
            for literal in _LITERAL.findall(said):
                if len(literal.split()) >= _FEWEST_WORDS:
                    yield literal, name
