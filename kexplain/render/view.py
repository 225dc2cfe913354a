"""What of a report is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import msgspec
from msgspec import Struct

from kexplain.explain.distance import rejections
from kexplain.explain.output import Output
from kexplain.explain.records import NodeVerdict
from kexplain.explanation.records import PodExplanation
from kexplain.remedies.records import Remedy
from kexplain.report.groups import PodGroup
from kexplain.report.records import Report

DEFAULT_TOP = 10
#: More than these nobody reads.
REMEDIES = 5
#: So many nodes are drawn in all, the first pods' first: a page has to open at once.
DRAWN_NODES = 20_000

AnyOutput = TypeVar("AnyOutput", bound=Output)


class View(Struct, frozen=True):
    """What to show.

    `top` limits the rows of a table, 0 shows all. `node` and `plugin` leave only what concerns these. `wide` is
    whether there is room for everything, and `all_failures` lists every objection with its detail.
    """

    top: int = DEFAULT_TOP
    node: str = ""
    plugin: str = ""
    all_failures: bool = False
    all_remedies: bool = False
    verbose: bool = False
    wide: bool = False
    #: Whether details follow even where an overview would do, as in documents.
    in_full: bool = False
    #: Whether the format can draw maps and bars, and fold lines away.
    draws: bool = False
    #: Where the files are that a report names, such as https://host/project/blob/main; empty if nobody says.
    link_base: str = ""
    #: The lowest severity of a finding that fails a run.
    fail_on: str = "error"
    #: How a remedy is asked for ready to apply, with its number behind; empty where nobody can.
    fix_flag: str = ""
    #: What a further command says to look at the same cluster with the same scheduler; None where nobody runs commands.
    again: Sequence[str] | None = ()
    #: Columns to fill, None for as many as it takes.
    width: int | None = None
    #: How wide rows are that are stacked and sentences beside them where nobody says how wide the console is.
    piped: int = 80

    @property
    def is_detailed(self) -> bool:
        """Whether everything is to be shown."""
        return self.verbose or self.wide

    def with_everything(self) -> View:
        """The last step: nothing is left out."""
        return msgspec.structs.replace(self, verbose=True, wide=True, all_failures=True, all_remedies=True)

    def helping(self, pod: PodExplanation) -> Sequence[Remedy]:
        """The remedies that are shown: the least invasive ones."""
        return pod.remedies if self.all_remedies else pod.remedies[:REMEDIES]

    def limited(self, rows: Sequence[NodeVerdict]) -> Sequence[NodeVerdict]:
        return rows[: self.top] if self.top > 0 else rows


def restricted(report: AnyOutput, view: View) -> AnyOutput:
    """An explanation with only the nodes and plugins that the view asks for; counts and causes stay whole."""
    if not isinstance(report, Report) or not (view.node or view.plugin):
        return report
    pods = tuple(restricted_pod(pod, view) for pod in report.pods)
    return msgspec.structs.replace(report, pods=pods, groups=tuple(_group(each, view) for each in report.groups))


def _group(group: PodGroup, view: View) -> PodGroup:
    causes = tuple(cause for cause in group.causes if view.plugin in ("", cause.plugin))
    return msgspec.structs.replace(group, causes=causes)


def restricted_pod(pod: PodExplanation, view: View) -> PodExplanation:
    """The same of one pod."""
    if not (view.node or view.plugin):
        return pod
    verdicts = [v for v in pod.node_verdicts if view.node in ("", v.node)]
    if view.plugin:
        verdicts = [_of_plugin(v, view.plugin) for v in verdicts if _concerns(v, view.plugin)]
    causes = [cause for cause in pod.causes if view.plugin in ("", cause.plugin)]
    preemption = pod.preemption
    if preemption and view.node:
        asked = (view.node, preemption.nominated_node)
        candidates = tuple(each for each in preemption.candidates if each.node in asked)
        preemption = msgspec.structs.replace(preemption, candidates=candidates)
    return msgspec.structs.replace(pod, node_verdicts=tuple(verdicts), causes=tuple(causes), preemption=preemption)


def _concerns(verdict: NodeVerdict, plugin: str) -> bool:
    scored = any(score.plugin == plugin for score in verdict.scores)
    return scored or any(rejection.plugin == plugin for rejection in rejections(verdict))


def _of_plugin(verdict: NodeVerdict, plugin: str) -> NodeVerdict:
    """The verdict with what this plugin said of it."""
    stopped = verdict.stopped_by if verdict.stopped_by and verdict.stopped_by.plugin == plugin else None
    return msgspec.structs.replace(
        verdict,
        stopped_by=stopped,
        also=tuple(rejection for rejection in verdict.also if rejection.plugin == plugin),
        scores=tuple(score for score in verdict.scores if score.plugin == plugin),
        score_terms=tuple(terms for terms in verdict.score_terms if terms.plugin == plugin),
    )
