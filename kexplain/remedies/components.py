"""What would mend the component that looks after what keeps a pod from running."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from kexplain.case.webhooks import SilentWebhooks
from kexplain.cluster import Cluster
from kexplain.diagnosis.caretakers import Subject
from kexplain.diagnosis.components import Component, State
from kexplain.diagnosis.culprits import Care
from kexplain.objects.admission_webhooks import NAMED_WEBHOOK, WEBHOOK_KINDS
from kexplain.objects.apps import DaemonSet
from kexplain.objects.core import Pod, PodMeta, Toleration
from kexplain.remedies.advice import advice
from kexplain.remedies.commands import looking
from kexplain.remedies.pod_edits import tolerating
from kexplain.remedies.records import Remedy
from kexplain.remedies.steps import change, edited, setting, target_of
from kexplain.shell import command

#: Reasons of containers that are about the image.
_IMAGE = ("ErrImagePull", "ImagePullBackOff", "InvalidImageName")


def mending(care: Care, cluster: Cluster) -> Iterator[Remedy]:
    """What would get the component to do what it is there for, nothing of which can be tried."""
    found = care.component
    if found is None:
        yield advice("component/install", care.who.install or care.who.role.removesuffix(","))
        return
    if care.is_own and care.subject is Subject.WEBHOOK:
        yield advice("component/own-webhook", found.namespace)
    elif found.state is State.RUNS:
        yield _seeing(care, found)
    elif found.state in (State.PENDING, State.KEPT_AWAY) and found.taint:
        yield _tolerating(care, found, cluster)
    else:
        yield looking(*_help(care, found))


def letting_in(message: str, namespace: str, cluster: Cluster) -> Iterator[Remedy]:
    """As an emergency exit, that webhooks which nobody answers do without that; nothing of other messages."""
    found = NAMED_WEBHOOK.search(message)
    if found is None or not found["call"]:
        return
    name, every = found["name"], [each for kind in WEBHOOK_KINDS for each in cluster.listers.every(kind)]
    placed = [(each, place, one) for each in every for place, one in enumerate(each.webhooks or ())]
    asked = next((one.client_config.service for *_, one in placed if one.name == name), None)
    # Whoever is behind it answers none of the others, and the next one may be as silent.
    asking = Pod(metadata=PodMeta(namespace=namespace))
    silent = [each.webhook for each in SilentWebhooks(cluster).asked_about(asking, cluster)]
    alike = [
        (each, place, one)
        for each, place, one in placed
        if one.name == name
        or (asked and one.client_config.service == asked and one.is_needed_for_pods)
        or any(one is each for each in silent)
    ]
    named = [f"{one.name} in {each.kind} {each.name}" for each, _, one in alike] or [name]
    policies = ((target_of(each), f"/webhooks/{place}/failurePolicy") for each, place, _ in alike)
    changes = tuple(setting(target, {path: "Ignore"}) for target, path in policies)
    yield advice("ignore-webhooks", named, bool(alike[1:]), changes=changes)


def _help(care: Care, found: Component) -> Iterator[str]:
    """What to do about the state that it is in, and then the command for it, as the table has them."""
    state = "image" if found.state is State.FAILING and found.reason in _IMAGE else str(found.state)
    state = state if state in _table() and (found.lacks or state != State.NOT_THERE) else "otherwise"
    text, program, subject, flag = _table()[f"{state}-pod" if state == "otherwise" and found.pod else state]
    about = {"what": f"{found.kind} {found.key}", "pod": found.pod, "node": found.node, "name": found.name}
    # What is no label by itself is for people to choose.
    yield text.format(**about, does=care.does, lacks=" and ".join(found.lacks))
    labels = found.lacks if found.state is State.NOT_THERE else ()
    if all("=" in each for each in labels):
        namespace, flags = "" if labels else found.namespace, [flag] if flag else ()
        words = about[subject], *labels
        yield command(program.format(kind=found.kind.lower()), *words, namespace=namespace, flags=flags)


@cache
def _table() -> Mapping[str, Sequence[str]]:
    return tomllib.loads((Path(__file__).parent / "tables" / "mending.toml").read_text(encoding="utf-8"))


def _seeing(care: Care, found: Component) -> Remedy:
    """What runs is looked into, or started anew where that is when it does what it is there for."""
    if care.is_undone:
        does = care.does if care.subject is Subject.TAINT else "registers with the kubelet"
        return advice("component/restart", found, does, found.kind.lower(), found.namespace)
    row = "component/publisher" if care.subject is Subject.CAPACITY else "component/log"
    return advice(row, found, care.does, found.namespace)


def _tolerating(care: Care, found: Component, cluster: Cluster) -> Remedy:
    """The pods of the component let onto nodes that have the very taint."""
    workload = cluster.listers.get(DaemonSet, found.name, found.namespace) if found.kind == "DaemonSet" else None
    edit = tolerating([Toleration(key=found.taint, operator="Exists")])
    is_known = workload is not None and workload.spec.template is not None
    made = change(workload, edited(workload, edit)) if is_known else None
    return advice("component/tolerate", found, care.does, changes=[made])
