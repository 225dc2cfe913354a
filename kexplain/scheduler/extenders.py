"""What extenders have to say in a scheduling cycle.

Source: scheduler `schedule_one.go` (`findNodesThatPassExtenders`, `prioritizeNodes`, `extendersBinding`) and
`framework/preemption` (`callExtenders`).
"""

from collections.abc import Collection, Mapping, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.evidence import LeftOutByExtender
from kexplain.framework.extender import (
    POINTS_PER_PRIORITY,
    Extender,
    ExtenderConfig,
    ExtenderError,
    ExtenderFiltered,
    ExtenderVerb,
)
from kexplain.framework.plugin import BindingStep, ExtensionPoint
from kexplain.framework.postfilter import Candidate, Review
from kexplain.framework.status import Code, Status, error, unresolvable, unschedulable
from kexplain.framework.trace import ExtenderCall, NodeScores, PluginScores
from kexplain.grouping import grouped
from kexplain.objects.core import Pod
from kexplain.parameters import parameter
from kexplain.words import joined


class Passed(Struct, frozen=True):
    """The nodes that all extenders leave, the verdicts that they give, and who dropped which other nodes."""

    node_infos: tuple[NodeInfo, ...]
    statuses: Mapping[str, Status] = msgspec.field(default_factory=dict)
    left_out_by: Mapping[str, str] = msgspec.field(default_factory=dict)


class ExtenderRun:
    """The extenders that are asked about one pod, one after the other, and a record of it."""

    def __init__(self, extenders: Sequence[Extender], pod: Pod, cluster: Cluster) -> None:
        self._extenders = [extender for extender in extenders if extender.config.is_interested_in(pod)]
        self._pod = pod
        self._cluster = cluster
        self.calls: list[ExtenderCall] = []

    def _asking(self, verb: ExtenderVerb) -> list[Extender]:
        return [extender for extender in self._extenders if verb in extender.config.asked_verbs]

    def _record(self, extender: Extender, verb: ExtenderVerb, sent: int, kept: int, emptied: int = 0) -> None:
        self.calls.append(ExtenderCall(extender.config.name, verb, sent, kept, emptied=emptied))

    def _record_failure(self, extender: Extender, verb: ExtenderVerb, sent: int, fault: ExtenderError) -> bool:
        """Whether the failure is passed over."""
        # Scores are never indispensable.
        passed_over = extender.config.ignorable or verb is ExtenderVerb.PRIORITIZE
        self.calls.append(ExtenderCall(extender.config.name, verb, sent, 0, str(fault), passed_over))
        return passed_over

    def filter(self, node_infos: Sequence[NodeInfo]) -> Passed:
        """What is left of the nodes that the plugins found. Raises ExtenderError where the attempt fails."""
        statuses: dict[str, Status] = {}
        left_out_by: dict[str, str] = {}
        left = tuple(node_infos)
        for extender in self._asking(ExtenderVerb.FILTER):
            if not left:
                break
            try:
                answer = extender.filter(self._pod, left)
            except ExtenderError as fault:
                if self._record_failure(extender, ExtenderVerb.FILTER, len(left), fault):
                    continue
                raise
            there = {info.name: len(info.pods) for info in left}
            emptied = sum(1 for info in answer.node_infos if len(info.pods) < there[info.name])
            self._record(extender, ExtenderVerb.FILTER, len(left), len(answer.node_infos), emptied)
            verdicts = _verdicts(answer, extender.config.name)
            statuses |= verdicts
            kept = {node_info.name for node_info in answer.node_infos}
            gone = (node_info.name for node_info in left if node_info.name not in kept)
            left_out_by |= {name: extender.config.name for name in gone if name not in verdicts}
            left = answer.node_infos
        return Passed(left, statuses, left_out_by)

    def go_on(self) -> None:
        """Note that the attempt goes on after the last failure."""
        self.calls[-1] = replace(self.calls[-1], is_passed_over=True)

    def prioritize(self, node_infos: Sequence[NodeInfo], scores: NodeScores) -> tuple[NodeScores, dict[str, int]]:
        """The scores with those of the extenders added, and what these weigh.

        A node that an extender does not score gets nothing of it.
        """
        by_extender: dict[str, PluginScores] = {}
        weights: dict[str, int] = {}
        for extender in self._asking(ExtenderVerb.PRIORITIZE):
            try:
                answer = extender.prioritize(self._pod, node_infos)
            except ExtenderError as fault:
                self._record_failure(extender, ExtenderVerb.PRIORITIZE, len(node_infos), fault)
                continue
            weight = extender.config.weight
            name = _distinct(extender.config.name, weights)
            raw = {node_info.name: answer.get(node_info.name, 0) for node_info in node_infos}
            self._record(extender, ExtenderVerb.PRIORITIZE, len(raw), len(raw.keys() & answer.keys()))
            weights[name] = weight
            points = {node_name: score * POINTS_PER_PRIORITY for node_name, score in raw.items()}
            by_extender[name] = PluginScores(raw, points, weight)
        return (scores.and_also(by_extender) if by_extender else scores), weights

    @property
    def seeks_victims(self) -> bool:
        """Whether any of them is asked about candidates for preemption."""
        return bool(self._asking(ExtenderVerb.PREEMPT))

    def review(self, candidates: Sequence[Candidate]) -> Review | Status:
        """The candidates for preemption that all extenders leave; an error where one failed."""
        left = {candidate.node_name: candidate for candidate in candidates}
        turned_down: dict[str, Status] = {}
        for extender in self._asking(ExtenderVerb.PREEMPT):
            sent = len(left)
            try:
                answer = extender.process_preemption(self._pod, tuple(left.values()), self._cluster)
                kept = _with_victims(answer, left, extender.config)
            except ExtenderError as fault:
                if self._record_failure(extender, ExtenderVerb.PREEMPT, sent, fault):
                    continue
                return error(str(fault))
            self._record(extender, ExtenderVerb.PREEMPT, sent, len(kept))
            status = unschedulable(f"{extender.config.name} would not have pods evicted there")
            turned_down |= dict.fromkeys(left.keys() - kept.keys(), status)
            # Upstream holds them in no order at all; here they keep theirs.
            left = {name: kept[name] for name in (*left, *kept) if name in kept}
            if not left:
                break
        # Where none of them has named a victim, nobody would have to go.
        left = {name: candidate for name, candidate in left.items() if candidate.victims}
        return Review(tuple(left.values()), {name: turned_down[name] for name in turned_down if name not in left})


