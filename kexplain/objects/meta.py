"""Metadata and selectors that all API groups share.

Every field may be absent or null in a manifest, so every field is optional here. Records hold only what
scheduling reads: decoding skips everything else, which is what makes a large dump cheap to load.
"""

from collections.abc import Collection
from typing import Annotated, ClassVar, Self, TypeAlias

import msgspec
from msgspec.structs import replace

from kexplain.objects.well_known import WITHOUT_NAMESPACE

#: Whole numbers as wide as the fields of Go that hold them: an API server refuses what does not fit.
Int32 = Annotated[int, msgspec.Meta(ge=-(1 << 31), le=(1 << 31) - 1)]
Int64 = Annotated[int, msgspec.Meta(ge=-(1 << 63), le=(1 << 63) - 1)]
#: A number of pods, or a share of them such as `25%`.
IntOrString = Int32 | str
#: A resource list or another map of quantities as written: `"500m"`, `4`, `1.5`.
RawQuantity = str | int | float
ResourceList = dict[str, RawQuantity]
Labels = dict[str, str]
#: Longer shares nobody means.
_DIGITS = 9


def scaled(bound: IntOrString, total: int, *, up: bool) -> int | None:
    """A number, or a share of a total rounded up or down; None if it is neither.

    Source: `intstr.GetScaledValueFromIntOrPercent`.
    """
    if isinstance(bound, int):
        return bound
    digits, percent, more = bound.partition("%")
    if not percent or more or not (digits.isascii() and digits.isdecimal()) or len(digits) > _DIGITS:
        return None
    return -(-int(digits) * total // 100) if up else int(digits) * total // 100


class Record(msgspec.Struct, frozen=True, gc=False, rename="camel", kw_only=True, omit_defaults=True):
    """A frozen record of the API; `gc=False` since records never form cycles."""


class OwnerReference(Record, frozen=True):
    """An owner; at most one of an object's owners is its controller."""

    api_version: str | None = None
    kind: str | None = None
    name: str | None = None
    uid: str | None = None
    controller: bool | None = None


class ObjectMeta(Record, frozen=True):
    """The part of metadata that scheduling reads of every kind."""

    name: str | None = None
    generate_name: str | None = None
    namespace: str | None = None
    uid: str | None = None
    labels: Labels | None = None
    owner_references: tuple[OwnerReference, ...] | None = None
    creation_timestamp: str | None = None
    deletion_timestamp: str | None = None

    @property
    def controller(self) -> OwnerReference | None:
        """The owner that looks after the object. Source: `metav1.GetControllerOf`."""
        # Every pod of a cluster is asked, where a generator would take longer than the loop.
        for owner in self.owner_references or ():
            if owner.controller:
                return owner
        return None


class Condition(Record, frozen=True):
    """One condition of an object's status."""

    type: str = ""
    status: str = ""
    reason: str | None = None
    message: str | None = None
    last_transition_time: str | None = None


class LabelSelectorRequirement(Record, frozen=True):
    """One `matchExpressions` entry of a label selector."""

    key: str = ""
    operator: str = ""
    values: tuple[str, ...] | None = None


class LabelSelector(Record, frozen=True):
    """A label selector: None selects nothing, an empty one everything."""

    match_labels: Labels | None = None
    match_expressions: tuple[LabelSelectorRequirement, ...] | None = None


#: The API version of what stands for an object that was not read.
UNREAD = "unread"


class NamedReference(Record, frozen=True):
    """Another object, of the same namespace if it has one."""

    kind: str = ""
    name: str = ""


class KubernetesObject(Record, frozen=True):
    """What every top-level object has; `kind` is the tag of the decoded union, so it is no field."""

    is_namespaced: ClassVar[bool] = True
    #: Whether a queue, a scheduler or an autoscaler of another project writes it, so that it is of no known form.
    is_of_queues: ClassVar[bool] = False

    api_version: str | None = None
    metadata: ObjectMeta = ObjectMeta()

    def __init_subclass__(cls) -> None:
        cls.is_namespaced = cls.is_namespaced and cls.__name__ not in WITHOUT_NAMESPACE

    @property
    def kind(self) -> str:
        """What a manifest calls it."""
        return type(self).__name__

    @property
    def is_read(self) -> bool:
        """Whether anything is read of it; others of its kind may be of no interest."""
        return True

    @property
    def is_unread(self) -> bool:
        """Whether it stands for an object that was not read, and of which nothing but its name is known."""
        return self.api_version == UNREAD

    @property
    def name(self) -> str:
        """The object's name; empty if the manifest gives none."""
        return self.metadata.name or ""

    @property
    def namespace(self) -> str:
        """The object's namespace; empty for cluster-scoped objects and manifests that name none."""
        return self.metadata.namespace or ""

    @property
    def key(self) -> str:
        """`namespace/name`."""
        return f"{self.metadata.namespace or ''}/{self.name}"

    @property
    def labels(self) -> Labels:
        """The object's labels; never None, not to be changed."""
        return self.metadata.labels or {}

    @property
    def is_stored(self) -> bool:
        """Whether an API server has had the object in hand: it stands in a cluster rather than in a manifest."""
        return bool(self.metadata.uid or self.metadata.creation_timestamp)

    def in_namespace(self, namespace: str) -> Self:
        """The object as it is if it names a namespace or needs none, or else in this one."""
        if self.metadata.namespace or not self.is_namespaced:
            return self
        return replace(self, metadata=replace(self.metadata, namespace=namespace))


#: Kinds of objects.
Kinds: TypeAlias = Collection[type[KubernetesObject]]
