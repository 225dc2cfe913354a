"""What is asked of a live cluster: each kind, where an API server has it, and what is lost without it."""

from collections.abc import Collection

from msgspec import Struct
from msgspec.structs import replace

from kexplain.errors import UsageError
from kexplain.grouping import grouped
from kexplain.load.kindless_lists import plural_of
from kexplain.load.record_types import API_VERSIONS, other_versions, versions_of
from kexplain.objects.events import TELLING_REASONS, YUNIKORN, Event
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
        return self.versions[0].rpartition("/")[0]

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
#: What makes the pods of a workload that makes none itself.
_BETWEEN = {"CronJob": "Job", "Deployment": "ReplicaSet", "Rollout": "ReplicaSet"}
#: Of events that are no warnings, those that are telling. No field selector takes several reasons.
_BESIDE = (f"reportingComponent={YUNIKORN}", *(f"reason={each}" for each in TELLING_REASONS))
_SAID = Resource(Event, "what schedulers and controllers have said", field_selector="type=Warning")
EVENTS = (_SAID, *(replace(_SAID, field_selector=f"type=Normal,{each}") for each in _BESIDE))


def resources_of_others(groups: Collection[str] | None = None) -> tuple[Resource, ...]:
    """What is known of other projects, a kind and an API group each; if groups are given, of those."""
    # Few clusters tell of their autoscaler.
    from kexplain.objects.cluster_autoscaler import STATUS_NAME, STATUS_NAMESPACE, ConfigMap  # noqa: PLC0415

    purpose = "what queues, autoscalers and webhooks do about it"
    every = ((kind, each) for kind, versions in other_versions().items() for each in versions)
    by_group = grouped(((kind, each.rpartition("/")[0]), each) for kind, each in every).items()
    found = (
        Resource(kind, purpose, is_optional=True, of_versions=tuple(versions))
        for (kind, group), versions in by_group
        if groups is None or group in groups
    )
    name = f"metadata.name={STATUS_NAME}"
    status = Resource(ConfigMap, purpose, STATUS_NAMESPACE, name, is_optional=True)
    return tuple(status if each.record is ConfigMap else each for each in found)


def of_namespace(namespace: str, kinds: Collection[str]) -> tuple[Resource, ...]:
    """The pods of one namespace, and its workloads of these kinds with what stands between them and their pods."""
    wanted = {"Pod", *kinds, *(_BETWEEN[kind] for kind in kinds if kind in _BETWEEN)}
    return tuple(replace(each, namespace=namespace) for each in SCHEDULING if each.record.__name__ in wanted)


def cluster_role() -> str:
    """The least that an account needs to read a cluster, as a manifest."""
    # Only printing it needs this.
    import yaml  # noqa: PLC0415

    every = (*SCHEDULING, EVENTS[0], *resources_of_others())
    named = [(each, each.field_selector.partition("metadata.name=")[2]) for each in every]
    by_group = grouped(((each.group, name), each.plural) for each, name in named)
    rules = [
        {
            "apiGroups": [group],
            "resources": sorted({*plurals}),
            **({"resourceNames": [name]} if name else {}),
            "verbs": ["list"],
        }
        for (group, name), plurals in sorted(by_group.items())
    ]
    head = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "kexplain"}}
    role = {**head, "rules": [*rules, {"nonResourceURLs": ["/version"], "verbs": ["get"]}]}
    text = yaml.safe_dump(role, sort_keys=False, default_flow_style=None, width=1_000)
    return f"# The rights that kexplain needs: it lists objects, and changes nothing.\n{text}"
