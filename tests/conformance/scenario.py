"""A scheduling scenario as it is recorded.

Fields that are left out because they are empty have an empty default here; UNSET are those that a corpus may
not hold at all. What is not known here is an error, so that nothing recorded goes uncompared.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET, Raw, UnsetType


class Recorded(msgspec.Struct, rename="camel", omit_defaults=True, forbid_unknown_fields=True):
    """Part of a recording."""


class RecordedStatus(Recorded, kw_only=True):
    """A Status; no plugin where it goes without saying. The order of reasons means nothing, so they are sorted."""

    code: str = ""
    plugin: str = ""
    reasons: list[str] = []

    def __post_init__(self) -> None:
        self.reasons = sorted(self.reasons)


class RecordedScore(Recorded, kw_only=True):
    """The scores of a node: raw, normalized and weighted by plugin, or weighted only."""

    node: str
    plugins: dict[str, tuple[int, int, int]] = {}
    weighted: dict[str, int] = {}
    total: int


class RecordedCandidate(Recorded, kw_only=True):
    """A node where preemption helps; `pods` are the victims in order."""

    node: str
    pods: list[str]
    pdb_violations: int


class RecordedPreemption(Recorded, kw_only=True):
    """What PostFilter returned, and what it weighed."""

    candidates: list[RecordedCandidate] = []
    best: list[str] = []
    status: RecordedStatus = msgspec.field(default_factory=RecordedStatus)
    node_status: dict[str, RecordedStatus] = {}


class Result(Recorded, kw_only=True):
    """One decision. `host` is what was assumed afterwards, one of `best`."""

    pod: str
    outcome: str
    message: str = ""
    start_node_index: int | UnsetType = UNSET
    next_start_node_index: int | UnsetType = UNSET
    num_feasible_nodes_to_find: int | UnsetType = UNSET
    evaluated_nodes: int | UnsetType = UNSET
    pre_filter: dict[str, RecordedStatus] | UnsetType = UNSET
    feasible_nodes: list[str] = []
    node_status: dict[str, RecordedStatus] = {}
    matrix: dict[str, dict[str, RecordedStatus]] | UnsetType = UNSET
    scores: list[RecordedScore] = []
    best: list[str] = []
    host: str = ""
    preemption: RecordedPreemption | UnsetType = UNSET


class Expected(Recorded, kw_only=True):
    """What was answered."""

    node_order: list[str]
    filter_plugins: list[str]
    score_plugins: list[str] | UnsetType = UNSET
    weights: dict[str, int] = {}
    results: list[Result]


class Scenario(Recorded, kw_only=True):
    """A cluster, and the pods that were scheduled in it one after the other."""

    id: str
    area: str
    objects: Raw
    pods: list[str]
    config: dict[str, Any] | None = None
    policy: dict[str, Any] | None = None
    start_node_index: int = 0
    expected: Expected
