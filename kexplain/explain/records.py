"""What became of each node and why, as JSON publishes it under `kexplain/v1`.

Fields are only ever added. Amounts are integers: CPU in thousandths, everything else in its own unit.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from kexplain.explain.objections import AnyFact
from kexplain.explain.output import Output
from kexplain.framework.plugin import ScoreTerm

API_VERSION = "kexplain/v1"


class Document(Output, frozen=True, kw_only=True):
    """What is published by itself, as an object of Kubernetes with an apiVersion and a kind."""

    api_version: str = API_VERSION


class Rejection(Output, frozen=True):
    """One plugin's objection to one node: upstream's code and reasons, the facts, and all in a line of words."""

    plugin: str
    code: str
    reasons: tuple[str, ...]
    detail: str
    facts: tuple[AnyFact, ...] = ()


class ScoreTerms(Output, frozen=True):
    """How a plugin comes by the raw score of one node: it is the mean of the terms by weight.

    The strategy RequestedToCapacityRatio rounds the mean, the others cut it off; its `shape` has the points at some
    utilizations, in percent, with straight lines between them. Plugins without terms have a
    `working`, which says in a line how the raw and the normalized score come about.
    """

    plugin: str
    strategy: str
    score: int
    terms: tuple[ScoreTerm, ...]
    working: str = ""
    shape: tuple[tuple[int, int], ...] = ()


class Score(Output, frozen=True):
    """One plugin's score of one node."""

    plugin: str
    raw: int
    normalized: int
    weighted: int


class Verdict(StrEnum):
    """What became of a node; ABSENT only where one of two compared clusters does not have it."""

    FEASIBLE = "Feasible"
    REJECTED = "Rejected"
    #: A PreFilter left it out, so it was not looked at.
    EXCLUDED = "Excluded"
    #: The search ended before it.
    NOT_EVALUATED = "NotEvaluated"
    ABSENT = "Absent"


class NodeVerdict(Output, frozen=True):
    """What became of one node.

    `stopped_by` is the objection that the scheduler heard; `also`
    are those it would have met behind it. `rank` counts feasible nodes by total from 1, equals alike.
    `evicted_after_seconds` is set where a NoExecute taint is tolerated only for so long. `score_terms` are given
    for one node, or if all details are asked for, by plugins that can tell.
    """

    node: str
    verdict: Verdict
    stopped_by: Rejection | None = None
    also: tuple[Rejection, ...] = ()
    rank: int | None = None
    total: int | None = None
    scores: tuple[Score, ...] = ()
    evicted_after_seconds: int | None = None
    score_terms: tuple[ScoreTerms, ...] = ()


if TYPE_CHECKING:
    SharedVerdict = NodeVerdict
else:
    SharedVerdict = msgspec.defstruct(
        "SharedVerdict",
        [
            (each.name, each.type) if each.required else (each.name, each.type, each.default)
            for each in msgspec.structs.fields(NodeVerdict)
            if each.name not in ("node", "rank")
        ],
        bases=(Output,),
        namespace={
            "__doc__": "What became of several nodes, perhaps of several pods: a NodeVerdict without its node and rank."
            "\n\n    Fields that say nothing are left out.\n    "
        },
        module=__name__,
        frozen=True,
        kw_only=True,
        omit_defaults=True,
    )


class Cause(Output, frozen=True):
    """Why a group of nodes was turned down; every rejected node is in exactly one.

    `alone_on` are those among them to which nothing else objects: lifting this cause would make the pod fit.
    """

    plugin: str
    text: str
    count: int
    nodes: tuple[str, ...]
    preemption_may_help: bool
    alone_on: tuple[str, ...] = ()


class RequestSum(Output, frozen=True):
    """What the pod requests of a resource; `parts` says how it adds up where that is not plain."""

    resource: str
    requested: int
    parts: str = ""


class NodeCounts(Output, frozen=True):
    """All nodes by what became of them: `total` is the sum of the others."""

    total: int
    feasible: int
    rejected: int
    excluded: int
    not_evaluated: int
