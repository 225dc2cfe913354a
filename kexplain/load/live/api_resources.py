"""What is asked of a live cluster: each kind, where an API server has it, and what is lost without it."""

from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from kexplain.errors import UsageError
from kexplain.grouping import grouped
from kexplain.load.kindless_lists import plural_of
from kexplain.load.record_types import API_VERSIONS, versions_of
from kexplain.objects.events import (
    AUTOSCALER_REASONS,
    FAILED_CREATE,
    FAILED_SCHEDULING,
    PREEMPTED,
    PROVISIONING_REASONS,
    STOPPED_REASONS,
    Event,
)
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.selectors import is_dns_label
from kexplain.tables import sections

_RECORDS = {record.__name__: record for record in API_VERSIONS}


class Resource(Struct, frozen=True):
    """A kind as an API server lists it; `purpose` is what cannot be considered where it does not."""

    record: type[KubernetesObject]
    purpose: str
    #: Only those of a namespace, and only those whose fields are so; empty for all.
    namespace: str = ""
    field_selector: str = ""
    #: Whether a server without its API group is nothing to speak of.
    is_optional: bool = False
    #: The apiVersions of one group, where several groups have such a kind; empty for all of the record.
    of_versions: tuple[str, ...] = ()

    @property
    def plural(self) -> str:
        """The resource as paths have it: `statefulsets`."""
        return plural_of(self.record.__name__)

    @property
    def versions(self) -> tuple[str, ...]:
        """The apiVersions to ask for, the newest first."""
        return self.of_versions or versions_of(self.record)

    @property
    def group(self) -> str:
        """The API group; empty for the core group."""
        return _group(self.versions[0])

    @property
    def qualified(self) -> str:
        """The resource as kubectl takes it: `statefulsets.apps`."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    def paths(self) -> tuple[tuple[str, str], ...]:
        """The apiVersions to try, the newest first, each with the path of its list.

        Raises UsageError on what cannot be a namespace, so that it never leads to another path.
        """
        if self.namespace and not is_dns_label(self.namespace):
            advice = "its name has at most 63 characters: lower case letters, digits, and - inside"
            raise UsageError(f'"{self.namespace}" is not a namespace', advice)
        where = f"namespaces/{self.namespace}/" if self.namespace else ""
        roots = ((version, f"/apis/{version}" if "/" in version else f"/api/{version}") for version in self.versions)
        return tuple((version, f"{root}/{where}{self.plural}") for version, root in roots)


#: What decisions depend on, and what makes pods. Pods come first: there are most of them.
_PURPOSES = ((kind, purpose) for purpose, kinds in sections("scheduling-kinds").items() for kind in kinds)
SCHEDULING = tuple(Resource(_RECORDS[kind.strip("()")], why, is_optional=kind[0] == "(") for kind, why in _PURPOSES)
#: Read of the pods that are explained, and into snapshots.
EVENTS = Resource(Event, "what the scheduler itself has said", field_selector=f"reason={FAILED_SCHEDULING}")
#: Read of workloads whose pods are missing, and into snapshots.
FAILURES = replace(EVENTS, purpose="why pods have not been created", field_selector=f"reason={FAILED_CREATE}")
#: What makes the pods of a workload that makes none itself.
_BETWEEN = {"CronJob": "Job", "Deployment": "ReplicaSet", "Rollout": "ReplicaSet"}
#: The same of autoscalers. No field selector takes several reasons.
AUTOSCALER_EVENTS = tuple(replace(EVENTS, field_selector=f"reason={reason}") for reason in AUTOSCALER_REASONS)
#: Who had to go for more important pods.
PREEMPTIONS = replace(EVENTS, field_selector=f"reason={PREEMPTED}")
#: Why pods with a node do not run, and claims have no volume; only into snapshots.
LATER_EVENTS = tuple(
    replace(EVENTS, field_selector=f"reason={reason}") for reason in (PROVISIONING_REASONS[0], *STOPPED_REASONS)
)
EVERYTHING = (*SCHEDULING, EVENTS, FAILURES, *AUTOSCALER_EVENTS, *LATER_EVENTS)


def queue_resources() -> tuple[Resource, ...]:
    """What queues and schedulers of other projects write, a kind and an API group each."""
    from kexplain.objects.queues import QUEUE_KINDS  # noqa: PLC0415 (few clusters have queues)

    purpose = "which queue holds a pod back, and why"
    kinds = ((kind, group) for kind in QUEUE_KINDS for group in dict.fromkeys(map(_group, versions_of(kind))))
    every = ((kind, tuple(each for each in versions_of(kind) if _group(each) == group)) for kind, group in kinds)
    return tuple(Resource(kind, purpose, is_optional=True, of_versions=versions) for kind, versions in every)


def autoscaler_resources(*, has_node_pools: bool) -> tuple[Resource, ...]:
    """What autoscalers write beside NodePools: the status of cluster-autoscaler, and what Karpenter makes nodes of."""
    from kexplain.objects.cluster_autoscaler import STATUS_NAME, STATUS_NAMESPACE, ConfigMap  # noqa: PLC0415
    from kexplain.objects.node_claims import EVERY_NODE_CLASS, NodeClaim  # noqa: PLC0415 (few clusters have such)

    purpose = "why no node comes"
    status = Resource(ConfigMap, purpose, STATUS_NAMESPACE, f"metadata.name={STATUS_NAME}", is_optional=True)
    kinds: tuple[type[KubernetesObject], ...] = (NodeClaim, *EVERY_NODE_CLASS)
    of_karpenter = (Resource(record, purpose, is_optional=True) for record in kinds)
    return (status, *(of_karpenter if has_node_pools else ()))


def of_namespace(namespace: str, kinds: Collection[str]) -> tuple[Resource, ...]:
    """The pods of one namespace, and its workloads of these kinds with what stands between them and their pods."""
    wanted = {"Pod", *kinds, *(_BETWEEN[kind] for kind in kinds if kind in _BETWEEN)}
    return tuple(replace(each, namespace=namespace) for each in SCHEDULING if each.record.__name__ in wanted)


def events_of(pods: Iterable[tuple[str, str]]) -> tuple[Resource, ...]:
    """The lists that hold what schedulers and autoscalers have said about these pods.

    There is one for all events of a pod that is the only one of its namespace, and one for each reason otherwise; and
    one for what was preempted there.
    """
    return tuple(
        replace(each, namespace=namespace, field_selector=selector)
        for namespace, names in grouped(pods).items()
        for each, selector in (
            [(EVENTS, f"involvedObject.name={_escaped(names[0])}"), (PREEMPTIONS, PREEMPTIONS.field_selector)]
            if len(names) == 1
            else [(resource, resource.field_selector) for resource in (EVENTS, *AUTOSCALER_EVENTS, PREEMPTIONS)]
        )
    )


def claim_events(claims: Iterable[tuple[str, str]]) -> tuple[Resource, ...]:
    """The lists that hold what was said about claims of these namespaces."""
    of_claims = "involvedObject.kind=PersistentVolumeClaim"
    namespaces = dict.fromkeys(namespace for namespace, _ in claims)
    return tuple(replace(EVENTS, namespace=each, field_selector=of_claims) for each in namespaces)


def failures_of(controllers: Iterable[tuple[str, str, str]]) -> Iterator[Resource]:
    """The lists that hold why these controllers, by kind, namespace and name, could not create a pod."""
    for kind, namespace, name in controllers:
        about = f"involvedObject.kind={kind},involvedObject.name={_escaped(name)}"
        yield replace(FAILURES, namespace=namespace, field_selector=f"{about},{FAILURES.field_selector}")


def _escaped(value: str) -> str:
    """A value in a field selector. Source: `fields.EscapeValue` of apimachinery."""
    return "".join(f"\\{letter}" if letter in "\\,=" else letter for letter in value)


def cluster_role() -> str:
    """The least that an account needs to read a cluster, as a manifest."""
    status, *of_karpenter = autoscaler_resources(has_node_pools=True)
    every = (*EVERYTHING, *queue_resources(), *of_karpenter)
    plurals_by_group = grouped({(resource.group, resource.plural): None for resource in every})
    rules = "".join(
        f'  - apiGroups: ["{group}"]\n    resources: [{", ".join(sorted(plurals))}]\n    verbs: [list]\n'
        for group, plurals in sorted(plurals_by_group.items())
    )
    return (
        "# The rights that kexplain needs: it lists objects, and changes nothing.\n"
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: kexplain\nrules:\n"
        f'{rules}  - apiGroups: [""]\n    resources: [{status.plural}]\n'
        f"    resourceNames: [{status.field_selector.partition('=')[2]}]\n    verbs: [list]\n"
        "  - nonResourceURLs: [/version]\n    verbs: [get]\n"
    )


def _group(api_version: str) -> str:
    group, slash, _ = api_version.partition("/")
    return group if slash else ""
