"""Requests that somebody recommends for running workloads: VerticalPodAutoscalers, KRR, Goldilocks, or a table.

Source: VerticalPodAutoscaler `autoscaling.k8s.io/v1`; Robusta KRR, its JSON formatter; Goldilocks `pkg/summary`.
Deviation: limits are raised to requests that are above them, and stay otherwise, as with `controlledValues:
RequestsOnly`.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct, field

from kexplain.admission.workloads import template_of
from kexplain.case.references import kind_of
from kexplain.errors import Fault, InputError, UsageError
from kexplain.grouping import grouped
from kexplain.load.json_patch import pointer
from kexplain.load.published import decode_published
from kexplain.load.text.plain_values import PlainDocument, plain_documents
from kexplain.load.text.source import Source, Text
from kexplain.objects.changes import JSON_PATCH, PATCH, Change, Target
from kexplain.objects.core import Container
from kexplain.objects.meta import ResourceList
from kexplain.objects.problem import path_steps
from kexplain.objects.quantity import QuantityError
from kexplain.objects.requests import CPU, MEMORY, nanos_of
from kexplain.objects.workload_kinds import template_path
from kexplain.patterns import regex
from kexplain.words import joined, plural
from kexplain.world.edited_cluster import EditedCluster

_HEADS = ("namespace", "workload", "container", CPU, MEMORY)
_OBJECT = regex(rb"\s*\{")


class _Named(Struct):
    name: str = ""
    namespace: str = ""
    kind: str = ""
    container: str = ""


class _ContainerRecommendation(Struct, rename="camel"):
    container_name: str = ""
    target: dict[str, str] = field(default_factory=dict)


class _Recommendation(Struct, rename="camel"):
    container_recommendations: list[_ContainerRecommendation] = field(default_factory=list)


class _VpaSpec(Struct, rename="camel"):
    target_ref: _Named = field(default_factory=_Named)


class _VpaStatus(Struct):
    recommendation: _Recommendation | None = None


class _Vpa(Struct):
    kind: str = ""
    metadata: _Named = field(default_factory=_Named)
    spec: _VpaSpec = field(default_factory=_VpaSpec)
    status: _VpaStatus = field(default_factory=_VpaStatus)


class _Value(Struct):
    value: float | str | None = None


class _Requests(Struct):
    requests: dict[str, _Value] = field(default_factory=dict)


class _Scan(Struct):
    object: _Named = field(default_factory=_Named)
    recommended: _Requests = field(default_factory=_Requests)


class _Workload(Struct, rename="camel"):
    controller_name: str = ""
    controller_type: str = ""
    containers: dict[str, _ContainerRecommendation] = field(default_factory=dict)


class _Namespace(Struct):
    namespace: str = ""
    workloads: dict[str, _Workload] = field(default_factory=dict)


class _Document(Struct):
    """One VerticalPodAutoscaler, a list of them, or the report of KRR or Goldilocks."""

    kind: str = ""
    items: list[_Vpa] = field(default_factory=list)
    scans: list[_Scan] | None = None
    namespaces: dict[str, _Namespace] = field(default_factory=dict, name="Namespaces")


class Advised(Struct, frozen=True):
    """What a container of a workload is to request."""

    namespace: str
    kind: str
    name: str
    container: str
    requests: ResourceList


def right_sizing(source: Source) -> Callable[[EditedCluster], None]:
    """The edit that gives workloads what is recommended. Raises InputError on a file that is none of these."""
    advised = [*_advised(source)]
    if not advised:
        instead = "it takes VPAs, the JSON of KRR or Goldilocks, or a table"
        raise UsageError(f"{source.name}: there is no recommendation in it", instead)

    def edit(edited: EditedCluster) -> None:
        homes = ((each, each.namespace or edited.namespace) for each in advised)
        by_target = grouped((Target(kind=each.kind, name=each.name, namespace=home), each) for each, home in homes)
        unknown = (target for target in by_target if not _is_there(target, edited))
        absent = [f"{target.kind} {target.namespace}/{target.name}" for target in unknown]
        for target, every in by_target.items():
            if _is_there(target, edited) and (patch := _patch(target, every, edited)):
                edited.apply(Change(target=target, verb=PATCH, patch_type=JSON_PATCH, patch=patch))
        if absent:
            edited.notes.append(f"{plural(len(absent), 'recommendation')} for what is not there: {joined(absent[:5])}")

    return edit


def _is_there(target: Target, edited: EditedCluster) -> bool:
    found = edited.find(target.kind, target.namespace, target.name)
    return found is not None and template_of(found) is not None


def _patch(target: Target, every: Sequence[Advised], edited: EditedCluster) -> list[dict[str, object]]:
    """The operations that set what the containers request; those that the template does not have are told."""
    template = template_of(edited.target(target))
    containers = (template.spec.containers or ()) if template else ()
    operations: list[dict[str, object]] = []
    for each in every:
        place = next((at for at, one in enumerate(containers) if one.name == each.container), None)
        if place is None:
            edited.notes.append(f"{target.kind} {target.name} has no container {each.container}")
            continue
        path: tuple[str | int, ...] = (*template_path(target.kind), "spec", "containers", place, "resources")
        operations.append({"op": "add", "path": pointer(path), "value": _resources(containers[place], each.requests)})
    return operations


def _resources(container: Container, advised: ResourceList) -> dict[str, object]:
    limits, requests = {**container.limits}, {**container.requests, **advised}
    wanted, most = nanos_of(advised), nanos_of(limits)
    limits |= {name: advised[name] for name, nanos in wanted.items() if name in most and nanos > most[name]}
    return {"requests": requests, **({"limits": limits} if limits else {})}


# ------------------------------------------------------------------------------------------------------- what is read


def _advised(source: Source) -> Iterator[Advised]:
    text = source.read()
    if _OBJECT.match(text):
        yield from _of_document(source, partial(decode_published, source, text))
    elif b"VerticalPodAutoscaler" in text:
        for each in plain_documents(source, text):
            yield from _of_document(source, partial(_decoded, source, each))
    else:
        yield from _of_table(source, text)


def _decoded(source: Source, document: PlainDocument, kind: type[Any]) -> Any:
    """The document as a record. Raises InputError with places in the text that it was read from."""
    try:
        return decode_published(source, msgspec.json.encode(document.value), kind)
    except InputError as error:
        raise InputError([document.fault(path_steps(each.path), each.message) for each in error.faults]) from None


def _of_document(source: Source, decoded: Callable[[type[Any]], Any]) -> Iterator[Advised]:
    found: _Document = decoded(_Document)
    vpas = found.items if found.kind != "VerticalPodAutoscaler" else [decoded(_Vpa)]
    for vpa in vpas:
        of, said = vpa.spec.target_ref, vpa.status.recommendation
        for each in said.container_recommendations if said else ():
            yield _checked(source, vpa.metadata.namespace, of.kind, of.name, each.container_name, each.target)
    for scan in found.scans or ():
        about = scan.object
        amounts = {name: _raw(name, each.value) for name, each in scan.recommended.requests.items()}
        known = {name: amount for name, amount in amounts.items() if amount}
        yield _checked(source, about.namespace, about.kind, about.name, about.container, known)
    for home in found.namespaces.values():
        for by in home.workloads.values():
            for name, said in by.containers.items():
                yield _checked(source, home.namespace, by.controller_type, by.controller_name, name, said.target)


def _raw(name: str, value: float | str | None) -> str:
    """An amount of KRR, which counts whole CPUs and bytes; empty where it knows none."""
    if not isinstance(value, int | float):
        return ""
    return f"{value:.3f}" if name == CPU else f"{value:.0f}"


def _of_table(source: Source, text: Text) -> Iterator[Advised]:
    rows = csv.DictReader(bytes(text).decode(errors="replace").splitlines())
    if missing := [head for head in _HEADS if head not in (rows.fieldnames or ())]:
        message = f"a table of requests has the heads {joined(_HEADS)}; there is no {joined(missing)}"
        raise InputError([Fault(source.name, 1, 1, "", message)])
    for row in rows:
        kind, _, name = (row["workload"] or "").rpartition("/")
        amounts = {each: row[each] for each in (CPU, MEMORY) if row[each]}
        if not kind or not name:
            message = f'"{row["workload"]}" is no workload: write KIND/NAME, such as deploy/web'
            raise InputError([Fault(source.name, rows.line_num, 1, "workload", message)])
        home, container = row["namespace"] or "", row["container"] or ""
        yield _checked(source, home, kind_of(kind), name, container, amounts, rows.line_num)


def _checked(
    source: Source, namespace: str, kind: str, name: str, container: str, amounts: Mapping[str, str], line: int = 0
) -> Advised:
    """The recommendation. Raises InputError with its place, as far as that is known, on what is no amount."""
    wanted: ResourceList = {each: amount for each, amount in amounts.items() if each in (CPU, MEMORY)}
    try:
        nanos_of(wanted)
    except QuantityError as error:
        raise InputError([Fault(source.name, line, int(line > 0), f"{kind}/{name}", str(error))]) from None
    return Advised(namespace, kind, name, container, wanted)
