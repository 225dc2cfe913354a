"""Claims of a pod whose volumes a provisioner does not make: the pod fits, and is not bound before they are there.

Source: persistent volume controller (`events.ProvisioningFailed`, `ExternalProvisioning`), the annotation
`volume.kubernetes.io/selected-node` that the scheduler sets on a claim that waits for its pod.
"""

from collections.abc import Iterable

from kexplain.bound.pod_on_node import SHORT, short_reason
from kexplain.cluster import Listers
from kexplain.cluster.listers import claims_of
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.records import Held, Kind, held_by
from kexplain.objects.core import Pod
from kexplain.objects.events import PROVISIONING_REASONS, Event, events_about
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.storage import StorageClass
from kexplain.objects.well_known import DEFAULT_SCHEDULER_NAME
from kexplain.patterns import regex
from kexplain.shell import command

_FAILED = PROVISIONING_REASONS[0]
#: What Go's client says that got no answer of an extender.
_CALLED = regex(r'(?:Post|Get) "(?P<url>https?://[^"]+)": (?P<why>.+)')
_BINDING, _WEBHOOK = regex(r"running Bind plugin "), regex(r'failed calling webhook "([^"]+)"')


def not_provisioned(pod: Pod, events: Iterable[Event], listers: Listers) -> Held | None:
    """The first claim that waits for its provisioner; `events` are those about claims.

    A claim waits if somebody says so, or if the scheduler has chosen a node for it.
    """
    told = list(events)
    for claim in claims_of(pod, listers):
        if claim.volume_name or claim.status.phase not in (None, "Pending"):
            continue
        about = [event for event in told if _is_about(event, claim)]
        last = max(about, key=lambda event: (event.reason == _FAILED, event.last_seen), default=None)
        node = claim.annotations.selected_node or ""
        if last is not None or node:
            return _hold(claim, last, node, listers)
    return None


def not_bound(pod: Pod, events: Iterable[Event]) -> Held | None:
    """That the scheduler has a node for the pod, and its last event says that it gets no further.

    Something refuses to bind it there, or an extender does not answer.
    """
    about = events_about(pod, events)
    if not about:
        return None
    last = about[-1]
    called, webhook = _CALLED.match(last.text), _WEBHOOK.search(last.text)
    if called:
        said = told("extender-silent", url=called["url"], why=short_reason(called["why"]))
    elif _BINDING.match(last.text):
        answer = f"webhook {webhook[1]} did not answer" if webhook else "the API server refuses it, or a plugin does"
        said = told("not-bound", why=answer)
    else:
        return None
    by = last.reporter or DEFAULT_SCHEDULER_NAME
    return held_by(by, Kind.FAILED, said, message=last.text, since=last.first_seen)


def provisioner(pod: Pod, listers: Listers) -> str:
    """Who makes the volume of the first claim that has none; empty where that is not known."""
    unbound = (claim for claim in claims_of(pod, listers) if not claim.volume_name)
    classes = (listers.get(StorageClass, claim.class_name) for claim in unbound)
    return next((each.provisioner for each in classes if each is not None), "")


def _is_about(event: Event, claim: PersistentVolumeClaim) -> bool:
    about = event.subject
    named = (PersistentVolumeClaim.__name__, claim.namespace, claim.name)
    is_of = (about.kind, about.namespace or event.namespace, about.name) == named
    return is_of and event.reason in PROVISIONING_REASONS and about.uid in (None, claim.metadata.uid)


def _hold(claim: PersistentVolumeClaim, last: Event | None, node: str, listers: Listers) -> Held:
    storage_class = listers.get(StorageClass, claim.class_name)
    by = storage_class.provisioner if storage_class else f"the provisioner of class {claim.class_name}"
    fails = last is not None and last.reason == _FAILED
    why = short_reason(last.text) if last else ""
    name = f"{'provisioning-fails' if fails else 'not-provisioned'}{'-on' if node else ''}"
    return held_by(
        by,
        Kind.CLAIM_NOT_PROVISIONED,
        told(name, by=by, claim=claim.name, node=node, why=why if fails else ""),
        object=f"PersistentVolumeClaim {claim.key}",
        since=(last.first_seen if last else "") or claim.metadata.creation_timestamp or "",
        reason=(last.reason or "") if last else "",
        message=last.text if last else "",
        command=command("kubectl describe pvc", claim.name, namespace=claim.namespace),
    )


def said_of_claims(pod: Pod, events: Iterable[Event], listers: Listers) -> tuple[str, str]:
    """What was last said of the claims of a pod: that no volume can be made, and why, or else in a sentence.

    Empty where nobody has said anything.
    """
    told = [each for each in events if each.reason in PROVISIONING_REASONS]
    for claim in claims_of(pod, listers) if told else ():
        about = [event for event in told if _is_about(event, claim)]
        if about:
            last = max(about, key=lambda event: (event.reason == _FAILED, event.last_seen))
            if last.reason == _FAILED and len(why := last.text.rpartition(" desc = ")[2]) <= SHORT:
                return f"the volume of claim {claim.key} cannot be made: {why}", ""
            return "", f"{last.reporter or 'Its provisioner'} says of claim {claim.name}: {last.text}"
    return "", ""
