"""Pods that would come back at once where they were: their workloads are scaled down instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kexplain.admission import declared_replicas
from kexplain.cluster import Cluster
from kexplain.objects.apps import Deployment, ReplicaSet, StatefulSet
from kexplain.objects.core import Pod, ReplicationController
from kexplain.remedies.commands import deletion_of
from kexplain.remedies.makers import makers
from kexplain.remedies.steps import target_of
from kexplain.shell import command
from kexplain.words import joined

if TYPE_CHECKING:
    from kexplain.remedies.trials import Tried

#: The pod with the least of it goes first.
_COST = "controller.kubernetes.io/pod-deletion-cost=-1000000"


def scaled_down(tried: Tried, pods: Sequence[Pod], cluster: Cluster) -> tuple[Tried, str]:
    """The same with the workloads of these pods scaled down where pods are deleted, and what is said of that.

    A pod that is only deleted is made again, and waits for the same room as the one that it was to make way for.
    """
    commands, words = tried.commands, []
    for pod in pods:
        found = one_less(pod, cluster)
        if found is not None:
            text, lines = found
            deleted = deletion_of(target_of(pod))
            commands = tuple(line for each in commands for line in (lines if each == deleted else [each]))
            words.append(text)
    if not words:
        return tried, ""
    again = "or it is made again and waits for the same" if len(words) == 1 else "or they are made again"
    return replace(tried, commands=commands), f"; {joined(words)}, {again}"


def one_less(pod: Pod, cluster: Cluster) -> tuple[str, list[str]] | None:
    """The workload of a pod with one replica less, that pod gone; None if another one would go, or it was not read."""
    found = makers(pod, pod, cluster)
    workload = found.targets[0]
    count = declared_replicas(workload)
    is_scaled = isinstance(workload, Deployment | ReplicaSet | StatefulSet | ReplicationController)
    # How many replicas there are of what was not read is not known.
    if not is_scaled or not count or found.were_not_read:
        return None
    is_ordered = isinstance(workload, StatefulSet)
    if is_ordered and not pod.name.endswith(f"-{count - 1}"):
        return None
    kind = type(workload).__name__.lower()
    lines = [command("kubectl scale", kind, workload.name, namespace=pod.namespace, flags=[f"--replicas={count - 1}"])]
    if count > 1 and not is_ordered:
        lines.insert(0, command("kubectl annotate pod", pod.name, _COST, namespace=pod.namespace))
    return f"scale {kind} {workload.key} to {count - 1}", lines
