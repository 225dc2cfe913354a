"""Pods that would come back at once where they were: their workloads are scaled down instead."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kexplain.admission import declared_replicas
from kexplain.cluster import Cluster
from kexplain.objects.apps import Deployment, ReplicaSet, StatefulSet
from kexplain.objects.autoscaling import HorizontalPodAutoscaler
from kexplain.objects.changes import Target
from kexplain.objects.core import Pod, ReplicationController
from kexplain.objects.meta import KubernetesObject
from kexplain.remedies.commands import deletion_of
from kexplain.remedies.makers import makers
from kexplain.remedies.steps import target_of
from kexplain.shell import command
from kexplain.words import joined

if TYPE_CHECKING:
    from kexplain.remedies.trials import Tried

SCALED = Deployment | ReplicaSet | StatefulSet | ReplicationController
#: The pod with the least of it goes first.
_COST = "controller.kubernetes.io/pod-deletion-cost=-1000000"


def scaled_down(tried: Tried, pods: Sequence[Pod], cluster: Cluster) -> tuple[Tried, str]:
    """The same with the workloads of these pods scaled down where pods are deleted, and what is said of that.

    A pod that is only deleted is made again, and waits for the same room as the one that it was to make way for.
    """
    commands, words = tried.commands, []
    for workload, gone in _by_workload(pods, cluster):
        kind, count = workload.kind.lower(), (declared_replicas(workload) or 0) - len(gone)
        namespace, lines = gone[0].namespace, [scaling(workload, count)]
        if count and not isinstance(workload, StatefulSet):
            names = (pod.name for pod in gone)
            lines.insert(0, command("kubectl annotate pod", *names, _COST, namespace=namespace))
        words.append(f"scale {kind} {workload.key} to {count}")
        for before, said in _autoscaled(workload, count, cluster):
            lines[:0] = before
            words.append(said)
        first, *others = (deletion_of(target_of(pod)) for pod in gone)
        kept = [each for each in commands if each not in others]
        commands = tuple(line for each in kept for line in (lines if each == first else [each]))
    if not words:
        return tried, ""
    again = "or it is made again and waits for the same" if len(pods) == 1 else "or they are made again"
    return replace(tried, commands=commands), f"; {joined(words)}, {again}"


def scaling(workload: KubernetesObject, count: int) -> str:
    """The command that scales a workload to so many replicas."""
    flags = [f"--replicas={count}"]
    return command("kubectl scale", workload.kind.lower(), workload.name, namespace=workload.namespace, flags=flags)


def _autoscaled(workload: KubernetesObject, count: int, cluster: Cluster) -> Iterator[tuple[list[str], str]]:
    """What has autoscalers leave so many replicas, and what is said of that; they leave none alone."""
    patch = ("--type", "merge", "-p", json.dumps({"spec": {"minReplicas": count}}))
    for each in cluster.listers.every(HorizontalPodAutoscaler) if count else ():
        if each.scales(workload) and each.kept(count) == count:
            yield [], f"see that HorizontalPodAutoscaler {each.key} leaves it there"
        elif each.scales(workload):
            lines = [command("kubectl patch hpa", each.name, namespace=each.namespace, flags=patch)]
            yield lines, f"lower minReplicas of HorizontalPodAutoscaler {each.key} to {count}"


def _by_workload(pods: Sequence[Pod], cluster: Cluster) -> Iterator[tuple[KubernetesObject, list[Pod]]]:
    """The workloads that can do without these pods, each with those that then go, and not others in their place."""
    of_target: dict[Target, tuple[KubernetesObject, list[Pod]]] = {}
    for pod in pods:
        found = makers(pod, pod, cluster)
        # How many replicas there are of what was not read is not known.
        if isinstance(found.targets[0], SCALED) and not found.were_not_read:
            of_target.setdefault(target_of(found.targets[0]), (found.targets[0], []))[1].append(pod)
    for workload, gone in of_target.values():
        count = declared_replicas(workload) or 0
        last = {f"{workload.name}-{number}" for number in range(count - len(gone), count)}
        if count >= len(gone) and (not isinstance(workload, StatefulSet) or {pod.name for pod in gone} == last):
            yield workload, gone
