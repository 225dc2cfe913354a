"""Custom resources whose operators make pods: for the kinds in a table as that says, for others by their shape.

The table, `tables/custom_workloads.yaml`, says how it is read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, reduce
from pathlib import Path as FilePath
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kexplain.load.decoding import fit
from kexplain.load.kindless_lists import plural_of
from kexplain.objects.apps import WorkloadSpec
from kexplain.objects.core import PodTemplateSpec
from kexplain.objects.custom_workloads import GANG, JOB, TEMPLATE, CustomWorkload
from kexplain.objects.meta import ObjectMeta
from kexplain.objects.problem import Path
from kexplain.objects.untrusted import at as value_at
from kexplain.patterns import regex

#: Deeper than this nobody has a template.
_DEPTH = 12
_MOST_REPLICAS = (1 << 31) - 1
_TEMPLATE = regex(r".*[tT]emplate(Spec)?")
#: Steps of paths that name no role.
_NAMELESS = regex(r"spec|.*[tT]emplate(Spec)?")
_NUMBERS = ("replicas", "replicaCount", "numReplicas", "count", "instances", "size", "parallelism")
_NAMES = ("name", "groupName", "role")
#: What is not there; an empty map is.
_ABSENT = (None, 0, "")
_JVM_SIZE = regex(r"(?P<number>\d+(\.\d+)?) *(?P<unit>[kKmMgGtT]?)([iI]?[bB])?")
_MEBIBYTES = {"k": 1 / 1024, "m": 1, "g": 1024, "t": 1024 * 1024}


def custom_workloads(api_version: str, kind: str, manifest: dict[str, Any]) -> list[CustomWorkload]:
    """The workloads that a custom resource stands for, one a role; none where it makes no pods that are known of."""
    group = api_version.rpartition("/")[0]
    if not {group, f"{group}/{kind}"}.isdisjoint(_table()["makesNone"]):
        return []
    row = _row(group, kind)
    try:
        roles = [*(_by_shape(manifest) if row is None else _of_row(row, manifest))]
    except (ArithmeticError, TypeError, ValueError):
        # Nobody vouches for the form of what others wrote.
        return []
    if not roles:
        return []
    metadata, problems = fit(manifest.get("metadata") or {}, ObjectMeta)
    if problems:
        return []
    names = [role.name for role in roles]
    gang = _gang(row, manifest, roles)
    made = []
    for number, role in enumerate(roles):
        template, problems = fit(role.template, PodTemplateSpec)
        if template is None or problems:
            return []
        if not template.spec.containers:
            continue
        name = role.name if names.count(role.name) == 1 else f"{role.name}-{number}"
        made.append(
            CustomWorkload(
                api_version=api_version,
                metadata=metadata or ObjectMeta(),
                of_kind=kind,
                role=name if len(roles) > 1 else "",
                spec=WorkloadSpec(replicas=role.replicas, template=template),
                item=role.item,
                origins=tuple(role.origins.items()),
                is_whole=role.is_whole,
                gang=gang,
                manifest=manifest,
            )
        )
    return made


def _gang(row: dict[str, Any] | None, manifest: dict[str, Any], roles: Sequence[_Role]) -> tuple[int, int] | None:
    """Of how many pods so many have to have a node before any starts, the least first; None where it is no gang."""
    within = tuple(row["within"].split("/")) if row else ()
    place = GANG if all(role.replicas is not None for role in roles) else None
    least = _Reading(manifest, within, within, roles[0].origins).value(row.get("gang"), place) if row else None
    every = sum(role.replicas or 0 for role in roles)
    return (min(least, every) if least else every, every) if isinstance(least, int) else None


class _Role(Struct, frozen=True):
    """The pods of one template: its plain value, and how many there are; None where nobody knows beforehand."""

    name: str
    template: Any
    replicas: int | None
    item: Path
    origins: dict[Path, Path]
    is_whole: bool = True


def remade(workload: CustomWorkload, manifest: dict[str, Any]) -> CustomWorkload | None:
    """The workload after a change of its resource; None if that has no such role any more."""
    made = custom_workloads(workload.api_version or "", workload.kind, manifest)
    found = next((each for each in made if each.role == workload.role), None)
    return replace(found, metadata=workload.metadata) if found else None


def kind_of_word(word: str) -> str:
    """The kind that kubectl takes a word for, in any case: `raycluster`, `rayclusters.ray.io`; empty if it is none."""
    alias, _, group = word.lower().partition(".")
    named = (each.rpartition("/") for each in _table()["kinds"])
    found = (kind for of, _, kind in named if alias in (kind.lower(), plural_of(kind)) and group in ("", of))
    return next(found, "")


# ------------------------------------------------------------------------------------------------------ by the table


@cache
def _table() -> dict[str, Any]:
    # Few inputs have such kinds.
    import yaml  # noqa: PLC0415

    text = (FilePath(__file__).parent / "tables" / "custom_workloads.yaml").read_text(encoding="utf-8")
    table: dict[str, Any] = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - it is ours
    return table


def _row(group: str, kind: str) -> dict[str, Any] | None:
    row: dict[str, Any] | None = _table()["kinds"].get(f"{group}/{kind}") if "." in group else None
    return row


def _of_row(row: dict[str, Any], manifest: dict[str, Any]) -> Iterator[_Role]:
    within = tuple(row["within"].split("/"))
    for role in row["roles"]:
        each = role.get("each")
        items = value_at(manifest, *within, each) if each else None
        keys: list[str | int] = [*(items if isinstance(items, dict) else range(len(items or ())))]
        for key in keys if each else [""]:
            read = _Reading(manifest, within, (*within, each, key) if each else within)
            if isinstance(value_at(manifest, *read.item), dict) and read.value(role.get("when", 1)) not in _ABSENT:
                yield _role(role, read, str(key) if isinstance(items, dict) else "")


def _role(role: dict[str, Any], read: _Reading, key: str) -> _Role:
    wanted = read.value(role.get("replicas", {"first": ["$replicas", 1]}), ("spec", "replicas"))
    template = read.value(role["template"], TEMPLATE) or {}
    read.value(role.get("job"), JOB)
    if labels := read.value(role.get("labels")):
        template = _merged(template, {"metadata": {"labels": labels}})
    return _Role(
        name=key.lower() or str(read.value(role.get("role", "$name")) or "pods"),
        template=template,
        replicas=min(int(wanted), _MOST_REPLICAS) if isinstance(wanted, int | float) else None,
        item=read.item,
        origins=read.origins,
        is_whole=isinstance(role["template"], str),
    )


class _Reading(Struct):
    """Values of one item of a resource, and where those stand that were asked for by their place."""

    root: dict[str, Any]
    within: Path
    item: Path
    origins: dict[Path, Path] = {}

    def value(self, said: Any, at: Path | None = None) -> Any:
        """What the table says of a value that is to stand at a place; None if there is none."""
        match said:
            case str() if said.startswith("$"):
                return self._read(said[1:], at)
            case list():
                return [each for _, each in self._inner(enumerate(said), at)]
            case {"first": values}:
                return next((each for one in values if (each := self.value(one, at)) is not None), None)
            case {"merged": values}:
                return reduce(_merged, (each for one in values if (each := self.value(one, at)) is not None), None)
            case dict() if (operation := _OPERATIONS.get(next(iter(said)))) is not None:
                return operation(*(self.value(each) for values in said.values() for each in values))
            case dict():
                return dict(self._inner(said.items(), at)) or None
        return said

    def _inner(self, items: Iterable[tuple[Any, Any]], at: Path | None) -> Iterator[tuple[Any, Any]]:
        """The values that there are, below the place."""
        for key, each in items:
            if (found := self.value(each, None if at is None else (*at, key))) is not None:
                yield key, found

    def _read(self, text: str, at: Path | None) -> Any:
        start: Path = self.item
        if text.startswith(("/", "^/")):
            start, text = (() if text.startswith("/") else self.within), text.lstrip("^").lstrip("/")
        path = (*start, *(step.replace("~1", "/") for step in text.split("/")))
        found = value_at(self.root, *path)
        if found is not None and at is not None:
            self.origins[at] = path
        return found


def _merged(under: Any, over: Any) -> Any:
    """One value over another: maps key by key, lists of what has names name by name; what is over it counts."""
    if isinstance(under, dict) and isinstance(over, dict):
        return {**under, **{key: _merged(under.get(key), each) for key, each in over.items() if each is not None}}
    if isinstance(under, list) and isinstance(over, list) and all("name" in each for each in under):
        by_name = {each["name"]: each for each in under}
        further = by_name.keys() - {each.get("name") for each in over}
        return [
            *(_merged(by_name.get(each.get("name")), each) for each in over),
            *(each for name, each in by_name.items() if name in further),
        ]
    return over


def _numeric(operation: Callable[[list[Any]], Any]) -> Callable[..., Any]:
    """The operation on the numbers that there are; None where there are none. Annotations hold numbers as texts."""

    def calculated(*values: Any) -> Any:
        numbers = [int(each) if isinstance(each, str) else each for each in values if each is not None]
        return operation(numbers) if numbers else None

    return calculated


def _mebibytes(size: Any) -> float | None:
    """What a JVM takes for a size, as 512m or 2g; bytes where it names no unit."""
    match = _JVM_SIZE.fullmatch(str(size).strip()) if size is not None else None
    return None if match is None else float(match["number"]) * _MEBIBYTES.get(match["unit"].lower(), 1 / (1 << 20))


_OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "product": _numeric(math.prod),
    "sum": _numeric(sum),
    "least": _numeric(min),
    "greatest": _numeric(max),
    "less": _numeric(lambda numbers: numbers[0] - sum(numbers[1:])),
    "quotient": _numeric(lambda numbers: math.ceil(numbers[0] / (numbers[1] or 1))),
    "mebibytes": _mebibytes,
    "quantity": lambda number, unit: None if number is None else f"{math.ceil(number)}{unit}",
    "entry": lambda key, value=None: {key: value} if value is not None else None,
    "pick": lambda key=None, table=None: (table or {}).get(key),
}


# -------------------------------------------------------------------------------------------------------- by the shape


def _by_shape(manifest: dict[str, Any]) -> Iterator[_Role]:
    """The pod templates within a resource of a kind that nobody has described."""
    for path in _templates(manifest.get("spec"), ("spec",)):
        above = [path[:length] for length in range(len(path) - 1, 0, -1)]
        holder = value_at(manifest, *above[0])
        counted = (
            (place, key)
            for place in above
            for key in _NUMBERS
            if isinstance(each := value_at(manifest, *place), dict) and type(each.get(key)) is int
        )
        number = next(((*place, key) for place, key in counted), None)
        named = (holder[key] for key in _NAMES if isinstance(holder.get(key), str))
        steps = (str(step) for step in reversed(path) if not _NAMELESS.fullmatch(str(step)))
        yield _Role(
            name=next(named, "") or next(steps, "pods"),
            template=value_at(manifest, *path),
            replicas=min(value_at(manifest, *number), _MOST_REPLICAS) if number else 1,
            item=path,
            is_whole=False,
            origins={TEMPLATE: path, **({("spec", "replicas"): number} if number else {})},
        )


def _templates(value: Any, path: Path) -> Iterator[Path]:
    """Where templates of pods stand, but for those of whole manifests within the resource."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in items if len(path) < _DEPTH else ():
        if _is_template(key, each):
            yield (*path, key)
        elif not (isinstance(each, dict) and each.get("apiVersion") and each.get("kind")):
            yield from _templates(each, (*path, key))


def _is_template(key: str | int, value: Any) -> bool:
    if not (isinstance(key, str) and _TEMPLATE.fullmatch(key)):
        return False
    containers = value_at(value, "spec", "containers")
    return isinstance(containers, list) and any(isinstance(value_at(each, "image"), str) for each in containers)
