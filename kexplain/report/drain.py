"""Where the pods of drained nodes go, and who is left without a place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from kexplain.bound.doubtful_nodes import DoubtfulNodes
from kexplain.bound.stopped import stopped
from kexplain.case.case import Case
from kexplain.case.case_builder import CaseBuilder
from kexplain.cluster import Cluster
from kexplain.cluster.newcomers import with_fresh_nodes
from kexplain.cluster.placed_pods import maker
from kexplain.diagnosis.diagnose import diagnose
from kexplain.diagnosis.findings.statement import Few, told
from kexplain.diagnosis.records import Finding, Kind
from kexplain.explain import causes_of
from kexplain.explain.records import Cause
from kexplain.explain.removal import removal_obstacles
from kexplain.explain.replicas import manifest_key
from kexplain.explanation.explanation import explain
from kexplain.explanation.missing_objects import rests_on
from kexplain.explanation.records import ExplainOptions
from kexplain.framework.signing import PodSignature
from kexplain.framework.trace import Decision, Outcome
from kexplain.grouping import grouped
from kexplain.objects.core import Pod
from kexplain.objects.events import Event, said_of
from kexplain.objects.node_service import out_of_service
from kexplain.parameters import parameter
from kexplain.remedies.advice import advice
from kexplain.remedies.against.taints import mended
from kexplain.remedies.held import helped
from kexplain.remedies.more_nodes import smallest
from kexplain.remedies.records import Action, Helps, Remedy
from kexplain.remedies.steps import change
from kexplain.report.drain_records import DrainedPod, DrainReport, DrainStep
from kexplain.report.fresh_nodes import models_of, raised_first
from kexplain.report.sparing import Help, created_again, of_others, sparing_one, volumes_first
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.draining import DrainOptions, EvictionBudgets, Fate, cordoned_in, uncordoned, verdict
from kexplain.scheduler.signing import sign
from kexplain.words import some
from kexplain.world.controllers import Workloads
from kexplain.world.draining import Drain, Leaver

_OUT_OF_SERVICE = (Kind.POOL_OUT_OF_SERVICE, Kind.ZONE_OUT_OF_SERVICE)
#: More fresh nodes than these nobody counts out.
_MOST = 50
#: What has nodes back that the pods may use already.
_REPAIRS = (Action.MEND_NODE, Action.UNCORDON)
#: For so many pods with different things wrong with them it is sought what would help.
_HELPED = 3
#: The causes, and what is wrong.
_Why: TypeAlias = tuple[tuple[Cause, ...], Finding | None]


class Draining(Struct, frozen=True):
    """How nodes are to be drained. With `surge`, so many fresh nodes of the same pools stand in before each step."""

    #: Its pods have no node yet, and are left aside.
    case: Case
    options: DrainOptions = DrainOptions()
    one_by_one: bool = False
    surge: int = 0
    start_index: int = 0
    #: Hears of how many pods it is known what becomes of them.
    listener: Callable[[int], None] | None = None
    #: Ends a drain one by one before the next node.
    is_over: Callable[[], bool] = lambda: False
    doubtful_nodes: DoubtfulNodes | None = None
    #: Those of the case's cluster, if several drains begin in it.
    workloads: Workloads | None = None
    #: Whether it is sought what would help those that are left without a place.
    seeks_help: bool = True

    @property
    def _builder(self) -> CaseBuilder:
        assert self.case.builder is not None  # noqa: S101 - cases that are read have one
        return self.case.builder

    @property
    def _waiting(self) -> list[Pod]:
        """The pods that wait for a node, and for none that keeps room for them while their volume is made."""
        placed = self.case.cluster.placed_pods.named
        return [each.pod for each in self.case.pods if not placed(each.pod.namespace, each.pod.name)]

    def report(self, node_names: Sequence[str]) -> DrainReport:
        """The drain of these nodes, which are all there."""
        before = self.case.cluster
        pods: list[DrainedPod] = []
        leavers: list[Leaver] = []
        steps: list[DrainStep] = []
        stopped_at: str | None = None
        drain = self._begun(before)
        causes = _Causes(self.case.scheduler, before)
        doubtful = self.doubtful_nodes or DoubtfulNodes(before, self._events)
        for names in self._steps(node_names):
            if self.is_over():
                break
            added: list[str] = []
            if self.surge:
                cluster, added = with_fresh_nodes(drain.cluster, names)
                drain.go_on_in(cluster)
            before_step = drain.cluster
            step = drain.step(names)
            leavers += step
            drained = [_drained_pod(leaver, causes, names, doubtful) for leaver in step]
            found = self._helped(drained, step, names, before_step)
            pods += found
            left = [pod for pod in found if pod.is_left]
            moved = sum(pod.is_moved for pod in found)
            steps.append(DrainStep(nodes=tuple(names), moved=moved, left=len(left), added=tuple(added)))
            if left and self.one_by_one:
                stopped_at = left[0].from_node if left[0].from_node in names else names[0]
                break
            drain.go_on_in(self._afterwards(before_step, drain.cluster, names))
        rests = rests_on((leaver.pod for leaver in leavers if leaver.decision is not None), before)
        removal = removal_obstacles(before, node_names)
        return self._reported(node_names, pods, steps, stopped_at=stopped_at, rests_on=rests, removal=removal)

    def _reported(
        self, names: Iterable[str], pods: Iterable[DrainedPod], steps: Iterable[DrainStep], **more: Any
    ) -> DrainReport:
        return DrainReport(
            kubernetes_version=self.case.scheduler.release,
            nodes=tuple(names),
            pods=tuple(pods),
            steps=tuple(steps),
            pending_before=tuple(pod.key for pod in self._waiting),
            notes=(*self.case.scheduler.notes, *self.case.notes),
            **more,
        )

    def _avoiding(self, found: Iterable[DrainedPod], names: Sequence[str], before: Cluster) -> Iterator[Help]:
        """To cordon nodes first on which pods may not start, where all find a place on others then."""
        by_node = grouped((each.node, each.pod) for each in found if each.doubt and each.node not in names)
        avoided = [node for node in by_node if node]
        step = self._begun(cordoned_in(before, avoided), tries_pending=True).step(names) if avoided else []
        lands = [each.decision.host for each in step if each.decision]
        if lands and all(host and host not in avoided for host in lands):
            yield by_node[avoided[0]][0], advice("drain/cordon", some(avoided), len(lands), avoided, tried=True)

    @property
    def _events(self) -> list[Event]:
        return [each for each in self._builder.contents.objects if isinstance(each, Event)]

    def _helped(
        self, found: Sequence[DrainedPod], step: Iterable[Leaver], names: Sequence[str], before: Cluster
    ) -> Sequence[DrainedPod]:
        """The same, the first pods of some causes with what would help; not to have the nodes back."""
        if not self.seeks_help:
            return found
        helps = self._placing(found, step, names, before)
        refused = [leaver.pod for leaver in step if leaver.fate is Fate.REFUSED]
        avoiding = self._avoiding(found, names, before)
        for key, remedy in (*self._overriding(refused, before), *avoiding, *of_others(step), *volumes_first(step)):
            helps[key] = (*helps.get(key, ()), remedy)
        missing = grouped((leaver.reason, leaver.pod) for leaver in step if leaver.fate is Fate.NOT_CREATED)
        for pods in [*missing.values()][:_HELPED]:
            gone = {leaver.pod.key for leaver in step}
            helps[pods[0].key] = tuple(created_again(pods, gone, self._builder.contents, before))
        blocked = grouped((leaver.reason, leaver.pod) for leaver in step if leaver.fate is Fate.BLOCKED)
        why = dict[str | None, str]()
        for reason, pods in sorted(blocked.items(), key=lambda each: -len(each[1]))[:_HELPED]:
            why[reason], helps[pods[0].key] = self._unblocking(pods[0], frozenset(names), before)
        return [replace(each, message=_message(each, why), remedies=helps.get(each.pod, ())) for each in found]

    def _placing(
        self, found: Iterable[DrainedPod], step: Iterable[Leaver], names: Collection[str], before: Cluster
    ) -> dict[str, Helps]:
        """What would give those a place that are left without one, by the first pod of a cause."""
        decisions = {leaver.pod.key: leaver.decision for leaver in step if leaver.decision}
        pending = [each for each in found if each.outcome == Outcome.UNSCHEDULABLE.value]
        first = {each.diagnosis.text: each.pod for each in reversed(pending) if each.diagnosis}
        helps = dict[str, Helps]()
        for key in [*first.values()][:_HELPED]:
            found_helps = self._would_help(decisions[key], decisions.values(), frozenset(names), len(first))
            helps[key] = tuple(each for each in found_helps if self._holds(each, key, [*names], before))
        return self._for_all(helps, pending, [*names], before, decisions[pending[0].pod]) if pending else helps

    def _holds(self, remedy: Remedy, key: str, names: Sequence[str], before: Cluster) -> bool:
        """Whether the pod has a place in the whole drain if the nodes were repaired: those that wait take room, too."""
        repaired = remedy.nodes if remedy.action == Action.MEND_NODE else ()
        lost = [info.node for info in before.nodes_named(repaired) if out_of_service(info.node)]
        if not lost:
            return True
        step = self._begun(before.with_nodes(map(mended, lost)), tries_pending=True).step(names)
        return any(leaver.pod.key == key and leaver.decision and leaver.decision.host for leaver in step)

    def _overriding(self, refused: Sequence[Pod], cluster: Cluster) -> Iterator[Help]:
        """The flags with which `kubectl drain` takes those, too, that it refuses, and what is lost then."""
        flags = {"delete_emptydir_data": parameter("delete_emptydir_data"), "force": parameter("force")}
        for flag, spelled in flags.items():
            without: Any = {each: each != flag for each in flags}
            options = replace(self.options, **without)
            pods = [pod.key for pod in refused if verdict(pod, cluster, options)[0] is Fate.REFUSED]
            if pods:
                yield pods[0], advice(f"drain/{flag}", spelled, some(pods), len(pods))

    def _for_all(
        self,
        helps: dict[str, Helps],
        left: Sequence[DrainedPod],
        names: Sequence[str],
        before: Cluster,
        decision: Decision,
    ) -> dict[str, Helps]:
        """The same with as many nodes as all take, if any number of them does."""
        others = {key: tuple(each for each in found if each.action != Action.ADD_NODE) for key, found in helps.items()}
        if others != helps and len(left) + len(self.case.pods) == 1 and not self.one_by_one:
            return helps
        models = models_of([*dict.fromkeys(each.from_node for each in left)], names, before, decision)
        most = min(len(left) + len(self.case.pods), _MOST)
        adding = partial(self._adding, len(left), names, before, decision)
        more = next(filter(None, (smallest(partial(adding, likes), most) for likes in models)), None)
        first = next(iter(others))
        # Whoever drains nodes can add one, and edits workloads of others only if need be.
        repairs = sum(each.action in _REPAIRS for each in others[first])
        return others | {first: (*others[first][:repairs], *([more] if more else ()), *others[first][repairs:])}

    def _unblocking(self, pod: Pod, names: frozenset[str], cluster: Cluster) -> tuple[str, Helps]:
        """Why a pod does not run that the budget of this one misses, and what would get it to; else what else helps."""
        budgets = EvictionBudgets(cluster).protecting(pod) if not pod.metadata.deletion_timestamp else ()
        missed = [each for budget in budgets for each in budget.missed] if len(budgets) == 1 else []
        judged = ((each, stopped(each, said_of(each, self._events), cluster)) for each in (pod, *missed))
        if found := next(((other, held) for other, held in judged if held is not None), None):
            other, held = found
            held, helps = helped(held, other, cluster, other)
            return (f": {held.published.text}", _for(other, helps[:1])) if other is not pod else ("", helps[:1])
        others = cluster.with_nodes((), gone=names)
        tried = (self.case.scheduler.schedule(each, others) for each in missed if not each.spec.node_name)
        if (decision := next(tried, None)) and (judgement := diagnose(decision)):
            helps = self._would_help(decision, (), names, 1)
            return f": {judgement.diagnosis.text}", _for(decision.pod, helps)
        return "", tuple(sparing_one(pod, cluster))

    def _would_help(self, decision: Decision, others: Iterable[Decision], names: frozenset[str], sharing: int) -> Helps:
        """What would help a pod on other nodes than the drained ones."""
        decision = _elsewhere(decision, names, self.case.scheduler)
        pending = _alike_left(decision, others)
        options = ExplainOptions(scheduler=self.case.scheduler, sharing=sharing, pending=pending)
        return tuple(each for each in explain(decision, options).remedies if not {*each.nodes} & names)

    def _adding(
        self, left: int, names: Sequence[str], before: Cluster, of: Decision, likes: Sequence[str], count: int
    ) -> Remedy | None:
        """So many fresh nodes like these, if all the pods find a place then, behind those that wait already."""
        grown, added = with_fresh_nodes(before, (likes[each % len(likes)] for each in range(count)))
        step = self._begun(grown, tries_pending=True).step(names)
        if any(leaver.decision and not leaver.decision.host for leaver in step):
            return None
        surge = parameter("surge", "1") if self.one_by_one and not self.surge and count == 1 else ""
        about = raised_first(of, likes[0], count), count, some([*likes[:count]]), surge
        made = (change(None, grown.node_info_by_name[name].node) for name in added)
        return advice("drain/more", *about, changes=made, nodes=tuple(added), tried=True, serves=left, pending=left)

    def _begun(self, cluster: Cluster, *, tries_pending: bool = False) -> Drain:
        return Drain(
            self._builder,
            self.case.scheduler,
            cluster,
            self.options,
            start_index=self.start_index,
            pending=[each.pod for each in self.case.pods],
            tries_pending=tries_pending or self.surge > 0,
            listener=None if tries_pending else self.listener,
            workloads=self.workloads if cluster is self.case.cluster else None,
        )

    def of_each(self, nodes: Mapping[str, Sequence[str]]) -> DrainReport:
        """The drain of each of these groups of nodes alone, all others as they are; by what those of each share."""
        cluster = self.case.cluster
        alone = replace(
            self,
            seeks_help=False,
            listener=None,
            doubtful_nodes=DoubtfulNodes(cluster, self._events),
            workloads=Workloads(self._builder, [*cluster.pods, *self._waiting]),
        )
        found, known = list[DrainReport](), 0
        for names in nodes.values():
            found.append(alone.report(names))
            known += sum(len(cluster.node_info_by_name[name].pods) for name in names)
            if self.listener:
                self.listener(known)
        steps = (
            replace(step, together=shared if nodes[shared] != [shared] else "")
            for shared, report in zip(nodes, found, strict=True)
            for step in report.steps
        )
        pods = (pod for report in found for pod in report.pods)
        rests = tuple(dict.fromkeys(said for report in found for said in report.rests_on))
        return self._reported(chain.from_iterable(nodes.values()), pods, steps, rests_on=rests, each=True)

    def _steps(self, node_names: Sequence[str]) -> Iterator[Sequence[str]]:
        if not self.one_by_one:
            yield node_names
            return
        at_once = max(self.surge, 1)
        yield from (node_names[start : start + at_once] for start in range(0, len(node_names), at_once))

    def _afterwards(self, before: Cluster, after: Cluster, names: Sequence[str]) -> Cluster:
        """The cluster once the step is over: the nodes are back as they were, or gone if others stand in for them."""
        if self.surge:
            return after.with_nodes((), gone=frozenset(names))
        nodes = [before.node_info_by_name[name].node for name in names]
        return after.with_nodes(uncordoned(node) for node in nodes if not node.spec.unschedulable)


def _message(drained: DrainedPod, why: Mapping[str | None, str]) -> str | None:
    """Its message, with why, where that is known of its kind."""
    return f"{drained.message or ''}{why.get(drained.message, '')}" or None


def _for(pod: Pod, helps: Iterable[Remedy]) -> Helps:
    """What helps a pod that is not one of those that are drained."""
    return tuple(replace(each, text=f"for {pod.name}: {each.text}") for each in helps)


def _alike_left(decision: Decision, others: Iterable[Decision]) -> list[Pod]:
    """The other pods of the same workload that are left without a place."""
    own = maker(decision.pod)
    left = [each.pod for each in others if not each.host and each.pod.key != decision.pod.key]
    return [pod for pod in left if own is not None and maker(pod) == own]


def _elsewhere(decision: Decision, names: frozenset[str], scheduler: Scheduler) -> Decision:
    """What is decided as if the drained nodes were gone, if the pod belongs on others as well, and waits there, too."""
    found = diagnose(decision)
    circles = found.circles if found else None
    if found is None or circles is None or not {*circles.candidates, *circles.out_of_service} - names:
        return decision
    if found.diagnosis.facts.get("held") and {*found.diagnosis.nodes} <= names:
        # Something of it is nowhere else.
        return decision
    then = scheduler.schedule(decision.pod, decision.cluster.with_nodes((), gone=names))
    return decision if then.host else then


class _Causes:
    """The causes behind decisions; replicas that fare alike in one cluster share them."""

    def __init__(self, scheduler: Scheduler, cluster: Cluster) -> None:
        self._scheduler, self.cluster = scheduler, cluster
        self._by_key: dict[tuple[PodSignature | None, bytes], _Why] = {}

    def of(self, decision: Decision, drained: frozenset[str]) -> _Why:
        """Why nodes turn the pod down, those apart that are drained, and what is wrong."""
        if decision.cluster is not self.cluster:
            self.cluster = decision.cluster
            self._by_key.clear()
        key = sign(self._scheduler, decision.pod, decision.cluster), manifest_key(decision.pod)
        if key[0] is None or key not in self._by_key:
            self._by_key[key] = why_drained(decision, drained, self._scheduler)
        return self._by_key[key]


def why_drained(decision: Decision, drained: frozenset[str], scheduler: Scheduler) -> _Why:
    """Why nodes turn a pod down, and what is wrong; drained nodes were in service before."""
    then = _elsewhere(decision, drained, scheduler)
    found = diagnose(then)
    wrong = found.diagnosis if found else None
    if wrong and wrong.kind in _OUT_OF_SERVICE and {*wrong.nodes} <= drained:
        said = told("drained", Few.of(wrong.nodes), str(wrong.facts.get("held", "")))
        wrong = replace(wrong, text=str(said), facts={**said.published})
    return causes_of(then), wrong


def _drained_pod(leaver: Leaver, causes: _Causes, names: Sequence[str], doubtful: DoubtfulNodes) -> DrainedPod:
    decision = leaver.decision
    lands = (decision.host or None) if decision else None
    found, diagnosis = causes.of(decision, frozenset(names)) if decision and not lands else ((), None)
    return DrainedPod(
        pod=leaver.pod.key,
        outcome=decision.outcome.value if decision else leaver.fate.value,
        node=lands,
        message=(decision.message if decision else leaver.reason) or None,
        from_node=leaver.node_name,
        round=leaver.round,
        held_up_by=leaver.held_up_by,
        held=held.hold if (held := stopped(leaver.pod, (), causes.cluster)) else None,
        preempted_by=leaver.preempted_by,
        drained=() if leaver.node_name in names else tuple(names),
        doubt=str(told("lands-where/drained")) if lands in names else doubtful.doubt(lands) if lands else "",
        causes=found,
        diagnosis=diagnosis,
    )
