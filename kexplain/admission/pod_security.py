"""Admission plugin PodSecurity: what the standard that a namespace enforces forbids its pods.

Source: pod-security-admission `policy` (the checks of the standards), release 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from kexplain.objects.core import Container, Namespace, Pod, PodSpec
from kexplain.objects.problem import Path, Problem

ENFORCE = "pod-security.kubernetes.io/enforce"
BASELINE, RESTRICTED = "baseline", "restricted"


def security_problems(pod: Pod, namespace: Namespace | None) -> Iterator[Problem]:
    """What the standard of the namespace forbids of a pod; nothing where none is enforced."""
    level = namespace.labels.get(ENFORCE, "") if namespace is not None else ""
    if level not in (BASELINE, RESTRICTED):
        return
    forbidden = f"which the Pod Security standard {level} of namespace {pod.namespace} forbids"
    yield from (replace(each, message=f"{each.message}, {forbidden}") for each in _baseline(pod.spec))


def _baseline(spec: PodSpec) -> Iterator[Problem]:
    for field, is_on in (("hostNetwork", spec.host_network), ("hostPID", spec.host_pid), ("hostIPC", spec.host_ipc)):
        if is_on:
            yield Problem(("spec", field), "is true")
    for path, container in _containers(spec):
        for index, port in enumerate(container.ports or ()):
            if port.host_port:
                yield Problem((*path, "ports", index, "hostPort"), f"is {port.host_port}")


def _containers(spec: PodSpec) -> Iterator[tuple[Path, Container]]:
    for field, containers in (("initContainers", spec.init_containers), ("containers", spec.containers)):
        for index, container in enumerate(containers or ()):
            yield ("spec", field, index), container
