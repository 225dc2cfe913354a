"""The shape of a Policy. Source: kube-scheduler `config/v1` of 1.22.

A list that is not given means the defaults; an empty one means none.
"""

from kexplain.config.component.plugin_args import UtilizationShapePoint
from kexplain.framework.extender import ExtenderConfig
from kexplain.objects.meta import Record


class LabelKeys(Record, frozen=True):
    """Labels that the nodes of a service's pods share."""

    labels: tuple[str, ...] = ()


class LabelsPresence(Record, frozen=True):
    """Labels that nodes must have, or must not."""

    labels: tuple[str, ...] = ()
    presence: bool = False


class PredicateArgument(Record, frozen=True):
    """What makes a predicate of one's own: exactly one of the two."""

    service_affinity: LabelKeys | None = None
    labels_presence: LabelsPresence | None = None


class PredicatePolicy(Record, frozen=True):
    """A predicate by name, or one of the user's own by its argument."""

    name: str = ""
    argument: PredicateArgument | None = None


class ServiceAntiAffinity(Record, frozen=True):
    """A label over whose values the pods of a service are spread."""

    label: str = ""


class LabelPreference(Record, frozen=True):
    """A label that nodes had better have, or had better not."""

    label: str = ""
    presence: bool = False


class ResourceShare(Record, frozen=True):
    """A resource that counts, and how much; there is no default."""

    name: str = ""
    weight: int = 0


class RequestedToCapacityRatioArguments(Record, frozen=True):
    """The score at each utilization."""

    shape: tuple[UtilizationShapePoint, ...] = ()
    resources: tuple[ResourceShare, ...] = ()


class PriorityArgument(Record, frozen=True):
    """What makes a priority of one's own: exactly one of the three."""

    service_anti_affinity: ServiceAntiAffinity | None = None
    label_preference: LabelPreference | None = None
    requested_to_capacity_ratio_arguments: RequestedToCapacityRatioArguments | None = None


class PriorityPolicy(Record, frozen=True):
    """A priority by name, or one of the user's own by its argument."""

    name: str = ""
    weight: int = 0
    argument: PriorityArgument | None = None


class Policy(Record, frozen=True):
    """A Policy as written; None enables the default predicates or priorities. Source: `apis/config/legacy_types.go`."""

    api_version: str = ""
    kind: str = ""
    predicates: tuple[PredicatePolicy, ...] | None = None
    priorities: tuple[PriorityPolicy, ...] | None = None
    extenders: tuple[ExtenderConfig, ...] = ()
    hard_pod_affinity_symmetric_weight: int = 0
    always_check_all_predicates: bool = False
