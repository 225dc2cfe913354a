"""A cluster without its names: every one replaced by another, the same everywhere, so that verdicts stay.

What is equal stays equal, what differs still differs, and order is kept within a kind of names, since that is all
that decisions ask of them; whole numbers become their rank, which is what `Gt` and `Lt` ask. Every text of every
record is replaced unless a rule here says why it means something to the scheduler: a field that is new is redacted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeVar

from msgspec import inspect as shapes
from msgspec.structs import replace

from kexplain.load.loaded import Loaded, Nowhere, Segment
from kexplain.load.shape import bare
from kexplain.load.snapshot.message_redaction import redacted_message
from kexplain.objects.apps import DaemonSet, Deployment, ReplicaSet, StatefulSet
from kexplain.objects.batch import CronJob, Job
from kexplain.objects.core import Namespace, Node, Pod
from kexplain.objects.csi_migration import (
    BETA_REGION,
    BETA_ZONE,
    IN_TREE_PLUGIN_BY_NAME,
    MULTI_ZONE_DELIMITER,
    REGION,
    ZONE,
)
from kexplain.objects.meta import KubernetesObject, Labels, Record
from kexplain.objects.node import RuntimeClass
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim
from kexplain.objects.scheduling import PriorityClass
from kexplain.objects.storage import CSIDriver, StorageClass

T = TypeVar("T", bound=KubernetesObject)

#: Words that mean something to the scheduler wherever they stand, and give nobody away.
_KEPT = frozenset(
    (
        "",
        "true",
        "false",
        "linux",
        "windows",
        "amd64",
        "arm64",
        "0.0.0.0",  # noqa: S104 - compared only
        "::",
        "metadata.name",
        "default",
        "kube-system",
        "kube-public",
        "kube-node-lease",
        "system-node-critical",
        "system-cluster-critical",
        "pod-template-hash",
        "controller-revision-hash",
    )
)
_WELL_KNOWN_DOMAIN = re.compile(r"(?:.*\.)?(?:kubernetes|k8s)\.io")
_TOPOLOGY_KEYS = frozenset(plugin.topology_key for plugin in IN_TREE_PLUGIN_BY_NAME.values())
_ZONE_KEYS = _TOPOLOGY_KEYS | {ZONE, REGION, BETA_ZONE, BETA_REGION}
#: Zones of clouds, whose parts volumes are translated by: us-central1-a, eu-west-1b.
_CLOUD_ZONE = re.compile(r"[a-z]+-[a-z]+(?:\d-[a-z]|-\d[a-z]?|\d)")
_WHOLE = re.compile(r"(?P<before>[+-]?0*)(?P<digits>\d{1,18})")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_EBS_PREFIX = "vol-"
_CLASS_RESOURCE = "deviceclass.resource.kubernetes.io/"

#: Fields of any record that hold words of the API, names of software, moments, or what device selectors compare.
_KEPT_FIELDS = frozenset(
    (
        "api_version",
        "api_group",
        "kind",
        "resource",
        "operator",
        "effect",
        "phase",
        "status",
        "protocol",
        "creation_timestamp",
        "deletion_timestamp",
        "start_time",
        "event_time",
        "first_timestamp",
        "deprecated_first_timestamp",
        "last_timestamp",
        "deprecated_last_timestamp",
        "last_observed_time",
        # Schedulers, whose names stay.
        "component",
        "reporting_component",
        "reporting_controller",
        "kubelet_version",
        "declared_features",
        "restart_policy",
        "action",
        "preemption_policy",
        "unhealthy_pod_eviction_policy",
        "scheduler_name",
        "access_modes",
        "volume_mode",
        "when_unsatisfiable",
        "node_affinity_policy",
        "node_taints_policy",
        "volume_binding_mode",
        "driver",
        "provisioner",
        "attacher",
        "migrated_plugins",
        "bind_completed",
        "is_default",
        "is_beta_default",
        "expression",
        "match_attribute",
        "distinct_attribute",
        "string_value",
        "version_value",
        "device",
        "allocation_mode",
        "extended_resource_name",
        "request",
        "requests",
        "share_id",
        "counter_set",
        "for_extended_resources",
        "binding_conditions",
        "binding_failure_conditions",
    )
)
_KEY_FIELDS = frozenset(("key", "topology_key", "match_label_keys", "mismatch_label_keys"))
#: Records whose name is that of a piece of software or hardware, or a part of an expression.
_NAMED_BY_VENDORS = frozenset(("CSINodeDriver", "Device", "CounterSet", "DeviceRequest", "DeviceSubRequest"))


def redacted(loaded: Loaded) -> Loaded:
    """The same cluster under other names."""
    names = _Names(loaded.objects)
    objects = [_redacted(obj, names) for obj in loaded.objects]
    result = Loaded()
    result.add(Segment("redacted", Nowhere(), objects))
    result.notes += loaded.notes
    result.server_version = loaded.server_version
    result.listed |= loaded.listed
    return result


def _redacted(obj: T, names: _Names) -> T:
    redacted_object: T = _replaced(obj, names)
    return redacted_object


# ------------------------------------------------------------------------------------------------------- names


class _Names:
    """What every name becomes; asked for one it has not seen, it notes it instead."""

    def __init__(self, objects: Iterable[KubernetesObject]) -> None:
        self._seen: set[str] = set()
        self._keys: set[str] = set()
        self._images: set[str] = set()
        self._zones: set[str] = set()
        self._new_by_old: dict[str, str] = {}
        self._new_key_by_old: dict[str, str] = {}
        self._new_image_by_old: dict[str, str] = {}
        self._is_ready = False
        kept = list(objects)
        for obj in kept:
            _replaced(obj, self)
        self._choose(kept)
        self._is_ready = True

    def name(self, old: str) -> str:
        """A name of anything, or the value of a label."""
        if not self._is_ready:
            self._seen.add(old)
        return self._new_by_old.get(old, old)

    def key(self, old: str) -> str:
        """The key of a label or a taint."""
        if not self._is_ready:
            self._keys.add(old)
        return self._new_key_by_old.get(old, old)

    def image(self, old: str) -> str:
        """The name of an image; without a tag it means the latest, as upstream reads it."""
        full = old if old.rfind(":") > old.rfind("/") else f"{old}:latest"
        if not self._is_ready:
            self._images.add(full)
        return self._new_image_by_old.get(full, old)

    def label(self, key: str, old: str) -> str:
        """The value of a label; of zones that stand together each is a name."""
        if key not in _ZONE_KEYS:
            return self.name(old)
        zones = old.split(MULTI_ZONE_DELIMITER)
        if not self._is_ready:
            self._zones.update(zones)
        return MULTI_ZONE_DELIMITER.join(self.name(zone) for zone in zones)

    def volume_id(self, old: str) -> str:
        """The id of an EBS volume, with or without its zone: `aws://zone/vol-1234`."""
        *before, volume = old.split("/")
        if not before:
            return self.name(old)
        return "/".join([*(part if part in ("", "aws:") else self.name(part) for part in before), self.name(volume)])

    def condition(self, old: str) -> str:
        """The type or the reason of a condition: a word of the API, unless it looks like somebody's own."""
        return old if old.isalpha() else self.name(old)

    def resource(self, old: str) -> str:
        """A resource, whose name a device class may be part of."""
        if not old.startswith(_CLASS_RESOURCE):
            return old
        return _CLASS_RESOURCE + self.name(old.removeprefix(_CLASS_RESOURCE))

    def _choose(self, objects: Sequence[KubernetesObject]) -> None:
        kind_by_name: dict[str, str] = {}
        for obj in objects:
            if obj.name and type(obj) in _KINDS:
                known = kind_by_name.setdefault(obj.name, _KINDS[type(obj)])
                kind_by_name[obj.name] = min(known, _KINDS[type(obj)], key=_PREFERENCE.index)
        cloud_zones = {zone for zone in self._zones if _CLOUD_ZONE.fullmatch(zone)}
        drivers = {obj.name for obj in objects if isinstance(obj, CSIDriver)}
        free = self._seen - _KEPT - cloud_zones - drivers
        numbers = {old for old in free if _WHOLE.fullmatch(old)}
        self._new_by_old = _ranks(numbers) | _numbered(
            free - numbers, lambda old: kind_by_name.get(old) or _kind_of(old)
        )
        for old in self._new_by_old:
            if old.startswith(_EBS_PREFIX):
                self._new_by_old[old] = f"{_EBS_PREFIX}{self._new_by_old[old]}"
        self._compose(objects)
        own = {key for key in self._keys - _KEPT if not _is_well_known(key)}
        self._new_key_by_old = _numbered(own, lambda _: "key")
        images = _numbered(self._images - _KEPT, lambda _: "image")
        self._new_image_by_old = {old: f"registry.example/{new}:redacted" for old, new in images.items()}

    def _compose(self, objects: Sequence[KubernetesObject]) -> None:
        """Have names that a controller puts together be put together of the new names."""
        numbers_by_start: dict[str, list[str]] = {}
        for old in self._seen:
            start, _, number = old.rpartition("-")
            if start and number.isdecimal():
                numbers_by_start.setdefault(start, []).append(number)
        for obj in objects:
            if isinstance(obj, StatefulSet):
                starts = {obj.name: self.name(obj.name)}
                for template in obj.spec.volume_claim_templates or ():
                    data = template.metadata.name or ""
                    starts[f"{data}-{obj.name}"] = f"{self.name(data)}-{self.name(obj.name)}"
                for old, new in starts.items():
                    for number in numbers_by_start.get(old, ()):
                        self._new_by_old[f"{old}-{number}"] = f"{new}-{number}"
        for obj in objects:
            for volume in (obj.spec.volumes or ()) if isinstance(obj, Pod) else ():
                if volume.ephemeral is not None:
                    claim = f"{obj.name}-{volume.name}"
                    self._new_by_old[claim] = f"{self.name(obj.name)}-{self.name(volume.name or '')}"


