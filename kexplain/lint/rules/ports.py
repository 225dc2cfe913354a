"""Whether the ports that others name are there: of containers for probes and Services, of Services for routes."""

from collections.abc import Iterator, Sequence
from typing import Any

from kexplain.lint.rule import Rule
from kexplain.lint.rules.names import references
from kexplain.lint.subjects import Subject, Surroundings, Workload
from kexplain.objects.core import Service
from kexplain.objects.custom_workloads import CustomWorkload
from kexplain.objects.meta import LabelSelector
from kexplain.objects.problem import Path, Problem, slip_edit
from kexplain.objects.untrusted import at, entries, text, texts
from kexplain.words import clauses, did_you_mean, joined, some

#: What names a port of its own container, if it names any.
_ASKED = (
    ("livenessProbe",), ("readinessProbe",), ("startupProbe",), ("lifecycle", "postStart"), ("lifecycle", "preStop"),
)  # fmt: skip
_CALLS = [(*asked, call, "port") for asked in _ASKED for call in ("httpGet", "tcpSocket")]


def _of_probes(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    """The name of a port that its own container does not have: the kubelet asks no other."""
    for place, container in _containers(workload) if _is_all(workload) else ():
        known = [text(each, "name") for each in entries(container, "ports")]
        for path in _CALLS:
            yield from _unless_known(at(container, *path), known, workload.at(*place, *path), "the container")


def _containers(workload: Workload) -> Iterator[tuple[Path, dict[str, Any]]]:
    for kind in ("containers", "initContainers"):
        yield from (((kind, index), each) for index, each in enumerate(entries(workload.template, "spec", kind)))


def _of_object(subject: Subject, around: Surroundings) -> Iterator[Problem]:
    yield from _of_targets(subject, around)
    yield from _of_routes(subject, around)


def _of_targets(subject: Subject, around: Surroundings) -> Iterator[Problem]:
    """A target port that no container has of the pods that are selected: by name, or by digits in another order."""
    wanted = texts(subject.manifest.value, "spec", "selector") if isinstance(subject.obj, Service) else {}
    pods = around.selected(LabelSelector(match_labels=wanted), subject.namespace) if wanted else []
    yield from _unless_there(subject, pods) if pods and all(map(_is_all, pods)) else ()


def _unless_there(subject: Subject, pods: Sequence[Workload]) -> Iterator[Problem]:
    there = [port for each in pods for _, container in _containers(each) for port in entries(container, "ports")]
    numbers = [text(port, "containerPort") for port in there]
    for index, port in enumerate(entries(subject.manifest.value, "spec", "ports")):
        path, whose = ("spec", "ports", index, "targetPort"), f"no container of {some([each.name for each in pods])}"
        yield from _unless_known(port.get("targetPort"), [text(port, "name") for port in there], path, whose)
        number = text(port, "targetPort") or text(port, "port")
        # Containers need not say which ports they have.
        if number.isdigit() and number not in numbers and sorted(number) in map(sorted, numbers):
            yield _problem(number, numbers, path, whose)


def _of_routes(subject: Subject, around: Surroundings) -> Iterator[Problem]:
    """A port that the Service which is routed to does not have."""
    for each in references(subject):
        namespace = text(each.value, "namespace") or subject.namespace
        path = ("port", "number") if isinstance(at(each.value, "port"), dict) else ("port",)
        path = path if at(each.value, *path) is not None else ("port", "name")
        wanted = at(each.value, *path)
        ports = [*_ports_of(text(each.value, "name"), namespace, around)] if each.kind == "Service" else []
        known = [str(port.get("name" if isinstance(wanted, str) else "port")) for port in ports]
        if wanted is not None and ports and str(wanted) not in known:
            yield _problem(str(wanted), known, (*each.path, *path), f"Service {text(each.value, 'name')}")


def _ports_of(name: str, namespace: str, around: Surroundings) -> Iterator[dict[str, Any]]:
    """Those that the manifests give a Service of pods."""
    for each in around.subjects:
        if isinstance(each.obj, Service) and (each.obj.name, each.namespace) == (name, namespace):
            yield from entries(each.manifest.value, "spec", "ports")


def _is_all(workload: Workload) -> bool:
    """Whether the manifest says all of its containers: operators add some."""
    return not isinstance(workload.obj, CustomWorkload) or workload.obj.is_whole


def _unless_known(wanted: Any, known: Sequence[str], path: Path, whose: str) -> Iterator[Problem]:
    if isinstance(wanted, str) and wanted not in known and not wanted.isdigit():
        yield _problem(wanted, known, path, whose)


def _problem(wanted: str, known: Sequence[str], path: Path, whose: str) -> Problem:
    known = sorted({each for each in known if each})
    has = f"there is {joined(known)}" if known else "no port has a name"
    lacks = f"{whose} has a port {wanted}" if whose.startswith("no ") else f"{whose} has no port {wanted}"
    edit = None if wanted.isdigit() else slip_edit(wanted, known)
    return Problem(path, clauses(lacks, did_you_mean(wanted, known) or has), edit=edit)


RULES = (Rule("missing-port", _of_probes, _of_object),)
