"""The extension points, a Protocol each. Source: kube-scheduler `framework` interfaces.

A plugin implements only what it needs and gets its arguments in its constructor. What PreFilter and PreScore
work out is handed back to the plugin that made it, so state is typed and never looked up by name.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeGuard, TypeVar

from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo, PodInfo
from kexplain.framework.evidence import Evidence
from kexplain.framework.postfilter import PostFiltered
from kexplain.framework.signing import SignPlugin
from kexplain.framework.status import Column, Rejections, Status
from kexplain.objects.core import GroupName, Pod
from kexplain.tables import table

if TYPE_CHECKING:
    from kexplain.framework.post_filtering import PostFilterHandle

MAX_NODE_SCORE = 100

State = TypeVar("State")


class ExtensionPoint(StrEnum):
    """Where plugins take part, spelled as in a configuration, in the order in which a pod passes them."""

    PRE_ENQUEUE = "preEnqueue"
    QUEUE_SORT = "queueSort"
    PRE_FILTER = "preFilter"
    FILTER = "filter"
    POST_FILTER = "postFilter"
    PRE_SCORE = "preScore"
    SCORE = "score"
    RESERVE = "reserve"
    PERMIT = "permit"
    PRE_BIND = "preBind"
    BIND = "bind"
    POST_BIND = "postBind"
    #: Only groups of pods pass these, before their pods are tried and behind.
    PLACEMENT_GENERATE = "placementGenerate"
    PLACEMENT_SCORE = "placementScore"
    PLACEMENT_FEASIBLE = "placementFeasible"

    @property
    def title_case(self) -> str:
        """As messages spell it: PreBind."""
        return self.value[0].upper() + self.value[1:]


class Skip:
    """The plugin has nothing to do for this pod: what follows PreFilter or PreScore is left out."""

    def __repr__(self) -> str:
        return "SKIP"


SKIP = Skip()


class PreFiltered(Struct, Generic[State], frozen=True):
    """PreFilter's state, and the only nodes that can fit where the plugin knows them already.

    `exclusion` is the evidence against one of the others, for the trace.
    """

    state: State
    node_names: frozenset[str] | None = None
    exclusion: Callable[[NodeInfo], Evidence] | None = None


class Plugin(Protocol):
    """Anything with a name of its own."""

    @property
    def name(self) -> str:
        """The name that upstream gives it."""


class PreEnqueuePlugin(Plugin, Protocol):
    """Decides whether a pod may be queued at all."""

    def pre_enqueue(self, pod: Pod, cluster: Cluster) -> Status | None:
        """None if the pod may be queued."""


class QueueSortPlugin(Plugin, Protocol):
    """Orders the queue of pods that wait to be tried."""

    def sort_key(self, pod: Pod) -> int:
        """Pods with lower keys go first, equal ones in the order in which they came."""


class PreFilterPlugin(Plugin, Protocol):
    """Works out once what `filter` needs.

    Where that has not run, as a profile can name the plugin at filter only, and some releases try preemption after a
    rejection at PreFilter, `filter` goes by what `pre_filtering.filter_unprepared` says.
    """

    def pre_filter(self, pod: Pod, cluster: Cluster) -> PreFiltered[Any] | Skip | Status:
        """State for `filter`, SKIP, or a verdict on the whole cluster."""


class PreFilterExtensions(Plugin, Protocol):
    """For plugins whose PreFilter state depends on which pods run where."""

    @property
    def missing_state(self) -> str:
        """The error where the state is not there; empty if upstream can do without."""

    def clone(self, state: Any) -> Any:
        """A copy of the state that `count_pod` may change."""

    def count_pod(self, pod: Pod, state: Any, other: PodInfo, node_info: NodeInfo, change: int) -> None:
        """Bring the state to what it would be with that other pod on that node, by a change of 1; by -1, without."""


class FilterPlugin(Plugin, Protocol):
    """Decides whether a pod fits on a node."""

    def filter(self, pod: Pod, state: Any, node_info: NodeInfo) -> Status | None:
        """None if the pod fits. `state` is what `pre_filter` made, None for plugins without."""


class NodeByNodeFilter(SignPlugin, Protocol):
    """A FilterPlugin whose verdict depends on nothing but the node, the pods on it, and its signature of the pod.

    So it stands for every pod of the same signature, until the node changes, or a pod comes there or leaves.
    """

    @property
    def filters_by_pods_there(self) -> bool:
        """Whether it looks at the pods on the node, too; else at the node alone."""


class WholesaleFilter(NodeByNodeFilter, Protocol):
    """One that can judge all nodes in one go, which is quicker than one by one."""

    def filter_all(self, pod: Pod, state: Any, cluster: Cluster) -> Column | None:
        """What it says of each node; None if it has to be asked one by one."""


class SelectiveFilter(Plugin, Protocol):
    """A FilterPlugin that may know which nodes it can object to, so that it need not be asked about the others."""

    def suspects(self, state: Any, cluster: Cluster) -> Collection[str] | None:
        """The names of all nodes that it may object to; None if it has to be asked about every node."""

    def rejections(self, state: Any, cluster: Cluster) -> Rejections | None:
        """Its objections, of use until the next pod is asked about; None if it has to be asked.

        For plugins that bring them along from one pod to the next, where few have changed in between.
        """


class PostFilterPlugin(Plugin, Protocol):
    """Is asked for a way out once no node fits."""

    def post_filter(self, pod: Pod, handle: "PostFilterHandle") -> PostFiltered:
        """What was found, or why nothing was."""


class ReservePlugin(Plugin, Protocol):
    """Takes something for the pod once its node is chosen, so that the next pod sees it taken."""

    def reserve(self, pod: Pod, state: Any, cluster: Cluster, node_name: str) -> Cluster:
        """The cluster with what the pod takes taken; `state` is what `pre_filter` made."""


class PermitPlugin(Plugin, Protocol):
    """Has the last word before a pod is bound."""

    def permit(self, pod: Pod, cluster: Cluster) -> Status | None:
        """None if the pod may be bound, which has its node in that cluster; a Status of WAIT lets it wait there."""


class PlacementFeasiblePlugin(Plugin, Protocol):
    """Says while a group of pods is tried whether it can still run."""

    def feasible(self, name: GroupName, cluster: Cluster, scheduled: int, remaining: int) -> Status | None:
        """None if it can run with so many of its pods on nodes, WAIT if it may with the rest; a rejection ends it."""


class Placement(Struct, frozen=True):
    """Some nodes, under the name of what they have in common; of all nodes there is one without a name.

    Once a group was tried there, `pods` are those that get one of them, or would once others have left.
    """

    name: str
    node_names: tuple[str, ...]
    pods: tuple[Pod, ...] = ()


class PlacementGeneratePlugin(Plugin, Protocol):
    """Says among which nodes a group of pods may be placed together."""

    def placements(self, name: GroupName, cluster: Cluster) -> Sequence[Placement] | Status:
        """The sets of nodes to try, of which there may be none."""


class PlacementScorePlugin(Plugin, Protocol):
    """Ranks placements that a group can run in."""

    def score_placement(self, name: GroupName, cluster: Cluster, placed: Placement) -> int:
        """The raw score of a placement in which these pods of the group get a node; the cluster is without them."""

    def normalize_placements(self, scores: Sequence[int]) -> Sequence[int] | Status:
        """The scores in the range 0 to 100, in the same order."""


class AllocatedDevice(Struct, frozen=True, rename="camel"):
    """A device (`driver/pool/device`) that a request of a claim is given; without a claim, an extended resource."""

    claim: str
    request: str
    device: str


class BindingStep(Struct, frozen=True):
    """Something that would be done at an extension point behind the decision, and the devices that it allocates.

    Where the API server would refuse what PreBind writes, `failure` is what comes of it once the pod has its node.
    """

    extension_point: ExtensionPoint
    action: str
    devices: tuple[AllocatedDevice, ...] = ()
    failure: str = ""


class BindingPlugin(Plugin, Protocol):
    """Has a part in binding the pod; nothing of it is done here."""

    @property
    def binding_points(self) -> tuple[ExtensionPoint, ...]:
        """Where it takes part: some of Reserve, Permit, PreBind, Bind and PostBind."""

    def binding_steps(self, pod: Pod, state: Any, cluster: Cluster, node_name: str) -> Iterable[BindingStep]:
        """What it would do for the pod on that node; `state` is what `pre_filter` made, None if it skipped."""


class NotEvaluatedPlugin(Plugin, Protocol):
    """Keeps its place in the profile, but cannot decide every pod."""

    def not_evaluated(self, pod: Pod) -> str | None:
        """What of this pod would have to be looked at, in words; None if the verdict is complete."""


class PreScorePlugin(Plugin, Protocol):
    """Works out once what `score` needs; where the profile does not name it there, see `scoring.score_unprepared`."""

    def pre_score(self, pod: Pod, cluster: Cluster, node_infos: Sequence[NodeInfo]) -> Any:
        """State for `score`, SKIP, or an error. `node_infos` are the feasible nodes in the order found."""


class ScorePlugin(Plugin, Protocol):
    """Ranks nodes, by points from 0 to 100 once they are normalized."""

    def score(self, pod: Pod, state: Any, node_info: NodeInfo) -> int:
        """The raw score. `state` is what `pre_score` made, or `pre_filter` for plugins without; else None.

        Raises ScoreError where upstream fails.
        """


class NodeByNodeScore(SignPlugin, Protocol):
    """A ScorePlugin whose raw score may depend on nothing but the node, the pods there, and its signature of pods."""

    def scores_node_by_node(self, state: Any) -> bool:
        """Whether that is so for this state, which is that of `score`."""


class WholesaleScore(NodeByNodeScore, Protocol):
    """One that can score many nodes in one go, which is quicker than one by one."""

    def score_all(self, pod: Pod, state: Any, node_infos: Sequence[NodeInfo]) -> Sequence[int] | None:
        """The raw score of each of these nodes; None if it has to be asked one by one."""


class ScoreTerm(Struct, frozen=True, rename="camel"):
    """What one resource adds to a node's score.

    `requested` includes the pod; `utilization` is in percent, cut off. What is not `counted` does not weigh either: the
    node has none of it, or the pod asks for none.
    """

    resource: str
    requested: int
    allocatable: int
    utilization: int
    score: int
    weight: int
    counted: bool


class ScoreTerms(Struct, frozen=True):
    """How a raw score comes about: the mean of its terms by weight, rounded or cut off as the strategy does.

    The points of a term lie on the `shape` of such a strategy: utilizations, and the points there. Where it is no mean,
    the `working` says it in one line, with the normalized score.
    """

    strategy: str = ""
    terms: tuple[ScoreTerm, ...] = ()
    working: str = ""
    shape: tuple[tuple[int, int], ...] = ()


class ScoreExplainer(Plugin, Protocol):
    """A ScorePlugin that can say how it comes by a score; asked only for nodes that are shown."""

    def score_terms(self, pod: Pod, state: Any, node_info: NodeInfo) -> ScoreTerms:
        """The terms of `score`, for the same state."""


class ScoreWorker(Plugin, Protocol):
    """A ScorePlugin that can say in a line how it comes by a raw and a normalized score."""

    def working(self, state: Any, node_info: NodeInfo, raw: Mapping[str, int]) -> str:
        """The line for one node, for the same state, with the raw scores of all nodes; empty if it says nothing."""


class NormalizeScorePlugin(Plugin, Protocol):
    """Brings raw scores into the range 0 to 100."""

    def normalize(self, state: Any, scores: Mapping[str, int]) -> dict[str, int]:
        """The normalized scores by node name, in the same order; `state` is that of `score`."""


#: By extension point, the method that a plugin has there. To ask for a Protocol would take much longer.
_METHODS = table("plugin-methods", dict[ExtensionPoint, str])


def points_left_out(**takes_part: bool) -> tuple[ExtensionPoint, ...]:
    """Of some extension points, by whether upstream's plugin takes part there in a release, those where it does not."""
    return tuple(ExtensionPoint(point) for point, is_there in takes_part.items() if not is_there)


