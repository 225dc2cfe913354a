"""Pods by what the API server holds of them alone, for users who may not read the cluster around them."""

from collections.abc import Sequence

from msgspec import Struct

from kexplain.case.own_pods import with_complaints
from kexplain.case.pods_to_place import pending
from kexplain.case.records import OwnPods
from kexplain.case.references import Reference, Scope, find
from kexplain.load.live.api_resources import of_namespace
from kexplain.load.live.cluster_reader import ClusterSource
from kexplain.load.loaded import unlisted_notes
from kexplain.objects.core import Pod
from kexplain.objects.events import Event, events_about
from kexplain.objects.pod_selection import PodSelection
from kexplain.objects.well_known import DEFAULT_NAMESPACE


class OwnStatus(Struct, frozen=True):
    """Pods of one namespace, each with the events about it, and the workloads that were named."""

    namespace: str
    pods: tuple[tuple[Pod, tuple[Event, ...]], ...]
    workloads: tuple[OwnPods, ...]
    notes: tuple[str, ...]


def own_status(
    named: Sequence[Reference], source: ClusterSource, *, namespace: str = "", selection: PodSelection | None = None
) -> OwnStatus:
    """The pods of these names, or all that are pending in the namespace.

    Raises RightsError if not even the pods of the namespace may be listed, UsageError on a name that is not there.
    """
    namespace = namespace or source.namespace or DEFAULT_NAMESPACE
    loaded = source.read(of_namespace(namespace, {each.kind for each in named}))
    if named:
        found = find(named, loaded, Scope(namespace), own_pods=True)
        objects, own = found.objects, found.workloads
    else:
        (objects, _), own = pending(loaded.objects, selection or PodSelection(), namespace), []
    pods = [obj for obj in objects if isinstance(obj, Pod)]
    said = source.around(namespace)
    events = [obj for obj in said.objects if isinstance(obj, Event)]
    workloads = tuple(with_complaints(each, events) for each in own)
    said_of_pods = tuple((pod, events_about(pod, events)) for pod in pods)
    noted = tuple(dict.fromkeys((*unlisted_notes(loaded.unlisted + said.unlisted), *said.notes)))
    return OwnStatus(namespace, said_of_pods, workloads, noted)
