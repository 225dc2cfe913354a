"""What is published of a difference: which verdicts change, which nodes change rank, and what moved them."""

from kexplain.diagnosis.records import Hold
from kexplain.explain.group_records import SchedulingGroup
from kexplain.explain.output import Output
from kexplain.explain.records import Document, Verdict
from kexplain.explanation.records import PodReference
from kexplain.framework.trace import Outcome
from kexplain.report.cluster_changes import ClusterChange
from kexplain.report.cluster_figures import ComparedFigures
from kexplain.report.groups import GroupWorkload
from kexplain.report.release_changes import ReleaseChange
from kexplain.report.scheduler_changes import SettingChange

VERDICT = "verdict"
NODE = "node"
RANK = "rank"
NODES = "nodes"
MESSAGE = "message"


class Side(Output, frozen=True):
    """What one of the two reports was made with; `settings` are the options that say so."""

    kubernetes_version: str
    settings: tuple[str, ...] = ()


class Standing(Output, frozen=True):
    """How the pod fared; `node` is the one it lands on, one of `best` drawn at random.

    One that is `running` has that node already, and was not placed, or another, and was placed anew; `held` says why it
    does not run there after all.
    One that preempts `evicts` others, for all pods of its group if it has one; any of the `nominees` may be nominated,
    the first of which is the `nominated_node`.
    """

    outcome: Outcome
    message: str = ""
    node: str = ""
    best: tuple[str, ...] = ()
    total: int | None = None
    feasible: int = 0
    running: bool = False
    held: Hold | None = None
    nominated_node: str = ""
    nominees: tuple[str, ...] = ()
    evicts: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """The outcome in a word; a pod that runs has none here."""
        return "Running" if self.running else self.outcome


class PluginShift(Output, frozen=True):
    """A plugin's part in a change.

    By how many points it moved the node that is best afterwards against the one that was best before, or a node
    against itself; `before` and `after` are the weighted points, None where it does not score.
    """

    plugin: str
    points: int
    before: int | None = None
    after: int | None = None

    def __str__(self) -> str:
        return f"{self.plugin} {self.points:+d}"


class NodeStanding(Output, frozen=True):
    """How one node fared: what stopped it, or its rank among those that fit; Absent where there is no such node."""

    verdict: Verdict
    stopped_by: str = ""
    detail: str = ""
    rank: int | None = None
    total: int | None = None


class NodeDifference(Output, frozen=True):
    """A node that fared otherwise, and the plugins whose points for it changed."""

    node: str
    before: NodeStanding
    after: NodeStanding
    moved_by: tuple[PluginShift, ...] = ()


class PodDifference(Output, frozen=True):
    """A pod on both sides.

    `changed` names what is different: `verdict` (the outcome, or whom it evicts), `node` (the set of best nodes, or of
    nominees), `rank` (the order of the others), `nodes` (what fits, or what stopped a node), `message`; empty if all is
    the same. `moved_by` are the plugins that made another node the best one, the strongest first.
    """

    pod: PodReference
    changed: tuple[str, ...]
    before: Standing
    after: Standing
    moved_by: tuple[PluginShift, ...] = ()
    #: The first of the `changed_nodes`.
    nodes: tuple[NodeDifference, ...] = ()
    changed_nodes: int = 0
    #: Where it runs, if it was taken out to be placed anew.
    runs_on: str = ""
    #: Pods that came before it in the queue and took other nodes, by `namespace/name`: part of the change is theirs.
    moved_before: tuple[str, ...] = ()
    #: What has changed in the cluster, and by itself gives the pod another verdict.
    because: tuple[ClusterChange, ...] = ()
    #: The group that it is scheduled with on either side, by `namespace/name`.
    scheduling_group: str = ""
    #: The place in `pods` of one of the same workload that changes alike and says by what, if it is not said here.
    same_as: int | None = None


class GroupDifference(Output, frozen=True):
    """A group, by `namespace/name`, on both sides; null on one that places its pods each by itself."""

    scheduling_group: str
    before: SchedulingGroup | None = None
    after: SchedulingGroup | None = None


class DifferenceReport(Document, frozen=True, kw_only=True):
    """All pods that both sides were asked about."""

    kind: str = "Difference"
    before: Side
    after: Side
    #: How the schedulers of the two sides are built otherwise.
    scheduler_changes: tuple[SettingChange, ...] = ()
    pods: tuple[PodDifference, ...]
    #: How many pods of each workload fare the same and are not among the `pods`, where what is alike is said once.
    unchanged: tuple[GroupWorkload, ...] = ()
    #: The groups that pods are scheduled with on either side, each as a whole.
    scheduling_groups: tuple[GroupDifference, ...] = ()
    notes: tuple[str, ...] = ()
    #: What differs between the releases of the two sides, and touches an object of the cluster.
    releases: tuple[ReleaseChange, ...] = ()
    #: Both clusters once the pods are placed, if asked for.
    figures: ComparedFigures | None = None
    #: How many objects of each kind came, went or changed between two times, if these are compared.
    since: dict[str, int] | None = None