def _verdicts(answer: ExtenderFiltered, name: str) -> dict[str, Status]:
    """The last word on each node that the answer names; what cannot be helped goes before what can."""
    verdicts = {node: unschedulable(reason).by(name) for node, reason in answer.failed.items()}
    return verdicts | {node: unresolvable(reason).by(name) for node, reason in answer.failed_and_unresolvable.items()}


def left_out(passed: Passed, absent: Status) -> dict[str, Status]:
    """The verdicts on nodes that extenders dropped without a word: those that hold for any node without one."""
    evidence = (LeftOutByExtender(),)
    code, reasons = Code.UNSCHEDULABLE_AND_UNRESOLVABLE, absent.reasons
    return {name: Status(code, reasons, evidence, extender) for name, extender in passed.left_out_by.items()}


def _distinct(name: str, taken: Collection[str]) -> str:
    """The name, numbered where one service is configured more than once."""
    others = sum(1 for each in taken if each == name or each.startswith(f"{name} #"))
    return f"{name} #{others + 1}" if others else name


def _with_victims(
    answer: Mapping[str, Candidate], sent: Mapping[str, Candidate], config: ExtenderConfig
) -> dict[str, Candidate]:
    """The answer without nodes on which nobody would have to go any more; only an ignorable extender may name such.

    Where nobody had to go when it was asked, it may leave that to the next one.
    """
    kept = {name: each for name, each in answer.items() if each.victims or (name in sent and not sent[name].victims)}
    for name in answer:
        if name not in kept and not config.ignorable:
            raise ExtenderError(f'expected at least one victim pod on node "{name}"')
    return kept


def not_asked(extenders: Sequence[ExtenderConfig], pod: Pod) -> dict[str, str]:
    """What extenders that are not called would have been asked about the pod, by their names."""
    interested = (config for config in extenders if config.is_interested_in(pod))
    verbs_by_name = grouped((config.name, verb) for config in interested for verb in config.asked_verbs)
    return {
        name: f"it was not asked to {joined([*dict.fromkeys(verbs)])}; {parameter('calls_extenders')} asks it"
        for name, verbs in verbs_by_name.items()
    }


def with_binder(
    steps: Sequence[tuple[str, BindingStep]], extenders: Sequence[ExtenderConfig], pod: Pod, node_name: str
) -> tuple[tuple[str, BindingStep], ...]:
    """The steps behind the decision, with the extender that binds the pod, if there is one, in the plugins' place."""
    binder = next((config for config in extenders if config.bind_verb and config.is_interested_in(pod)), None)
    if binder is None:
        return tuple(steps)
    step = BindingStep(ExtensionPoint.BIND, f"bind {pod.key} to {node_name}")
    order = list(ExtensionPoint)
    others = [each for each in steps if each[1].extension_point is not ExtensionPoint.BIND]
    # The sort is stable: what comes before and after keeps its order.
    return tuple(sorted([*others, (binder.name, step)], key=lambda each: order.index(each[1].extension_point)))
