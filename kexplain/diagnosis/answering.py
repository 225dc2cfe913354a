"""Who should answer what an API server asks of others, and does not."""

from __future__ import annotations

from itertools import chain
from re import Match

from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.cluster.placed_pods import Maker
from kexplain.diagnosis.blamed import blamed
from kexplain.diagnosis.caretakers import Caretaker, Subject
from kexplain.diagnosis.components import Component, State, behind_service, components
from kexplain.diagnosis.culprits import Care, at_fault
from kexplain.diagnosis.records import ObjectReference
from kexplain.explain.objections.storage import label_pairs
from kexplain.objects.admission_webhooks import NAMED_WEBHOOK, SERVICE_HOST, WEBHOOK_KINDS
from kexplain.objects.apps import Deployment
from kexplain.objects.core import Service
from kexplain.objects.other_resources import OtherResource
from kexplain.patterns import regex
from kexplain.words import joined

_ENDING_NAMESPACE = "because it is being terminated"
#: What a client says that got no answer for long.
_TIMED_OUT = regex(r"deadline exceeded|i/o timeout|Client\.Timeout")
#: As kube-aggregator names the Service of an APIService that is not available.
_BEHIND_API = regex(r'service/(?P<name>[\w-]+) in "(?P<namespace>[\w-]+)"')


def answerer(message: str, cluster: Cluster, own: Maker | None = None) -> Care | None:
    """Who should answer a webhook that did not, by the Service in the message; None where that runs, or is not read.

    `own` is the workload whose pods it keeps out, which may be that itself.
    """
    if _ENDING_NAMESPACE in message:
        return _discovery(cluster)
    if care := _authority(message, cluster):
        return care
    found = SERVICE_HOST.search(message)
    services = cluster.listers.every(Service)
    if found is None or not services:
        return None
    care = behind(found["name"], found["namespace"], cluster)
    if care is None and _TIMED_OUT.search(message):
        who = blamed("unreached", ObjectReference(kind="Service", name=found["name"], namespace=found["namespace"]))
        return Care(Subject.WEBHOOK, found["name"], who, who.does, None)
    if care is None or care.component is None:
        return care
    return replace(care, is_own=care.component.made_by == own or _keeps_out(found, care.component, cluster))


def _authority(message: str, cluster: Cluster) -> Care | None:
    """Who should tell API servers which authority signs a webhook's certificate, where nobody has."""
    named = NAMED_WEBHOOK.search(message) if "x509: certificate signed by" in message else None
    for each in chain.from_iterable(map(cluster.listers.every, WEBHOOK_KINDS)):
        if named and any(one.name == named["name"] and not one.client_config.ca_bundle for one in each.webhooks or ()):
            who = blamed("no-authority", each)
            by = at_fault(Subject.AUTHORITY, "caBundle", "writes its caBundle", cluster)
            return by or Care(Subject.AUTHORITY, each.name, who, who.does, None)
    return None


def _keeps_out(host: Match[str], answering: Component, cluster: Cluster) -> bool:
    """Whether the webhook that is not answered keeps out the very pods that would answer it."""
    found = components(cluster)[answering.made_by].obj
    conditions = found.status.conditions or () if isinstance(found, Deployment) else ()
    return any(each.type == "ReplicaFailure" and host[0] in (each.message or "") for each in conditions)


def behind(name: str, namespace: str, cluster: Cluster) -> Care | None:
    """Who answers for a Service; None where that runs."""
    who, does = Caretaker("", f"what is behind Service {namespace}/{name}"), "answers it"
    service = cluster.listers.get(Service, name, namespace)
    found = behind_service(service, cluster) if service else []
    if found and found[0].state is State.RUNS:
        return None
    if service and not found and (meant := _meant(service, cluster)):
        selects = joined(label_pairs(service.spec.selector or {}), "and")
        role = f"Service {service.key}"
        who = blamed("selects-none", service, role, selects=selects, meant=meant[0], labels=meant[1])
    return Care(Subject.WEBHOOK, name, who, does, found[0] if found else None)


def _meant(service: Service, cluster: Cluster) -> tuple[str, str] | None:
    """The workload with pods, and their labels, that a Service which selects none is probably there for."""
    values = {service.name, *(service.spec.selector or {}).values()}
    near = ((by, each) for by, each in components(cluster).items() if each.read and by[0] == service.namespace)
    found = next(((by, each.labels) for by, each in near if values & {by[2], *each.labels.values()}), None)
    return (f"{found[0][1]} {found[0][2]}", joined(label_pairs(found[1]), "and")) if found else None


def _discovery(cluster: Cluster) -> Care | None:
    """Who should answer for a group of the API without which no namespace is ever gone, and does not."""
    for each in cluster.listers.every(OtherResource):
        service = _BEHIND_API.search(each.failure) if each.kind == "APIService" else None
        if service and (care := behind(service["name"], service["namespace"], cluster)):
            does = f"answers for APIService {each.name}, without which no namespace is ever gone"
            return replace(care, subject=Subject.API, does=does)
    return None
