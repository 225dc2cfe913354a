"""The fewest pods that have to move so that others find a place: sought by trials, then followed to the end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, product

from msgspec import Struct
from msgspec.structs import replace

from kexplain.case.case_builder import CaseBuilder, Contents
from kexplain.case.records import PodToPlace
from kexplain.cluster import Cluster
from kexplain.framework.placing_groups import run_placement_generators
from kexplain.framework.status import Status
from kexplain.framework.trace import Outcome
from kexplain.grouping import grouped
from kexplain.load.text.source import STDIN
from kexplain.objects.core import Pod
from kexplain.parameters import parameter
from kexplain.report.drain_records import DrainedPod
from kexplain.report.pack_records import PackReport, RoomFor
from kexplain.report.room_search import Reach, RoomSearch, Step, Way, requested
from kexplain.scheduler.waiting_gangs import with_their_gangs
from kexplain.shell import command
from kexplain.world.edit_options import applying
from kexplain.world.edited_cluster import Edit
from kexplain.world.sources import ReadObjects
from kexplain.world.world import World

#: More moves than these are not thought of for one pod, nor for several that are looked at together.
_MOST = 4
#: So many nodes are looked at beside the one that the scheduler would choose.
_DETOURS = 2


class Plan(Struct, frozen=True):
    """Ways for pods, all of which wait before the first of their nodes takes pods again; none where they fit now."""

    pods: Sequence[Pod]
    ways: tuple[Way, ...] = ()

    @property
    def closing(self) -> list[Step]:
        """The moves, after which the nodes that are to take the pods are closed."""
        steps: list[Step] = []
        for way in self.ways:
            steps += (each for each in way.steps if each.verb != "cordon" or each.node not in _closed(steps))
            node = way.cluster.node_info_by_name[way.node].node
            steps += [] if node.spec.unschedulable or way.node in _closed(steps) else [Step("cordon", way.node)]
        return steps

    @property
    def opening(self) -> list[Step]:
        """What is done once all is moved and the pods are there: who is tried first gets a node first."""
        closed, by_pod = _closed(self.closing), {each.pod.uid: each.node for each in self.ways}
        in_turn = dict.fromkeys(by_pod[each.uid] for each in self.pods) if by_pod else ()
        return [Step("uncordon", name) for name in in_turn if name in closed]

    def batches(self, create: Edit) -> list[list[Edit]]:
        """What is done before the world is followed to its end each time: up to each pod that moves, and so on."""
        batches: list[list[Edit]] = [[]]
        for each in self.closing:
            batches[-1].append(each.edit)
            batches += [[]] if each.pod else []
        batches[-1].append(create)
        return [*batches, *([each.edit] for each in self.opening)]


class RoomMaking(RoomSearch, frozen=True, kw_only=True):
    """Room is made for the pods of a case."""

    def report(self) -> PackReport:
        """The steps in an order that can be carried out, who moves where, and where the pods land then."""
        pods = with_their_gangs([each.pod for each in self.case.pods], self.case.cluster)
        plan, lands, left = self.found(pods)
        return PackReport(
            kubernetes_version=self.case.scheduler.release,
            total=len(self.case.cluster.node_infos),
            room_for=tuple(RoomFor(pod=each.key, node=lands.get(each.key)) for each in pods),
            commands=tuple(self._commands(plan)),
            pods=tuple(_moved(each.pod, each.node, each.to) for each in plan.closing if each.pod is not None),
            notes=(*([left] if left else []), *self.case.notes),
        )

    def found(self, pods: Sequence[Pod]) -> tuple[Plan, dict[str, str], str]:
        """The plan with the fewest moves that ends well, and where the pods land then; or why there is none."""
        plan = Plan(pods)
        if there := self._elsewhere(pods):
            return plan, {}, there
        lands, left = self._followed(plan)
        if not left:
            return plan, lands, ""
        by_size = sorted(pods, key=lambda each: -requested(each, self.case.cluster, "cpu"))
        orders = [*dict.fromkeys(map(tuple, (pods, by_size, by_size[::-1])))]
        starts = [(order, among) for among in self._among(pods) for order in orders]
        soonest = [self._pod_by_pod(*start) for start in starts]
        failed, seen = "", set[tuple[str, ...]]()
        for ways in self._candidates(starts, [each for each in soonest if len(each) == len(pods)]):
            plan = Plan(pods, ways)
            lines = tuple(self._commands(plan))
            if lines not in seen:
                seen.add(lines)
                lands, left = self._followed(plan)
                if not left:
                    return plan, lands, ""
                failed = failed or left
        return (Plan(pods), {}, failed) if failed else self._in_part(pods, max(soonest, key=len, default=()))

    def _in_part(self, pods: Sequence[Pod], ways: tuple[Way, ...]) -> tuple[Plan, dict[str, str], str]:
        """The plan for those pods that have a way, if it ends well, and who has none; a gang has no parts."""
        got = [each.pod.key for each in ways]
        stuck = next(each.key for each in pods if each.key not in got)
        longer = f"the search was ended for {stuck}; {parameter('within')} lets it take longer"
        said = longer if self.is_enough() else f"up to {_MOST} moves were tried for {stuck}"
        plan = Plan([each.pod for each in ways], ways)
        lands, left = self._followed(plan) if got and not any(each.group for each in pods) else ({}, stuck)
        return (Plan(pods), {}, said) if left else (plan, lands, said)

    def _pod_by_pod(self, pods: Sequence[Pod], among: Collection[str]) -> tuple[Way, ...]:
        """The fewest moves for one pod after the other, up to the first for which there are none."""
        ways: tuple[Way, ...] = ()
        for pod in pods:
            cluster = ways[-1].cluster if ways else self._before(pods)
            levels = (self.ways(cluster, [pod], most, Reach(among), ways) for most in range(_MOST + 1))
            found = next(chain.from_iterable(levels), None)
            if found is None:
                break
            ways = found
        return ways

    def _candidates(
        self, starts: Iterable[tuple[Sequence[Pod], Collection[str]]], soonest: Sequence[tuple[Way, ...]]
    ) -> Iterator[tuple[Way, ...]]:
        """Ways for all pods, the fewest moves first; those that were found pod by pod may take more than are sought."""
        for most in range(_MOST + 1):
            yield from (each for each in soonest if _moves(each) == most)
            for detours, (pods, among) in product(range(_DETOURS + 1), starts):
                found = self.ways(self._before(pods), pods, most, Reach(among, detours))
                yield from (each for each in found if _moves(each) == most)
        yield from sorted((each for each in soonest if _moves(each) > _MOST), key=_moves)

    def _before(self, pods: Sequence[Pod]) -> Cluster:
        return self.case.cluster.awaiting(pods)

    def _among(self, pods: Sequence[Pod]) -> list[Collection[str]]:
        """The nodes that may take the pods: all, or the placements of a group that has to stay together."""
        cluster, scheduler = self._before(pods), self.case.scheduler
        group, profile = pods[0].group, scheduler.profiles.get(pods[0].scheduler_name)
        if group and profile and scheduler.features.group_placements and all(each.group == group for each in pods):
            found = run_placement_generators(profile, group, cluster)
            return [] if isinstance(found, Status) else [frozenset(each.node_names) for each in found]
        return [cluster.node_info_by_name]

    @property
    def _contents(self) -> Contents:
        assert self.case.builder is not None  # noqa: S101 - cases that are read have one
        return self.case.builder.contents

    @property
    def _created(self) -> list[PodToPlace]:
        """The pods that the cluster does not have yet."""
        known = {each.key for each in self._contents.objects if isinstance(each, Pod)}
        return [each for each in self.case.pods if each.manifest or each.pod.key not in known]

    def _commands(self, plan: Plan) -> Iterator[str]:
        """All of it for a shell; it says when the pods are to come."""
        yield from (each.line for each in plan.closing)
        if plan.ways:
            for source, created in grouped((each.source, each.pod) for each in self._created).items():
                homes = {each.namespace for each in created}
                file = [] if source == STDIN else [source]
                program = "kubectl apply -f" if file else "kubectl apply -f -"
                yield command(program, *file, namespace=homes.pop() if len(homes) == 1 else "")
        yield from (each.line for each in plan.opening)

    def _followed(self, plan: Plan) -> tuple[dict[str, str], str]:
        """Where the pods land in a world that carries out the plan, and who waits at the end and did not before."""
        asked = {each.key for each in plan.pods}
        created = [each.pod for each in self._created]
        builder, lands = CaseBuilder(_without(created, self._contents)), dict[str, str]()
        pods = (each for each in self._contents.objects if isinstance(each, Pod) and not each.spec.node_name)
        waited = {each.key for each in (*pods, *created)} - asked
        for edits in plan.batches(applying(created)):
            end = World(ReadObjects(builder.contents)).after(edits).settled(start_index=self.start_index)
            if end.settled.evicted:
                return {}, f"{end.settled.evicted[0].key} would be preempted"
            lands |= {key: name for key, name in end.settled.placed.items() if key in asked}
            builder = end.builder_at_the_end
        waiting = sorted({each.pod.key for each in end.settled.waiting} - waited)
        return lands, f"{waiting[0]} would be without a place in the end" if waiting else ""

    def _elsewhere(self, pods: Sequence[Pod]) -> str:
        """Which of the pods of the cluster does not wait for a node; empty if all of them do."""
        stored = {each.key: each for each in self._contents.objects if isinstance(each, Pod)}
        for there in (stored[each.key] for each in pods if each.key in stored):
            if there.metadata.deletion_timestamp is not None:
                return f"{there.key} is being deleted"
            if there.spec.node_name:
                return f"{there.key} has a node: {there.spec.node_name}"
        return ""


def _without(pods: Iterable[Pod], contents: Contents) -> Contents:
    keys = {each.key for each in pods}
    objects = [each for each in contents.objects if not (isinstance(each, Pod) and each.key in keys)]
    return replace(contents, objects=objects)


def _moves(ways: Sequence[Way]) -> int:
    return sum(len(each.moved) for each in ways)


def _closed(steps: Sequence[Step]) -> list[str]:
    """The nodes that take no pods after these steps."""
    last = {each.node: each.verb for each in steps if each.pod is None}
    return [name for name, verb in last.items() if verb == "cordon"]


def _moved(pod: Pod, from_node: str, to: str) -> DrainedPod:
    return DrainedPod(pod=pod.key, outcome=Outcome.SCHEDULED.value, node=to, message=None, from_node=from_node)
