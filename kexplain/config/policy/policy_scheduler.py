"""The scheduler that a Policy describes, as Kubernetes 1.22 and before read it.

Source: scheduler `factory.go` `createFromPolicy` and `framework/plugins/legacy_registry.go` of 1.22.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from kexplain.config.component.decoding import record_of, without
from kexplain.config.component.plugin_args import shape_points
from kexplain.config.component.plugin_sets import PluginRef, PluginSet, build_profile
from kexplain.config.component.removed_plugins import REMOVED_PLUGINS, NodeLabelArgs, ServiceAffinityArgs
from kexplain.config.policy.names import (
    API_VERSIONS,
    DEFAULT_PREDICATES,
    DEFAULT_PRIORITIES,
    EQUAL_PRIORITY,
    KIND,
    LABEL_PRESENCE,
    MANDATORY_PREDICATES,
    PLUGIN_BY_PRIORITY,
    PLUGINS_BY_PREDICATE,
    POLICY_OF_1_4,
    PREDICATE_ALIASES,
    PRIORITY_ALIASES,
    SELECTOR_SPREAD,
    SERVICE_AFFINITY,
)
from kexplain.config.policy.records import (
    Policy,
    PredicateArgument,
    PriorityArgument,
    PriorityPolicy,
    RequestedToCapacityRatioArguments,
)
from kexplain.config.policy.rules import broken_rules
from kexplain.config.releases.release import POLICY_RELEASE, behaving, behaviour_of
from kexplain.errors import InputError, fault_of
from kexplain.framework.extender import ExtenderConfig
from kexplain.framework.features import Features
from kexplain.framework.plugin import ExtensionPoint, Plugin, implements
from kexplain.framework.profile import Profile
from kexplain.load.text.plain_values import PlainDocument, read_plain
from kexplain.objects.json_values import found
from kexplain.objects.problem import Problem
from kexplain.objects.well_known import DEFAULT_SCHEDULER_NAME
from kexplain.plugins.inter_pod_affinity import InterPodAffinity
from kexplain.plugins.legacy.node_conditions import (
    DISK_PRESSURE,
    MEMORY_PRESSURE,
    PID_PRESSURE,
    CheckNodeCondition,
    PodToleratesNodeNoExecuteTaints,
)
from kexplain.plugins.legacy.node_resources_scorer import NodeResourcesScorer
from kexplain.plugins.non_csi_limits import DISK_KINDS, NonCSILimits
from kexplain.plugins.pod_topology_spread import PodTopologySpread
from kexplain.plugins.registry import IN_TREE_PLUGINS
from kexplain.plugins.resource_allocation import ResourceSpec
from kexplain.plugins.scoring_strategy import ScoringStrategy
from kexplain.scheduler.cycle import Scheduler

#: The key of a ConfigMap under which kube-scheduler looked for a Policy.
CONFIG_MAP_KEY = "policy.cfg"
_PRESSURE = (MEMORY_PRESSURE, DISK_PRESSURE, PID_PRESSURE)
_CONDITIONS: tuple[Plugin, ...] = (CheckNodeCondition(), *_PRESSURE, PodToleratesNodeNoExecuteTaints())
#: Stands for what Kubernetes 1.4 did without a Policy.
DEFAULT_1_4 = "default-1.4"


def read_policy(path: str, *, scheduler_name: str, max_volumes: int | None) -> Scheduler:
    """The scheduler of the Policy in a file, or in a ConfigMap there; `default-1.4` is one that needs no file.

    Raises InputError with everything that is wrong with it.
    """
    if path == DEFAULT_1_4:
        return scheduler_of_policy(POLICY_OF_1_4, scheduler_name=scheduler_name, max_volumes=max_volumes)
    document = _document(path)
    return scheduler_of_policy(
        document.value, scheduler_name=scheduler_name, max_volumes=max_volumes, document=document
    )


def _document(path: str) -> PlainDocument:
    documents = read_plain(path)
    if len(documents) != 1:
        raise fault_of(path, f"expected one {KIND}, found {len(documents)} documents")
    document = documents[0]
    if isinstance(document.value, dict) and document.value.get("kind") == "ConfigMap":
        data = document.value.get("data")
        if not isinstance(data, dict) or not isinstance(data.get(CONFIG_MAP_KEY), str):
            raise InputError([document.fault(("data",), f"has no {CONFIG_MAP_KEY} that holds a {KIND}")])
        return document.embedded(("data", CONFIG_MAP_KEY))
    return document


def scheduler_of_policy(
    value: object, *, scheduler_name: str = "", max_volumes: int | None = None, document: PlainDocument | None = None
) -> Scheduler:
    """The scheduler of a Policy, a plain value, which may be that of a document; `max_volumes` is KUBE_MAX_PD_VOLS.

    Raises InputError with everything that is wrong with it.
    """
    policy, fitting, misfits = _decoded(value)
    wrong = [each.path for each in misfits]
    misfits += [each for each in broken_rules(fitting) if not any(each.path[: len(path)] == path for path in wrong)]
    (document or PlainDocument(KIND, value)).refuse(misfits)
    behaviour = behaviour_of(POLICY_RELEASE)
    profile = _Making(policy, behaviour.features, max_volumes).profile(scheduler_name or DEFAULT_SCHEDULER_NAME)
    return behaving(Scheduler({profile.scheduler_name: profile}, extenders=policy.extenders), behaviour)


def _decoded(value: object) -> tuple[Policy, object, list[Problem]]:
    """The Policy, what of the value fits, and what does not."""
    if not isinstance(value, dict):
        return Policy(), {}, [Problem((), f"expected a {KIND}, found {found(value)}")]
    kind, version = value.get("kind"), value.get("apiVersion")
    if kind != KIND:
        return Policy(), {}, [Problem(("kind",), f'"{kind}" is not {KIND}' if kind else f"is needed: {KIND}")]
    misfits: list[Problem] = []
    if version not in API_VERSIONS:
        message = f'"{version}" is not {API_VERSIONS[0]}' if version else f"is needed: {API_VERSIONS[0]}"
        misfits.append(Problem(("apiVersion",), message))
    extenders = value.get("extenders")
    if isinstance(extenders, list):
        value = {**value, "extenders": [_extender(each) for each in extenders]}
    policy = record_of(value, Policy, (), misfits)
    return policy, without(value, [each.path for each in misfits]), misfits


def _extender(value: object) -> object:
    """An extender as later configurations spell it: fields in any case before, and the timeout in nanoseconds."""
    if not isinstance(value, dict):
        return value
    spelling = {field.encode_name.lower(): field.encode_name for field in fields(ExtenderConfig)}
    spelled = {spelling.get(str(name).lower(), name): inner for name, inner in value.items()}
    timeout = spelled.get("httpTimeout")
    if isinstance(timeout, int) and not isinstance(timeout, bool):
        spelled["httpTimeout"] = f"{timeout}ns"
    return spelled


def _unchanged(plugin: Plugin, _: Features) -> Plugin:
    """A plugin that no release has otherwise."""
    return plugin


class _Making(Struct, frozen=True):
    """A Policy that keeps all rules, on its way to a profile."""

    policy: Policy
    features: Features
    max_volumes: int | None

    def profile(self, scheduler_name: str) -> Profile:
        """The plugins at each point; PrioritySort, DefaultPreemption and DefaultBinder were never named."""
        filters = list(dict.fromkeys(self._filters()))
        binding = PluginSet(tuple(PluginRef(name) for name in filters if name == "VolumeBinding"))
        makers = self._makers()

        def make(name: str) -> Plugin:
            return makers[name](self.features)

        def prepared(names: Iterable[str], point: ExtensionPoint) -> PluginSet:
            """What is named at filter or score is prepared for that."""
            return PluginSet(tuple(PluginRef(name) for name in names if implements(make(name), point)))

        sets: dict[str, PluginSet] = {
            ExtensionPoint.QUEUE_SORT: PluginSet((PluginRef("PrioritySort"),)),
            ExtensionPoint.PRE_FILTER: prepared(filters, ExtensionPoint.PRE_FILTER),
            ExtensionPoint.FILTER: PluginSet(tuple(PluginRef(name) for name in filters)),
            ExtensionPoint.POST_FILTER: PluginSet((PluginRef("DefaultPreemption"),)),
            ExtensionPoint.PRE_SCORE: prepared(self._scores(), ExtensionPoint.PRE_SCORE),
            ExtensionPoint.SCORE: PluginSet(tuple(PluginRef(name, weight) for name, weight in self._scores().items())),
            ExtensionPoint.RESERVE: binding,
            ExtensionPoint.PRE_BIND: binding,
            ExtensionPoint.BIND: PluginSet((PluginRef("DefaultBinder"),)),
        }
        arguments, runs_all = self._arguments({*filters, *self._scores()}), self.policy.always_check_all_predicates
        return build_profile(sets, make, scheduler_name=scheduler_name, arguments=arguments, runs_all_filters=runs_all)

    def _arguments(self, enabled: Container[str]) -> dict[str, Any]:
        """What the Policy gives its plugins, as a configuration would spell it."""
        ratio = self._ratio_args()
        given: dict[str, Any] = {
            "NodeLabel": msgspec.to_builtins(self._label_args()),
            "ServiceAffinity": msgspec.to_builtins(self._service_args()),
            "RequestedToCapacityRatio": {
                "shape": [{"utilization": point.utilization, "score": point.score} for point in ratio.shape],
                "resources": [{"name": each.name, "weight": each.weight} for each in ratio.resources],
            },
            "InterPodAffinity": {"hardPodAffinityWeight": self._hard_weight},
        }
        return {name: args for name, args in given.items() if name in enabled}

    def _filters(self) -> Iterable[str]:
        """The plugins of all predicates, in the order of these; some come more than once."""
        named = DEFAULT_PREDICATES if self.policy.predicates is None else self._predicates()
        for predicate, plugins in PLUGINS_BY_PREDICATE.items():
            if predicate in named or predicate in MANDATORY_PREDICATES:
                yield from plugins

    def _predicates(self) -> set[str]:
        names = set()
        for predicate in self.policy.predicates or ():
            name = PREDICATE_ALIASES.get(predicate.name, predicate.name)
            if name in PLUGINS_BY_PREDICATE:
                names.add(name)
            elif predicate.argument is not None:
                names.add(LABEL_PRESENCE if predicate.argument.labels_presence else SERVICE_AFFINITY)
        return names

    def _scores(self) -> dict[str, int]:
        """The weights by plugin, in the order of the priorities' names; of two for one plugin the first counts."""
        weights = self._priorities()
        label, service = self._label_args(), self._service_args()
        shares = {
            "NodeLabel": len(label.present_labels_preference) + len(label.absent_labels_preference),
            "ServiceAffinity": len(service.anti_affinity_labels_preference),
        }
        by_plugin: dict[str, int] = {}
        for priority in sorted(weights):
            plugin = PLUGIN_BY_PRIORITY[priority]
            by_plugin.setdefault(plugin, weights[priority] * shares.get(plugin, 1))
        return by_plugin

    def _priorities(self) -> Mapping[str, int]:
        """The weights by priority; of one that is named twice the last counts."""
        if self.policy.priorities is None:
            return DEFAULT_PRIORITIES
        own = (each for each in self.policy.priorities if each.name != EQUAL_PRIORITY)
        return {_priority_name(each): each.weight for each in own}

    def _makers(self) -> Mapping[str, Callable[[Features], Plugin]]:
        """How plugins are made, those of a Policy and others."""
        return {
            **IN_TREE_PLUGINS,
            **REMOVED_PLUGINS,
            **{name: partial(NonCSILimits, name, max_volumes=self.max_volumes) for name in DISK_KINDS},
            **{plugin.name: partial(_unchanged, plugin) for plugin in _CONDITIONS},
            "NodeLabel": self._label_args().plugin,
            "ServiceAffinity": self._service_args().plugin,
            "InterPodAffinity": lambda features: InterPodAffinity(self._hard_weight, features=features),
            "PodTopologySpread": self._topology_spread,
            "RequestedToCapacityRatio": self._ratio,
        }

    def _topology_spread(self, features: Features) -> Plugin:
        """With SelectorSpreadPriority, pods are spread by default; with EvenPodsSpreadPriority alone they are not."""
        priorities = self._priorities()
        is_listed = "EvenPodsSpreadPriority" in priorities and SELECTOR_SPREAD not in priorities
        return PodTopologySpread(features, () if is_listed else None)

    def _label_args(self) -> NodeLabelArgs:
        predicates = [each.labels_presence for each in self._own_predicates() if each.labels_presence]
        preferences = [each.label_preference for each in self._own_priorities() if each.label_preference]
        return NodeLabelArgs(
            present_labels=tuple(key for each in predicates if each.presence for key in each.labels),
            absent_labels=tuple(key for each in predicates if not each.presence for key in each.labels),
            present_labels_preference=tuple(each.label for each in preferences if each.presence),
            absent_labels_preference=tuple(each.label for each in preferences if not each.presence),
        )

    def _service_args(self) -> ServiceAffinityArgs:
        predicates = [each.service_affinity for each in self._own_predicates() if each.service_affinity]
        spread = [each.service_anti_affinity for each in self._own_priorities() if each.service_anti_affinity]
        labels = tuple(key for each in predicates for key in each.labels)
        return ServiceAffinityArgs(
            affinity_labels=labels, anti_affinity_labels_preference=tuple(each.label for each in spread)
        )

    def _ratio(self, _: Features) -> Plugin:
        """Without resources, every node scores nothing: there is no default here."""
        ratio = self._ratio_args()
        resources = tuple(ResourceSpec(each.name, each.weight) for each in ratio.resources)
        strategy = ScoringStrategy("RequestedToCapacityRatio", resources, shape_points(ratio.shape))
        return NodeResourcesScorer(strategy)

    def _ratio_args(self) -> RequestedToCapacityRatioArguments:
        every = (each.requested_to_capacity_ratio_arguments for each in self._own_priorities())
        return next((each for each in every if each), RequestedToCapacityRatioArguments())

    @property
    def _hard_weight(self) -> int:
        """What a required affinity of the pods there counts for; a Policy cannot make that nothing."""
        return self.policy.hard_pod_affinity_symmetric_weight or 1

    def _own_predicates(self) -> list[PredicateArgument]:
        """The arguments of predicates that are not known by their names."""
        own = (each for each in self.policy.predicates or () if each.name not in PLUGINS_BY_PREDICATE)
        return [each.argument for each in own if each.argument]

    def _own_priorities(self) -> list[PriorityArgument]:
        """The arguments of priorities that are not known by their names."""
        named = ((each.name, each.argument) for each in self.policy.priorities or () if each.argument)
        return [argument for name, argument in named if PRIORITY_ALIASES.get(name, name) not in PLUGIN_BY_PRIORITY]


def _priority_name(priority: PriorityPolicy) -> str:
    name = PRIORITY_ALIASES.get(priority.name, priority.name)
    if name in PLUGIN_BY_PRIORITY or priority.argument is None:
        return name
    if priority.argument.service_anti_affinity:
        return "ServiceAffinity"
    return "NodeLabel" if priority.argument.label_preference else "RequestedToCapacityRatio"
