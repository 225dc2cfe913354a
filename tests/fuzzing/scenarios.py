"""The scenarios that are spoiled, and the command lines that are run on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import yaml

FIXTURES = Path(__file__).parents[2] / "fixtures"
_SUFFIXES = (".yaml", ".yml", ".json", ".txt", ".snapshot")
#: Larger ones take too long to change.
_LARGEST = 60_000
_RELEASES = ("1.22", "1.28", "1.31", "1.34", "1.36")
_FORMATS = ("json", "yaml", "markdown", "wide", "html", "name", "csv", "event", "simulator")

Scenario = Mapping[str, bytes]


def scenarios() -> list[Scenario]:
    """The files of each scenario by their paths within it."""
    found = []
    for folder in sorted(path for path in FIXTURES.iterdir() if path.is_dir()):
        paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and _is_input(path, folder)]
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
        if files and sum(map(len, files.values())) < _LARGEST:
            found.append(files)
    return [*found, KUSTOMIZATION]


def _is_input(path: Path, folder: Path) -> bool:
    return path.suffix in _SUFFIXES and path.relative_to(folder).parts[0] not in ("expected", "cmd")


_WEB = b"""apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {tier: front}}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: a, image: "a:1", env: [{name: X, valueFrom: {configMapKeyRef: {name: c, key: k}}}]}]
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
"""
#: All that kexplain builds.
KUSTOMIZATION: Scenario = {
    "kustomization.yaml": b"""apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: shop
namePrefix: a-
resources: [web.yaml, base]
components: [part]
commonLabels: {x: y}
commonAnnotations: {x: y}
labels: [{pairs: {a: b}, includeSelectors: true}]
images: [{name: a, newTag: "2", newName: b}]
replicas: [{name: web, count: 5}]
configMapGenerator: [{name: c, literals: [k=v], files: [web.yaml], envs: [c.txt]}]
secretGenerator: [{name: s, literals: [k=v], behavior: create}]
patches:
  - {path: patch.yaml}
  - {target: {kind: Deployment, name: we.*, labelSelector: tier=front}, patch: '[{op: add, path: /spec/x, value: 1}]'}
  - patch: |-
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      $patch: delete
patchesStrategicMerge: [patch.yaml]
patchesJson6902:
  - {target: {version: v1, kind: Service, name: web}, path: operations.json}
replacements:
  - source:
      {kind: Deployment, fieldPath: "spec.template.spec.containers.[name=a].image", options: {delimiter: ":", index: 1}}
    targets:
      - {select: {kind: Service}, reject: [{name: x}], fieldPaths: ["spec.ports.*.name"], options: {create: true}}
