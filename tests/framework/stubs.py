"""Plugins that answer what they are told to, and write down when they were asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from kexplain.cluster import Cluster, NodeInfo, PodInfo
from kexplain.framework.plugin import ExtensionPoint, Plugin, PreFiltered, Skip, implements
from kexplain.framework.post_filtering import PostFilterHandle
from kexplain.framework.postfilter import PostFiltered
from kexplain.framework.profile import Profile
from kexplain.framework.signing import Signature
from kexplain.framework.status import Status
from kexplain.objects.core import Pod
from kexplain.plugins.priority_sort import PrioritySort


@dataclass
class PreFilters:
    """A plugin that only has a PreFilter."""

    name: str
    answer: PreFiltered[Any] | Skip | Status
    calls: list[str] = field(default_factory=list)

    def pre_filter(self, pod: Pod, cluster: Cluster) -> PreFiltered[Any] | Skip | Status:
        self.calls.append(self.name)
        return self.answer


@dataclass
class Filters:
    """A plugin that only filters: rejects the nodes that are named."""

    name: str
    rejected: Mapping[str, Status] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)

    def filter(self, pod: Pod, state: Any, node_info: NodeInfo) -> Status | None:
        self.calls.append(f"{self.name}:{node_info.name}")
        return self.rejected.get(node_info.name)


@dataclass(eq=False)
class NodeByNode(Filters):
    """The same, of which nothing but the node and the pod's priority bears on the verdict."""

    __hash__ = object.__hash__
    filters_by_pods_there = True

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        return Signature(pod.priority)


@dataclass(eq=False)
class NodeByNodeScores:
    """A plugin that only scores, by nothing but the node and the key; by more without one."""

    name: str
    scores: Mapping[str, int]
    calls: list[str] = field(default_factory=list)
    key: str | None = ""

    def sign(self, pod: Pod, cluster: Cluster) -> Signature:
        return Signature(self.key)

    def scores_node_by_node(self, state: Any) -> bool:
        return self.key is not None

    def score(self, pod: Pod, state: Any, node_info: NodeInfo) -> int:
        self.calls.append(node_info.name)
        return self.scores[node_info.name]


@dataclass
class Both(PreFilters):
    """A plugin that filters by what its PreFilter gave it."""

    states: list[Any] = field(default_factory=list)
    rejected: Mapping[str, Status] = field(default_factory=dict)

    def filter(self, pod: Pod, state: Any, node_info: NodeInfo) -> Status | None:
        self.states.append(state)
        return self.rejected.get(node_info.name)


@dataclass
class Counts:
    """A plugin whose state is the pods on each node, and which rejects a node that has the pod named `unwanted`."""

    rejection: Status
    name: str = "Counts"
    missing_state: str = "no state of Counts"

    def pre_filter(self, pod: Pod, cluster: Cluster) -> PreFiltered[dict[str, list[str]]]:
        return PreFiltered({info.name: [each.pod.name for each in info.pods] for info in cluster.node_infos})

    def clone(self, state: dict[str, list[str]]) -> dict[str, list[str]]:
        return {name: list(pods) for name, pods in state.items()}

    def count_pod(
        self, pod: Pod, state: dict[str, list[str]], other: PodInfo, node_info: NodeInfo, change: int
    ) -> None:
        names = state[node_info.name]
        names.append(other.pod.name) if change > 0 else names.remove(other.pod.name)

    def filter(self, pod: Pod, state: dict[str, list[str]], node_info: NodeInfo) -> Status | None:
        # The state and the node must tell the same story at all times.
        assert sorted(state[node_info.name]) == sorted(each.pod.name for each in node_info.pods)
        return self.rejection if "unwanted" in state[node_info.name] else None


@dataclass
class PostFilters:
    """A plugin that only has a PostFilter."""

    name: str
    answer: PostFiltered
    calls: list[str] = field(default_factory=list)

    def post_filter(self, pod: Pod, handle: PostFilterHandle) -> PostFiltered:
        self.calls.append(self.name)
        return self.answer


@dataclass
class Scores:
    """A plugin that only scores; nodes that are not named score 0."""

    name: str
    by_node: Mapping[str, int]

    def score(self, pod: Pod, state: Any, node_info: NodeInfo) -> int:
        return self.by_node.get(node_info.name, 0)


@dataclass
class PreScores(Scores):
    """A plugin that prepares for scoring, and adds what it prepared to each score; normalizing doubles."""

    prepared: Any = 0
    seen: list[str] = field(default_factory=list)

    def pre_score(self, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]) -> Any:
        self.seen += [info.name for info in node_infos]
        return self.prepared

    def score(self, pod: Pod, state: Any, node_info: NodeInfo) -> int:
        return super().score(pod, state, node_info) + int(state)

    def normalize(self, state: Any, scores: Mapping[str, int]) -> dict[str, int]:
        return {name: 2 * score for name, score in scores.items()}


@dataclass
class Breaks:
    """A plugin that fails wherever it is asked."""

    name: str = "Breaks"

    def pre_filter(self, pod: Pod, cluster: Cluster) -> PreFiltered[None]:
        raise ZeroDivisionError("pre-filter")


@dataclass
class BreaksInFilter:
    """A plugin that fails when it filters."""

    name: str = "BreaksInFilter"

    def filter(self, pod: Pod, state: Any, node_info: NodeInfo) -> None:
        raise ZeroDivisionError("filter")


@dataclass
class BreaksInPostFilter:
    """A plugin that fails when asked for a way out."""

    fault: Exception
    name: str = "BreaksInPostFilter"

    def post_filter(self, pod: Pod, handle: PostFilterHandle) -> PostFiltered:
        raise self.fault


@dataclass
class BreaksInPreScore:
    """A plugin that fails before it scores."""

    name: str = "BreaksInPreScore"

    def pre_score(self, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]) -> None:
        raise ZeroDivisionError("pre-score")


@dataclass
class BreaksInScore:
    """A plugin that fails when it scores."""

    name: str = "BreaksInScore"

    def score(self, pod: Pod, state: Any, node_info: NodeInfo) -> int:
        raise ZeroDivisionError("score")


def profile(*plugins: Plugin, weights: dict[str, int] | None = None, percentage: int | None = None) -> Profile:
    """A profile of these plugins and the usual queue order."""
    return replace(profile_of([PrioritySort(), *plugins], weights), percentage_of_nodes_to_score=percentage)


def profile_of(plugins: Sequence[Plugin], weights: dict[str, int] | None = None) -> Profile:
    """The profile of plugins that run at every extension point they implement, in this order."""
    by_point = {point: [plugin for plugin in plugins if implements(plugin, point)] for point in ExtensionPoint}
    return Profile.at(by_point, weights or {}, weights or {})