def _kind_of(old: str) -> str:
    return "uid" if _UUID.fullmatch(old) else "name"


#: What names begin with from then on; of a name that several kinds have, the first kind counts.
_KINDS: dict[type[KubernetesObject], str] = {
    Node: "node",
    Namespace: "namespace",
    Pod: "pod",
    PersistentVolume: "volume",
    PersistentVolumeClaim: "claim",
    StorageClass: "class",
    PriorityClass: "class",
    RuntimeClass: "class",
    **dict.fromkeys((Deployment, ReplicaSet, StatefulSet, DaemonSet, Job, CronJob), "workload"),
}
_PREFERENCE = tuple(dict.fromkeys(_KINDS.values()))


def _numbered(olds: Iterable[str], kind_of: Callable[[str], str]) -> dict[str, str]:
    """New names in the order of the old ones, which is kept within a kind."""
    ordered = sorted(olds)
    width = {kind: len(str(count)) for kind, count in Counter(map(kind_of, ordered)).items()}
    counts: Counter[str] = Counter()
    new_by_old = {}
    for old in ordered:
        kind = kind_of(old)
        counts[kind] += 1
        new_by_old[old] = f"{kind}-{counts[kind]:0{width[kind]}}"
    return new_by_old


def _ranks(olds: Iterable[str]) -> dict[str, str]:
    """Whole numbers as their rank among all; one that is written oddly stays so."""
    matches = {old: match for old in olds if (match := _WHOLE.fullmatch(old))}
    rank_by_number = {number: rank for rank, number in enumerate(sorted({int(old) for old in matches}))}
    return {old: f"{match['before'].replace('-', '')}{rank_by_number[int(old)]}" for old, match in matches.items()}