""",
    "web.yaml": _WEB,
    "base/kustomization.yaml": b"resources: [web.yaml]\nnameSuffix: -b\n",
    "base/web.yaml": _WEB.replace(b"name: web", b"name: db"),
    "part/kustomization.yaml": b"kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\n"
    b"replicas: [{name: web, count: 2}]\n",
    "patch.yaml": b"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
    b"spec: {template: {spec: {containers: [{name: b, image: b}, {name: a, $patch: delete}]}}}\n",
    "operations.json": b'[{"op": "copy", "from": "/spec", "path": "/spec/x"}, {"op": "test", "path": "/kind"}]',
    "c.txt": b"A=1\nB\n",
}


def command_line(files: Scenario, chance: Random) -> list[str]:
    """A command on the files, in the directory that holds them."""
    names = sorted(files)
    workloads = [name for name in names if name.startswith(("pod", "web", "job")) and not name.startswith("pods")]
    pod = chance.choice(workloads or names)
    cluster = ["--cluster", "."]
    lint = chance.choice(([], cluster, ["-o", "sarif"], ["-o", "json", "--fix"]))
    commands: list[tuple[int, list[str]]] = [
        (5, [pod, *cluster, *_explaining(chance)]),
        (2, [*cluster, *_explaining(chance), *chance.choice(([], ["--until-settled"], ["-A"]))]),
        (3, ["lint", "-R", ".", *lint]),
        (1, ["lint", pod, "--kubernetes-version", "1.31,1.36", "-o", chance.choice(("junit", "github", "tap"))]),
        (2, ["capacity", *chance.choice(([pod], [])), *cluster, "--limit", "20", *_printed(chance)]),
        (2, ["drain", _some(files, "Node", chance), *cluster, "--force", *_draining(chance)]),
        (3, ["what-if", *cluster, *_changes(files, pod, chance), *_printed(chance)]),
        (2, ["event", chance.choice(names), *chance.choice(([], ["-o", "json"], cluster))]),
        (1, ["event", _words(files[pod], chance)]),
        (2, ["diff", *cluster, "--all-running", "--to-kubernetes-version", chance.choice(_RELEASES)]),
        (1, [pod, *cluster, "--config", chance.choice(names)]),
        (1, [pod, *cluster, "--policy", chance.choice(names), "--kubernetes-version", "1.22"]),
        (2, ["snapshot", *cluster, "-o", "out.snapshot", *chance.choice(([], ["--redact"]))]),
    ]
    return chance.choices([words for _, words in commands], [weight for weight, _ in commands])[0]


def _explaining(chance: Random) -> list[str]:
    more: tuple[list[str], ...] = (
        *([], ["-v"], ["--all-failures"], ["--replicas", "3"], ["--kubernetes-version", chance.choice(_RELEASES)]),
        *(["--validate", "ignore"], ["--no-preemption"], ["--fix", "1"]),
    )
    return [*chance.choice(more), *_printed(chance)]


def _printed(chance: Random) -> list[str]:
    return chance.choice(([], [], ["-o", chance.choice(_FORMATS)]))


def _draining(chance: Random) -> list[str]:
    return chance.choice(([], ["--one-by-one"], ["--surge", "1"], ["-o", "json"], ["--delete-emptydir-data"]))


def _changes(files: Scenario, pod: str, chance: Random) -> list[str]:
    node = _some(files, "Node", chance)
    changes = (
        *(["--remove-node", node], ["--add-node", f"2=like:{node}"], ["--cordon", node], ["--apply", pod]),
        *(["--taint", node, "a=b:NoExecute"], ["--label", node, "a=b"], ["--delete-pods", "app"], ["--changes", pod]),
        ["--scale", f"deploy/{_some(files, 'Deployment', chance)}={chance.choice((0, 3, 10**30))}"],
        ["--set", f"pod/{_some(files, 'Pod', chance)} spec.priority={chance.choice(('1', 'x', '[]', '{a: b}'))}"],
    )
    return [word for change in chance.choices(changes, k=chance.choice((1, 1, 2))) for word in change]


def _some(files: Scenario, kind: str, chance: Random) -> str:
    """The name of an object of that kind, if there is one that can be found."""
    found: list[str] = []
    for text in files.values():
        try:
            found += _names(kind, [*yaml.load_all(text, yaml.CSafeLoader)])
        except (yaml.YAMLError, ValueError, RecursionError):
            continue
    return chance.choice(found or ["x"]).replace("\x00", "")


def _names(kind: str, objects: Sequence[Any]) -> Iterator[str]:
    for each in objects:
        if isinstance(each, dict) and each.get("kind") == kind and isinstance(each.get("metadata"), dict):
            yield str(each["metadata"].get("name"))
        elif isinstance(each, dict) and isinstance(each.get("items"), list):
            yield from _names(kind, each["items"])


def _words(text: bytes, chance: Random) -> str:
    words: Sequence[str] = text.decode(errors="replace").replace("\x00", " ").split(" ")
    start = chance.randrange(len(words))
    message = chance.choice(("0/5 nodes are available: ", "", "Failed to schedule pod, ", "running PreBind plugin "))
    return message + " ".join(words[start : start + 30])
