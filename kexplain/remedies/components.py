"""What would mend the component that looks after what keeps a pod from running."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from kexplain.case.webhooks import SilentWebhooks
from kexplain.cluster import Cluster
from kexplain.diagnosis.caretakers import Subject
from kexplain.diagnosis.components import OF_IMAGES, OUT_OF_MEMORY, Component, State
from kexplain.diagnosis.culprits import Care, adder_of
from kexplain.framework.trace import Decision
from kexplain.objects.admission_webhooks import NAMED_WEBHOOK, WEBHOOK_KINDS, Webhook
from kexplain.objects.apps import DaemonSet
from kexplain.objects.changes import DELETE, Change
from kexplain.objects.core import Pod, PodMeta, Toleration
from kexplain.objects.meta import KubernetesObject
from kexplain.patterns import regex
from kexplain.remedies.advice import advice
from kexplain.remedies.pod_edits import tolerating
from kexplain.remedies.records import Remedy
from kexplain.remedies.steps import change, edited, setting, target_of
from kexplain.words import joined

#: What API servers say where what a webhook is asked at does not exist any more.
_NO_SERVICE = regex(r'service "[^"]+" not found')
#: By reasons of containers that tell what to see to.
_BY_REASON = {**dict.fromkeys(OF_IMAGES, "image"), OUT_OF_MEMORY: "out-of-memory"}
#: By what it looks after, and whether that was undone: what to do about a component that runs.
_OF_RUNNING = {
    (Subject.TAINT, False): "late", (Subject.RESOURCE, True): "renew", (Subject.CAPACITY, False): "publisher",
}  # fmt: skip
#: States that say no more of what to do than that it does not run.
_SEEN_AS_ANY = (State.NOT_CREATED, State.NOT_READY, State.NOT_THERE)


def mending(care: Care, cluster: Cluster) -> Iterator[Remedy]:
    """What would get the component to do what it is there for, nothing of which can be tried."""
    found = care.component
    if found is None:
        who = care.who
        missing = who.install or who.role.removesuffix(",")
        yield advice("component/ask", who.ask) if who.ask else advice("component/install", missing)
        return
    if care.is_own and care.subject is Subject.WEBHOOK:
        yield advice("component/own-webhook", found.namespace)
    elif found.state is State.RUNS:
        does = care.does if not care.is_undone or care.subject is Subject.TAINT else "registers with the kubelet"
        which = _OF_RUNNING.get((care.subject, care.is_undone), "restart" if care.is_undone else "log")
        yield advice(f"component/{which}", found, does, found.kind.lower(), found.namespace)
    elif found.state in (State.PENDING, State.KEPT_AWAY) and found.taint:
        yield _tolerating(care, found, cluster)
    elif found.state is not State.STARTS:
        yield _help(care, found)


def mending_adder(decision: Decision) -> Iterator[Remedy]:
    """What would get the autoscaler running that should add nodes, if it does not."""
    care = adder_of(decision)
    yield from mending(care, decision.cluster) if care else ()


def letting_in(message: str, namespace: str, cluster: Cluster) -> Iterator[Remedy]:
    """That webhooks go whose Service has gone; as an emergency exit, that they do without an answer.

    Nothing of other messages.
    """
    found = NAMED_WEBHOOK.search(message)
    if found is None or not found["call"]:
        return
    alike = _alike(found["name"], namespace, cluster)
    named = [f"{one.name} in {each.kind} {each.name}" for each, _, one in alike] or [found["name"]]
    if alike and _NO_SERVICE.search(message):
        left = {target_of(each): f"{each.kind} {each.name}" for each, *_ in alike}
        gone = (Change(target=each, verb=DELETE) for each in left)
        yield advice("webhooks-left", joined([*left.values()], "and"), changes=gone)
    changes = (setting(target_of(each), {f"/webhooks/{at}/failurePolicy": "Ignore"}) for each, at, _ in alike)
    yield advice("ignore-webhooks", named, bool(alike[1:]), changes=changes)


def _alike(name: str, namespace: str, cluster: Cluster) -> list[tuple[KubernetesObject, int, Webhook]]:
    """The webhooks of that name, and what answers no better, each with its configuration and its place there."""
    every = chain.from_iterable(map(cluster.listers.every, WEBHOOK_KINDS))
    placed = [(each, place, one) for each in every for place, one in enumerate(each.webhooks or ())]
    asked = next((one.client_config.service for *_, one in placed if one.name == name), None)
    # Whoever is behind it answers none of the others, and the next one may be as silent.
    asking = Pod(metadata=PodMeta(namespace=namespace))
    silent = [each.webhook for each in SilentWebhooks(cluster).asked_about(asking, cluster)]
    silent += [one for *_, one in placed if asked and one.client_config.service == asked and one.is_needed_for_pods]
    return [each for each in placed if each[2].name == name or each[2] in silent]


def _help(care: Care, found: Component) -> Remedy:
    """What to do about the state that it is in."""
    lacks = " and ".join(found.lacks)
    if found.state is State.NOT_THERE and lacks:
        # What is no label by itself is for people to choose.
        are_labels = all("=" in each for each in found.lacks)
        return advice("component/not-there", found, lacks, found.lacks, has_command=are_labels)
    state = _BY_REASON.get(found.reason, found.state.value)
    state = "otherwise" if found.state in _SEEN_AS_ANY else state
    return advice(f"component/{state}", found, care.does, found.kind.lower(), found.namespace, lacks)


def _tolerating(care: Care, found: Component, cluster: Cluster) -> Remedy:
    """The pods of the component let onto nodes that have the very taint."""
    workload = cluster.listers.get(DaemonSet, found.name, found.namespace) if found.kind == "DaemonSet" else None
    edit = tolerating([Toleration(key=found.taint, operator="Exists")])
    is_known = workload is not None and workload.spec.template is not None
    made = change(workload, edited(workload, edit)) if is_known else None
    return advice("component/tolerate", found, care.does, changes=[made])