def _is_well_known(key: str) -> bool:
    domain, slash, _ = key.partition("/")
    return key in _ZONE_KEYS or bool(slash and _WELL_KNOWN_DOMAIN.fullmatch(domain))


# -------------------------------------------------------------------------------------------------------- walk


class _Step(NamedTuple):
    """A field of a record that holds texts, and what becomes of them."""

    attribute: str
    renew: Callable[[Any, _Names], Any]


def _replaced(record: Record, names: _Names) -> Any:
    changes = {}
    for step in _steps(type(record)):
        value = getattr(record, step.attribute)
        if value is not None:
            renewed = step.renew(value, names)
            if renewed is not value:
                changes[step.attribute] = renewed
    return replace(record, **changes) if changes else record


@cache
def _steps(record: type[Record]) -> tuple[_Step, ...]:
    shape = shapes.type_info(record)
    assert isinstance(shape, shapes.StructType)  # noqa: S101 - records are structs
    steps = ((field.name, _renewal(record, field.name, bare(field.type))) for field in shape.fields)
    return tuple(_Step(name, renew) for name, renew in steps if renew is not None)


def _renewal(record: type, attribute: str, shape: shapes.Type) -> Callable[[Any, _Names], Any] | None:
    """What is done with the value of a field; None where it stays."""
    special = _SPECIAL.get((record.__name__, attribute))
    if special is not None:
        return special
    match shape:
        case shapes.StructType():
            return _replaced
        case shapes.VarTupleType(item_type=item) if isinstance(bare(item), shapes.StructType):
            return _each(_replaced)
        case shapes.DictType(value_type=value) if isinstance(bare(value), shapes.StructType):
            return None
        case shapes.DictType(value_type=value) if isinstance(bare(value), shapes.StrType):
            return _labels
        case shapes.DictType():
            return _resources
    if attribute in _KEPT_FIELDS or (attribute == "name" and record.__name__ in _NAMED_BY_VENDORS):
        return None
    renew = _key if attribute in _KEY_FIELDS else _name
    match shape:
        case shapes.StrType():
            return renew
        case shapes.VarTupleType(item_type=item) if isinstance(bare(item), shapes.StrType):
            return _each(renew)
    return None


