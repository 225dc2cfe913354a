"""What would let a pod start: what it refers to, or nodes like those of its siblings that run."""

from collections.abc import Iterator, Mapping
from typing import Any

from kexplain.case.own_pods import read_maker
from kexplain.cluster import Cluster
from kexplain.diagnosis.components import maker_of
from kexplain.diagnosis.records import Held, Kind
from kexplain.objects.apps import DaemonSet, Deployment, StatefulSet
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.scheduling import RuntimeClass
from kexplain.objects.well_known import CONTROLLER_REVISION_HASH
from kexplain.remedies.advice import advice
from kexplain.remedies.pod_edits import at, without_node_name
from kexplain.remedies.records import Rank, Remedy
from kexplain.remedies.rolling_updates import earlier_revisions
from kexplain.remedies.steps import change, edited, setting, target_of
from kexplain.words import joined, plural, verb

_KINDS = {each.__name__: each for each in (Deployment, StatefulSet, DaemonSet)}


def elsewhere(found: Held, pod: Pod, cluster: Cluster) -> Iterator[Remedy]:
    """What is missing made, or the workload kept to the platform where it runs."""
    facts = found.facts
    if limit := facts.get("limit"):
        yield advice("memory-limit", facts["container"], limit)
    yield from _of_phrases(facts, pod)
    if early := facts.get("early"):
        about = early["node"], early["since"], early["agents"]
        yield advice("placed-early", *about, pod.name, pod.namespace)
    if reported := facts.get("reported"):
        which = "reported/node" if reported["of_node"] else "reported"
        yield advice(which, reported["name"], reported["said"], pod.name, pod.namespace)
    apart = facts.get("apart", {})
    is_told = bool(apart) and (apart["works"].count > 1 or apart["platform"])
    if "handler" in facts:
        yield _with_handler(pod, apart, cluster)
    elif is_told and (apart["there"] or apart["own"]) and not pod.comes_along:
        yield _like_the_others(pod, apart, cluster)
    if "user" in facts:
        yield advice("numeric-user", facts["container"], facts["user"])
    if found.kind in (Kind.NODE_MISSING, Kind.CLAIM_UNBOUND):
        yield from _from_a_missing_node(pod, cluster)
    if found.kind in (Kind.IMAGE_NOT_PULLED, Kind.CONTAINER_NOT_STARTED, Kind.NOT_READY):
        yield from _rolled_back(pod, cluster)


def _of_phrases(facts: Mapping[str, Any], pod: Pod) -> Iterator[Remedy]:
    """What is missing, or who should make it; more time for a probe."""
    if source := facts.get("source"):
        yield advice("source-says", *map(source.get, ("kind", "name", "why")), pod.namespace)
    if absent := facts.get("secrets") or facts.get("name"):
        about = facts.get("kind", "Secret"), absent, pod.namespace
        yield advice("absent-key", *about, facts["key"]) if "key" in facts else advice("absent-object", *about)
    if {"container", "probe"} <= facts.keys():
        yield advice("probe-time", facts["container"], facts["probe"])


def _with_handler(pod: Pod, apart: Mapping[str, Any], cluster: Cluster) -> Remedy:
    """Its RuntimeClass kept to nodes like those where such pods run."""
    made, label = cluster.listers.get(RuntimeClass, pod.spec.runtime_class_name or ""), apart.get("label")
    is_open = made is not None and made.scheduling is None and label
    changes = [setting(target_of(made), {"/scheduling": {"nodeSelector": label}})] if made and is_open else []
    return advice(
        "runtime-class/nodes", pod.spec.runtime_class_name, *map(apart.get, ("there", "works")), changes=changes
    )


def _rolled_back(pod: Pod, cluster: Cluster) -> Iterator[Remedy]:
    """To the template that serves: of a set the pod of the other one is deleted, which nobody replaces unasked."""
    of = read_maker(pod, cluster.listers)
    if isinstance(of, StatefulSet) and of.leaves_alone(pod.labels.get(CONTROLLER_REVISION_HASH)):
        yield advice("pod-of-earlier-template", pod, of.name, pod.name, pod.namespace)
    elif found := next((each for each in earlier_revisions(pod, cluster) if each.serving), None):
        yield found.undoing(pod, f"of which {plural(found.serving, 'pod')} {verb(found.serving, 'serves')}")


def _workload(pod: Pod, cluster: Cluster) -> KubernetesObject | None:
    namespace, kind, name = maker_of(pod)
    return cluster.listers.get(_KINDS[kind], name, namespace) if kind in _KINDS else None


def _from_a_missing_node(pod: Pod, cluster: Cluster) -> Iterator[Remedy]:
    """To let the scheduler choose a node: the template may name the one that is missing."""
    owner, workload = pod.metadata.controller, _workload(pod, cluster)
    if workload and (made := change(workload, edited(workload, without_node_name))):
        yield advice("node-name", workload, changes=[made])
    elif owner is not None:
        yield advice("anew/delete", owner, True, pod.name, pod.namespace, rank=Rank.MENDS)
    else:
        yield advice("node-name/of-pod", pod.spec.node_name)


def _like_the_others(pod: Pod, apart: Mapping[str, Any], cluster: Cluster) -> Remedy:
    """The workload kept to nodes like those where it runs, by their labels, or its node made like them."""
    (_, kind, name), label, workload = maker_of(pod), apart["label"], _workload(pod, cluster)
    differ = apart["there"], apart["own"], apart["works"]
    if label is None:
        return advice("like-the-others", *differ, pod.spec.node_name, pod.name, pod.namespace)
    edit = at("spec.node_selector", lambda old: {**(old or {}), **label})
    changes = [change(workload, edited(workload, edit))] if workload and label else []
    chosen = joined([f"{key}={value}" for key, value in label.items()]) or apart["there"]
    return advice("keep-to-nodes", chosen, *differ[1:], f"{kind} {name}", changes=changes)
