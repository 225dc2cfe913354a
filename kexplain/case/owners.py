"""What makes the pods in question, up the chain, read by name: it is what one changes, not the pods."""

from __future__ import annotations

from collections.abc import Iterable

from kexplain.case.own_pods import Key
from kexplain.case.stand_ins import is_known
from kexplain.load import Loaded
from kexplain.load.live.api_resources import owners_of
from kexplain.load.live.cluster_reader import ClusterSource
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.workload_kinds import WORKLOAD_KIND_BY_NAME

#: A CronJob makes a Job that makes a pod.
_LONGEST_CHAIN = 3


def with_owners(loaded: Loaded, meant: Iterable[KubernetesObject], source: ClusterSource) -> Loaded:
    """What was read, with the owners of these objects that were not; what may not be read is noted."""
    listed = {kind.__name__ for kind in loaded.listed}
    there = {_key(obj): obj for obj in loaded.objects if type(obj).__name__ in WORKLOAD_KIND_BY_NAME}
    chain = [*meant]
    for _ in range(_LONGEST_CHAIN):
        keys = dict.fromkeys(key for obj in chain if (key := _owner(obj)) is not None)
        missing = [key for key in keys if key not in there and key[0] not in listed]
        found = source.read(owners_of(missing)) if missing else Loaded()
        loaded = loaded + found if missing else loaded
        there |= {_key(obj): obj for obj in found.objects}
        chain = [there[key] for key in keys if key in there]
    return loaded


def _owner(obj: KubernetesObject) -> Key | None:
    """The controller of an object, if it is of a kind that can be read."""
    owner = obj.metadata.controller
    return (owner.kind or "", obj.namespace, owner.name or "") if owner and is_known(owner) else None


def _key(obj: KubernetesObject) -> Key:
    return type(obj).__name__, obj.namespace, obj.name