def implements(plugin: Plugin, point: ExtensionPoint) -> bool:
    """Whether kube-scheduler's plugin has something to do at that point.

    At the points `also_at` nothing is decided here; at those `not_at` this one prepares what upstream does later.
    """
    is_left_out = point in getattr(plugin, "not_at", ())
    return point in getattr(plugin, "also_at", ()) or (runs_at(plugin, point) and not is_left_out)


def runs_at(plugin: Plugin, point: ExtensionPoint) -> bool:
    """Whether the plugin has something to do at that point here."""
    method = _METHODS.get(point)
    return hasattr(plugin, method) if method else point in getattr(plugin, "binding_points", ())


Offered = TypeVar("Offered")


@cache
def _members(protocol: object) -> tuple[str, ...]:
    return tuple(name for name in dir(protocol) if not name.startswith("_"))


def offers(plugin: object, protocol: type[Offered]) -> TypeGuard[Offered]:
    """Whether the plugin has all that the protocol asks for, as `isinstance` would find out much more slowly."""
    asked: object = protocol
    return all(hasattr(plugin, name) for name in _members(asked))


def offering(plugins: Iterable[object], protocol: type[Offered]) -> tuple[Offered, ...]:
    """Those of the plugins that offer it, in their order."""
    return tuple(plugin for plugin in plugins if offers(plugin, protocol))


def normalize_to_maximum(scores: Mapping[str, int], *, reverse: bool = False) -> dict[str, int]:
    """Scores as shares of the highest, or what is left to it. Source: `helper.DefaultNormalizeScore`."""
    highest = max(scores.values(), default=0)
    if highest <= 0:
        return dict.fromkeys(scores, MAX_NODE_SCORE) if reverse else dict(scores)
    shares = {name: MAX_NODE_SCORE * score // highest for name, score in scores.items()}
    return {name: MAX_NODE_SCORE - share for name, share in shares.items()} if reverse else shares


def share_of_maximum(score: int, raw: Mapping[str, int], *, reverse: bool = False) -> str:
    """How `normalize_to_maximum` comes by a score."""
    highest = max(raw.values(), default=0)
    if highest <= 0:
        return f"no node has more, so {MAX_NODE_SCORE if reverse else score}"
    share = MAX_NODE_SCORE * score // highest
    said = f"{MAX_NODE_SCORE} × {score} / {highest}"
    return f"{MAX_NODE_SCORE} − {said} = {MAX_NODE_SCORE - share}" if reverse else f"{said} = {share}"