def _each(renew: Callable[[Any, _Names], Any]) -> Callable[[Any, _Names], Any]:
    def renew_each(values: tuple[Any, ...], names: _Names) -> tuple[Any, ...]:
        return tuple(renew(value, names) for value in values)

    return renew_each


def _name(value: str, names: _Names) -> str:
    return names.name(value)


def _key(value: str, names: _Names) -> str:
    return names.key(value)


def _image(value: str, names: _Names) -> str:
    return names.image(value)


def _volume_id(value: str, names: _Names) -> str:
    return names.volume_id(value)


def _condition(value: str, names: _Names) -> str:
    return names.condition(value)


def _labels(labels: Labels, names: _Names) -> Labels:
    return {names.key(key): names.label(key, value) for key, value in labels.items()}


def _resources(amounts: dict[str, Any], names: _Names) -> dict[str, Any]:
    return {names.resource(name): amount for name, amount in amounts.items()}


def _moments_by_name(moments: dict[str, str], names: _Names) -> dict[str, str]:
    return {names.name(name): moment for name, moment in moments.items()}


def _message(value: str, _: _Names) -> str:
    return redacted_message(value)


_SPECIAL: dict[tuple[str, str], Callable[[Any, _Names], Any]] = {
    ("Container", "image"): _image,
    ("ContainerImage", "names"): _each(_image),
    ("ImageVolume", "reference"): _image,
    ("AWSElasticBlockStore", "volume_id"): _volume_id,
    ("NodeCondition", "type"): _condition,
    ("PodCondition", "type"): _condition,
    ("PodCondition", "reason"): _condition,
    ("DeviceCondition", "type"): _condition,
    ("DeviceCondition", "reason"): _condition,
    ("LimitRangeItem", "type"): _condition,
    ("Event", "reason"): _condition,
    ("Event", "message"): _message,
    ("Event", "note"): _message,
    ("PodDisruptionBudgetStatus", "disrupted_pods"): _moments_by_name,
}
