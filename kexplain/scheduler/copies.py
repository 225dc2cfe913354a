"""Copies of a pod placed one after the other, each by what was found out about nodes for the one before.

Only nodes that have changed are looked at again, as long as the plugins that look at more than single nodes can say
which of their verdicts have.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any

from kexplain.cluster import NodeInfo
from kexplain.framework.plugin import SKIP, PreFiltered, Skip
from kexplain.framework.plugin_errors import ScoreError
from kexplain.framework.pre_filtering import Answers, PreFilterResult, chain_of, pre_filtered, run_pre_filters
from kexplain.framework.scoring import Scoring, normalized_scores, raw_scores
from kexplain.framework.status import Rejections, Status, are_rejections
from kexplain.framework.trace import PluginScores, added
from kexplain.objects.core import Pod
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.sampling import nodes_to_find
from kexplain.scheduler.scheduling_queue import Queue


class Copies:
    """What is known of all nodes for the copies of a pod, of which the scheduler has placed some.

    Nothing where more bears on a copy: extenders, its group, or what is reserved for it.
    """

    def __init__(self, queue: Queue, pod: Pod, landed: int) -> None:
        """`landed` are the pods that have been placed so far, this one included."""
        scheduler, cluster = queue.scheduler, queue.cluster
        self._pod, self._cluster, self._landed = pod, cluster, landed
        self._profile = profile = scheduler.profiles[pod.scheduler_name]
        infos, share = cluster.node_infos, scheduler.percentage_of_nodes_to_score
        self._to_find = nodes_to_find(len(infos), profile, share, (), scheduler.features)
        self._position = {info.name: position for position, info in enumerate(infos)}
        found = run_pre_filters(profile, pod, cluster, scheduler.features)
        self._chain = found.chain
        verdicts = found.chain.asked_about(cluster)(infos)
        #: The positions of the nodes on which a copy fits, in order.
        self._fits = [position for position, each in enumerate(verdicts) if each is None]
        made = Scoring(profile, pod, cluster, [infos[each] for each in self._fits], found.by_plugin).scorers()
        self._scorers = made or ()
        #: By position, the raw scores of each, and what those come to that go by single nodes and are not normalized.
        self._raw = [[0] * len(infos) for _ in self._scorers]
        self._points = [0] * len(infos)
        if self._fits:
            self._rate(self._fits)
        #: The nodes to be looked at again, and how far was heard of what filters keep up to date.
        self._changed: set[str] = set()
        self._heard: dict[str, tuple[Rejections, int]] = {}
        self._answers: dict[str, PreFiltered[object] | Skip | Status] = {}
        self._is_known = (
            made is not None
            and are_rejections(verdicts)
            and _goes_by_nodes(scheduler, pod, found)
            and all(each.sign(pod, cluster) is not None for each in profile.node_by_node_filters.values())
            and self._keeps_up(found.by_plugin)
        )

    def place(self, pod: Pod, queue: Queue, landed: Sequence[str]) -> str:
        """Place a copy in the cluster of the queue; the node, or nothing where that has to be found out.

        `landed` are the nodes of all pods placed so far, which is all that has happened in between.
        """
        self._changed.update(landed[self._landed :])
        self._landed, cluster = len(landed), queue.cluster
        if not self._is_known or pod.spec is not self._pod.spec or cluster.listers is not self._cluster.listers:
            return ""
        self._pod, self._cluster = pod, cluster
        by_node, asked = self._profile.node_by_node_filters, self._profile.pre_filter
        answers = {each.name: pre_filtered(each, pod, cluster) for each in asked if each.name not in by_node}
        if cluster.nominated_by_node or queue.evicted or not (self._keeps_up(answers) and self._looks_again()):
            return ""
        start = queue.start_index % len(cluster.node_infos)
        at = bisect_left(self._fits, start)
        found = (self._fits[at:] + self._fits[:at])[: self._to_find + 1]
        following = found.pop() if len(found) > self._to_find else start
        try:
            totals = self._totals(found)
        except ScoreError:
            return ""
        if not totals:
            return ""
        host = cluster.node_infos[found[totals.index(max(totals))]].name
        queue.cluster, queue.start_index = cluster.assume(pod, host), following
        return host

    def _keeps_up(self, answers: Answers) -> bool:
        """Whether filters with these answers say of each node what they said before, unless it is among the changed."""
        for name, answer in answers.items():
            selective = self._profile.selective_filters.get(name)
            if answer == self._answers.get(name, SKIP if selective else answer):
                continue
            if selective is None or not isinstance(answer, PreFiltered):
                return False
            found = selective.rejections(answer.state, self._cluster)
            known, heard = self._heard.get(name, (found, 0))
            if found is None or found is not known:
                return False
            self._changed.update(found.touched[heard:])
            self._heard[name] = found, len(found.touched)
        self._answers |= answers
        if any(isinstance(answer, PreFiltered) for answer in answers.values()):
            self._chain = chain_of(self._profile, self._pod, self._cluster, self._answers)
        return True

    def _looks_again(self) -> bool:
        """Bring the nodes up to date that have changed; whether nothing has gone wrong."""
        chain, fits = self._chain, self._fits
        for position in map(self._position.__getitem__, self._changed):
            info = self._cluster.node_infos[position]
            rejection = None if chain.lets_in(info) else chain.first_rejection(info)
            if rejection is not None and not rejection.is_rejection:
                return False
            at = bisect_left(fits, position)
            fits[at : at + (fits[at : at + 1] == [position])] = [] if rejection else [position]
            if rejection is None:
                self._rate([position])
        self._changed.clear()
        return True

    def _rate(self, positions: Sequence[int]) -> None:
        """Score the nodes at these positions."""
        infos = [self._cluster.node_infos[each] for each in positions]
        for scorer, raw in zip(self._scorers, self._raw, strict=True):
            found = raw_scores(scorer, self._pod, self._cluster, infos)
            weight = 0 if scorer.weight is None or scorer.signature is None else scorer.weight
            for position, score in zip(positions, found, strict=True):
                self._points[position] += weight * (score - raw[position])
                raw[position] = score

    def _totals(self, positions: Sequence[int]) -> Sequence[int]:
        """What these nodes score in all, but for what is the same for each; nothing if that is not known."""
        if len(positions) <= 1:
            return (0,) * len(positions)
        pod, cluster, profile = self._pod, self._cluster, self._profile
        infos = [cluster.node_infos[each] for each in positions]
        states = self._states(infos)
        if states.keys() != {each.plugin.name for each in self._scorers}:
            return ()
        totals: Iterable[int] = [self._points[each] for each in positions]
        for scorer, raw in zip(self._scorers, self._raw, strict=True):
            name, scores = scorer.plugin.name, [raw[each] for each in positions]
            if states[name] != scorer.state:
                scores = [*raw_scores(scorer._replace(state=states[name]), pod, cluster, infos)]
            elif scorer.signature is not None and (scorer.weight is not None or scores.count(scores[0]) == len(scores)):
                continue
            by_node = dict(zip([info.name for info in infos], scores, strict=True))
            normalized = normalized_scores(scorer.plugin, states[name], pod, by_node, profile)
            totals = added(totals, [PluginScores(by_node, normalized, profile.weights[name])])
        return [*totals]

    def _states(self, infos: Sequence[NodeInfo]) -> dict[str, Any]:
        """What the plugins score by, as far as they do; those that look at more than single nodes are asked again."""
        states = {each.plugin.name: each.state for each in self._scorers if each.signature is not None}
        scoring = Scoring(self._profile, self._pod, self._cluster, infos)
        states |= {each.name: scoring.pre_scored(each) for each in self._profile.pre_score if each.name not in states}
        return {name: state for name, state in states.items() if not isinstance(state, Skip | Status)}


def _goes_by_nodes(scheduler: Scheduler, pod: Pod, found: PreFilterResult) -> bool:
    """Whether neither extenders nor others of a group bear on the pod, nor anything that is reserved for it."""
    if scheduler.extenders or scheduler.rules.node_allocatable_claims or pod.group is not None:
        return False
    reserving = (found.by_plugin.get(each.name) for each in scheduler.profiles[pod.scheduler_name].reserve)
    return (found.rejection, found.node_names) == (None, None) and not any(
        isinstance(each, PreFiltered) for each in reserving
    )
