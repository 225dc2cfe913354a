"""Scenarios of scheduling: every decision, made by the public API, is compared with the recorded one."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import UNSET, Raw
from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.config.component.configured_scheduler import scheduler_from
from kexplain.config.policy.policy_scheduler import scheduler_of_policy
from kexplain.config.releases.release import POLICY_RELEASE, behaviour_of
from kexplain.config.scheduler_settings import SchedulerSettings, build_scheduler
from kexplain.errors import KexplainError
from kexplain.framework.plugin import PreFiltered, Skip
from kexplain.framework.postfilter import PostFiltered
from kexplain.framework.profile import Profile
from kexplain.framework.status import Code, Status
from kexplain.framework.trace import Decision, NodeScore
from kexplain.framework.traits import release_key
from kexplain.load import load
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.scheduler.cycle import Scheduler

from .corpora import Area, Corpus, Kind
from .scenario import RecordedCandidate, RecordedPreemption, RecordedScore, RecordedStatus, Result, Scenario
from .stand_in import without_stand_in_errors
from .tally import Case, Tally

#: What upstream says where a selector fails, and what its CEL engine adds.
_ENGINE_ERROR = re.compile(r"(CEL (?:compile|runtime) error: ).*", re.DOTALL)
_SAMPLING = ("startNodeIndex", "nextStartNodeIndex", "numFeasibleNodesToFind", "evaluatedNodes")
_PREEMPTION = tuple(f"preemption.{name}" for name in ("candidates", "best", "status", "nodeStatus"))
#: What these corpora leave out for size or since the release had no way to ask; elsewhere absent is empty.
_NOT_RECORDED_IN_SAMPLING = frozenset({"preFilter", "matrix"})
#: Up to 1.26, what PostFilter returned did not say who had returned it.
_BLAMES_POST_FILTER = (1, 27)
_NOT_RECORDED_OF_POLICIES = frozenset({"scorePlugins", *_SAMPLING, "preFilter", "matrix", *_PREEMPTION})


def run(area: Area, tally: Tally) -> None:
    """Decide every scenario anew and count what is as recorded. Raises CorpusError."""
    for scenario in area.rows(Scenario):
        _run(area.corpus, scenario, tally)


def _run(corpus: Corpus, scenario: Scenario, tally: Tally) -> None:
    try:
        replay = _Replay(corpus, scenario)
    except Exception:  # A scenario that cannot even begin fails pod by pod.
        for result in scenario.expected.results:
            with tally.decision(scenario.id, result.pod):
                raise
        return
    whole = Case(tally, scenario.id)
    replay.compare_profile(whole)
    for result in scenario.expected.results:
        with tally.decision(scenario.id, result.pod, fails=whole.differs) as case:
            replay.compare_next(result, case)


class _Replay:
    """A scenario in progress: the cluster and the round robin as the pods so far have left them."""

    def __init__(self, corpus: Corpus, scenario: Scenario) -> None:
        self._expected = scenario.expected
        self._not_recorded = _not_recorded(corpus, scenario)
        self._is_weighted_only = corpus.kind is Kind.POLICY
        self._blames_post_filter = release_key(corpus.release) >= _BLAMES_POST_FILTER
        self._scheduler = _scheduler(corpus, scenario)
        objects = read(scenario.objects)
        self._pod_by_key = {obj.key: obj for obj in objects if isinstance(obj, Pod)}
        self._cluster = cluster_of(objects, self._scheduler)
        self._start_index = scenario.start_node_index
        self._profile = _first_profile(self._scheduler, [self._pod_by_key[key] for key in scenario.pods])

    def compare_profile(self, case: Case) -> None:
        """Compare what holds for the whole scenario."""
        expected = self._expected
        case.compare("nodeOrder", expected.node_order, [node_info.name for node_info in self._cluster.node_infos])
        case.compare("filterPlugins", expected.filter_plugins, [plugin.name for plugin in self._profile.filter])
        if expected.score_plugins is not UNSET or "scorePlugins" not in self._not_recorded:
            case.compare("scorePlugins", expected.score_plugins, [plugin.name for plugin in self._profile.score])
        case.compare("weights", expected.weights, self._profile.weights)

    def compare_next(self, recorded: Result, case: Case) -> None:
        """Schedule the pod, compare, and put it where it was put when this was recorded."""
        expected = without_stand_in_errors(recorded)
        case.tally.stand_in_errors += expected is not recorded
        pod = self._pod_by_key[expected.pod]
        # Should this attempt fail, the next begins where the recorded one did.
        start_index = self._start_index
        self._start_index = expected.next_start_node_index or 0
        cluster = self._cluster
        if expected.host:
            self._cluster = cluster.assume(pod, expected.host)
        decision = self._scheduler.schedule(pod, cluster, start_index)
        self._start_index = decision.sampling.next_start_index
        if expected.host:
            self._cluster = self._scheduler.assume(decision, expected.host)
        got = _recorded(decision, is_weighted_only=self._is_weighted_only)
        is_narrowed = _is_narrowed(expected)
        if not self._blames_post_filter and got.preemption is not UNSET:
            got.preemption.status.plugin = ""
        fields = _fields(got, is_narrowed=is_narrowed)
        for name, value in _fields(expected, is_narrowed=is_narrowed).items():
            if value is not UNSET or name not in self._not_recorded:
                wanted = _EMPTY.get(name) if value is UNSET else value
                found = fields[name]
                if name == "nodeStatus" and self._profile.runs_all_filters:
                    found = _blamed_alike(expected.node_status, got.node_status, decision)
                case.judge(name, wanted, found, is_equal=_without_wording(wanted) == _without_wording(found))
        is_engine_error = _ENGINE_ERROR.search(expected.message) is not None
        case.tally.engine_messages += is_engine_error
        case.tally.engine_worded += is_engine_error and expected.message != got.message


def _blamed_alike(
    expected: Mapping[str, RecordedStatus], got: Mapping[str, RecordedStatus], decision: Decision
) -> dict[str, RecordedStatus]:
    """What was got, blaming the recorded plugin where it objects as severely: upstream draws one of these."""
    blamed = {}
    for node, status in got.items():
        plugin = expected[node].plugin if node in expected else status.plugin
        objection = decision.matrix.get(node, {}).get(plugin)
        is_as_severe = objection is not None and objection.code.value == status.code
        blamed[node] = msgspec.structs.replace(status, plugin=plugin) if is_as_severe else status
    return blamed


def _without_wording(value: object) -> object:
    """The value without what the CEL engine says of an error, which is all that may differ in it."""
    if isinstance(value, str):
        return _ENGINE_ERROR.sub(r"\1", value)
    if isinstance(value, list):
        return [_without_wording(item) for item in value]
    if isinstance(value, dict):
        return {key: _without_wording(item) for key, item in value.items()}
    if isinstance(value, RecordedStatus):
        return value.code, value.plugin, _without_wording(value.reasons)
    return value


def _not_recorded(corpus: Corpus, scenario: Scenario) -> frozenset[str]:
    if corpus.kind is Kind.POLICY:
        return _NOT_RECORDED_OF_POLICIES
    return _NOT_RECORDED_IN_SAMPLING if scenario.area == "sampling" else frozenset()


def _scheduler(corpus: Corpus, scenario: Scenario) -> Scheduler:
    """The scheduler that the scenario was recorded with. Raises KexplainError if there is none like it here."""
    if corpus.kind is Kind.POLICY:
        if corpus.release != POLICY_RELEASE:
            raise KexplainError(f"Kubernetes {corpus.release} is not known here")
        scheduler = scheduler_of_policy(scenario.policy)
    elif scenario.config is None:
        scheduler = build_scheduler(SchedulerSettings(kubernetes_version=corpus.release))
    else:
        scheduler = scheduler_from(scenario.config, behaviour_of(corpus.release))
    return replace(scheduler, traces_everything=True)


def read(objects: bytes | Raw) -> list[KubernetesObject]:
    """The objects, read as a user's dump would be."""
    dump = b'{"apiVersion":"v1","kind":"List","items":%b}' % bytes(objects)
    return [*load(["-"], stdin=io.BytesIO(dump)).objects]


