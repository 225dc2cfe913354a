"""The scenarios that are spoiled: files with what they hold."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import yaml
from msgspec import Struct

from tests.fuzzing.places import Pools, copied
from tests.fuzzing.rough import changed
from tests.fuzzing.splices import splice

FIXTURES = Path(__file__).parents[2] / "fixtures"
_SUFFIXES = (".yaml", ".yml", ".json", ".txt", ".snapshot")
#: Larger ones take too long to change.
_LARGEST = 60_000
#: How often a file is changed without regard to what it holds, and how often a file of another scenario joins.
_ROUGHLY = 0.1
_JOINED = 0.2
#: How often nothing is changed.
_AS_IT_STANDS = 0.03


class File(Struct):
    """A file of a scenario; `objects` is None where it is read as text alone."""

    text: bytes
    objects: list[Any] | None


Scenario = Mapping[str, File]


class Known(Struct, frozen=True):
    """All scenarios, their objects by themselves, and what stands in these."""

    scenarios: list[Scenario]
    objects: list[list[Any]]
    pools: Pools
    with_nodes: list[File]


def known() -> Known:
    """What there is to be spoiled, read once."""
    found: list[Scenario] = []
    for folder in sorted(path for path in FIXTURES.iterdir() if path.is_dir()):
        paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and _is_input(path, folder)]
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
        if files and sum(map(len, files.values())) < _LARGEST:
            found.append({name: _file(name, text) for name, text in files.items()})
    found.append({name: _file(name, text) for name, text in KUSTOMIZATION.items()})
    objects = [[each for file in scenario.values() for each in flat(file.objects or ())] for scenario in found]
    with_nodes = [file for scenario in found for file in scenario.values() if _has_nodes({"": file})]
    return Known(found, objects, Pools(each for group in objects for each in group), with_nodes)


def _has_nodes(scenario: Scenario) -> bool:
    return any(each.get("kind") == "Node" for file in scenario.values() for each in flat(file.objects or ()))


def _is_input(path: Path, folder: Path) -> bool:
    return path.suffix in _SUFFIXES and path.relative_to(folder).parts[0] not in ("expected", "cmd")


def _file(name: str, text: bytes) -> File:
    if name.endswith(".txt"):
        return File(text, None)
    try:
        plain = gzip.decompress(text) if name.endswith(".snapshot") else text
        return File(text, [*yaml.load_all(plain, yaml.CSafeLoader)])
    except (yaml.YAMLError, ValueError, OSError):
        return File(text, None)


def flat(objects: Any) -> Iterator[dict[str, Any]]:
    """The objects, lists opened."""
    for each in objects:
        if isinstance(each, dict):
            if isinstance(each.get("items"), list):
                yield from flat(each["items"])
            else:
                yield each


def written(files: Scenario, directory: Path) -> None:
    """Put the files into a directory."""
    for name, file in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.text)


def spoiled(all_known: Known, chance: Random) -> dict[str, File]:
    """A scenario with some of its files changed: most so that they can still be read, a few roughly or not at all."""
    scenario: dict[str, File] = dict(chance.choice(all_known.scenarios))
    if chance.random() < _AS_IT_STANDS:
        return scenario
    if not _has_nodes(scenario) or chance.random() < _JOINED:
        scenario["more.yaml"] = chance.choice(all_known.with_nodes)
    readable = [name for name, file in scenario.items() if file.objects]
    if chance.random() < _ROUGHLY or not readable:
        name = chance.choice([*scenario])
        donors = [file.text for file in chance.choice(all_known.scenarios).values() if file.objects]
        text = changed(scenario[name].text, donors, chance)
        return {**scenario, name: File(text, scenario[name].objects)}
    for name in chance.sample(readable, min(len(readable), chance.choice((1, 1, 2)))):
        objects = copied(scenario[name].objects) or []
        splice(objects, chance.choice(all_known.objects), all_known.pools, chance)
        scenario[name] = File(_written(name, objects, chance), objects)
    return scenario


def _written(name: str, objects: list[Any], chance: Random) -> bytes:
    if name.endswith((".json", ".snapshot")) or (name.endswith("yaml") and chance.random() < 0.7 and len(objects) == 1):
        one = objects[0] if len(objects) == 1 else {"kind": "List", "apiVersion": "v1", "items": objects}
        text = json.dumps(one, default=str).encode("utf-8", "replace")
        return gzip.compress(text, 1) if name.endswith(".snapshot") else text
    return yaml.dump_all(objects, Dumper=yaml.CSafeDumper, allow_unicode=True).encode("utf-8", "replace")


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
KUSTOMIZATION: Mapping[str, bytes] = {
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