def cluster_of(objects: Sequence[KubernetesObject], scheduler: Scheduler) -> Cluster:
    """The cluster of these objects."""
    nodes = [obj for obj in objects if isinstance(obj, Node)]
    pods = [obj for obj in objects if isinstance(obj, Pod)]
    return Cluster.of(nodes, pods, objects, rules=scheduler.rules)


def _first_profile(scheduler: Scheduler, pods: Iterable[Pod]) -> Profile:
    """The profile of the first pod that has one: of several, this is the one that was recorded."""
    names = [pod.spec.scheduler_name or "" for pod in pods]
    profiles = scheduler.profiles
    return next((profiles[name] for name in names if name in profiles), next(iter(profiles.values())))


def _is_narrowed(expected: Result) -> bool:
    """Whether a PreFilter plugin named nodes, and their order was left to chance."""
    by_plugin = expected.pre_filter or {}
    return any(status.code == Code.SUCCESS.value for status in by_plugin.values())


_EMPTY: Mapping[str, object] = {
    "preFilter": {},
    "matrix": {},
    "preemption.candidates": [],
    "preemption.best": [],
    "preemption.status": RecordedStatus(),
    "preemption.nodeStatus": {},
}


def _fields(result: Result, *, is_narrowed: bool) -> dict[str, object]:
    """The fields of a decision as they are compared: what is a set is sorted, candidates by node."""
    preemption = result.preemption
    scores = result.scores
    return {
        "outcome": result.outcome,
        "message": result.message,
        "startNodeIndex": result.start_node_index,
        "nextStartNodeIndex": result.next_start_node_index,
        "numFeasibleNodesToFind": result.num_feasible_nodes_to_find,
        "evaluatedNodes": result.evaluated_nodes,
        "preFilter": result.pre_filter,
        "feasibleNodes": sorted(result.feasible_nodes) if is_narrowed else result.feasible_nodes,
        "nodeStatus": result.node_status,
        "matrix": result.matrix,
        "scores": sorted(scores, key=lambda score: score.node) if is_narrowed else scores,
        "best": sorted(result.best),
        "preemption.candidates": preemption and sorted(preemption.candidates, key=lambda each: each.node),
        "preemption.best": preemption and sorted(preemption.best),
        "preemption.status": preemption and preemption.status,
        "preemption.nodeStatus": preemption and preemption.node_status,
    }


def _recorded(decision: Decision, *, is_weighted_only: bool) -> Result:
    """The decision as it would have been recorded."""
    sampling = decision.sampling
    return Result(
        pod=decision.pod.key,
        outcome=decision.outcome.value,
        message=decision.message,
        start_node_index=sampling.start_index,
        next_start_node_index=sampling.next_start_index,
        num_feasible_nodes_to_find=sampling.nodes_to_find,
        evaluated_nodes=sampling.evaluated,
        pre_filter={
            name: status for name, answer in decision.pre_filter.items() if (status := _pre_filter_status(answer))
        },
        feasible_nodes=list(decision.feasible),
        node_status={name: _status(status, plugin=status.plugin) for name, status in decision.statuses.by_node.items()},
        matrix={
            node: {plugin: _status(status) for plugin, status in by_plugin.items()}
            for node, by_plugin in decision.matrix.items()
        },
        scores=[_score(score, is_weighted_only=is_weighted_only) for score in decision.scores],
        best=list(decision.best),
        preemption=_preemption(decision),
    )


def _status(status: Status, *, plugin: str = "") -> RecordedStatus:
    return RecordedStatus(code=status.code.value, plugin=plugin, reasons=list(status.reasons))


def _pre_filter_status(answer: PreFiltered[object] | Skip | Status) -> RecordedStatus | None:
    """What is recorded of a PreFilter's answer; nothing where it lets every node pass."""
    if isinstance(answer, Skip):
        return RecordedStatus(code=Code.SKIP.value)
    if isinstance(answer, Status):
        return _status(answer)
    if answer.node_names is None:
        return None
    return RecordedStatus(code=Code.SUCCESS.value, reasons=list(answer.node_names))


def _score(score: NodeScore, *, is_weighted_only: bool) -> RecordedScore:
    if is_weighted_only:
        weighted = {name: plugin.weighted for name, plugin in score.by_plugin.items()}
        return RecordedScore(node=score.node_name, weighted=weighted, total=score.total)
    plugins = {name: (plugin.raw, plugin.normalized, plugin.weighted) for name, plugin in score.by_plugin.items()}
    return RecordedScore(node=score.node_name, plugins=plugins, total=score.total)


def _preemption(decision: Decision) -> RecordedPreemption:
    """Everything empty where PostFilter was not asked."""
    status = _post_filter_status(decision.post_filter)
    tried = decision.preemption
    if tried is None:
        return RecordedPreemption(status=status)
    return RecordedPreemption(
        candidates=[
            RecordedCandidate(
                node=candidate.node_name,
                pods=[victim.key for victim in candidate.victims],
                pdb_violations=candidate.pdb_violations,
            )
            for candidate in tried.candidates
        ],
        best=list(tried.best),
        status=status,
        node_status={name: _status(rejection, plugin=rejection.plugin) for name, rejection in tried.rejections.items()},
    )


def _post_filter_status(answers: tuple[tuple[str, PostFiltered], ...]) -> RecordedStatus:
    """What upstream makes of all answers. Source: `RunPostFilterPlugins`, where the first plugin is to blame."""
    if not answers:
        return RecordedStatus()
    last_plugin, last_answer = answers[-1]
    if last_answer.status is None:
        return RecordedStatus(code=Code.SUCCESS.value)
    if last_answer.status.code is not Code.UNSCHEDULABLE:
        return _status(last_answer.status, plugin=last_plugin)
    reasons = [reason for _, answer in answers if answer.status for reason in answer.status.reasons]
    return RecordedStatus(code=Code.UNSCHEDULABLE.value, plugin=answers[0][0], reasons=reasons)
