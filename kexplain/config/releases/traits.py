"""What tells the releases of Kubernetes apart, one row each: feature gates, and changes that no gate governs.

`gates.json` and `changes.json` among the tables have the rows.

Source: `pkg/features/kube_features.go` and `pkg/scheduler` of the releases from 1.22 to 1.36; for 1.37 and the alphas
of 1.38 the gates of their schedulers, their release notes and the pull requests behind them.
"""

from enum import StrEnum

from msgspec import Struct

from kexplain.tables import table


class Maturity(StrEnum):
    """How far a gate has come."""

    ALPHA = "alpha"
    BETA = "beta"
    GA = "GA"
    DEPRECATED = "deprecated"


class Concern(StrEnum):
    """The pods that a gate can make a difference for."""

    EVERY_POD = "every pod"
    CLAIMS = "pods that ask for devices"


class GateStage(Struct, frozen=True, array_like=True):
    """How a gate stands from a release on, until its next stage. A locked gate cannot be set otherwise."""

    release: str
    maturity: Maturity
    is_on: bool = False
    is_locked: bool = False


class Gate(Struct, frozen=True):
    """A feature gate that bears on decisions.

    `field` is what it sets, of Features or RequestRules; without one, it is built only as `stages` has it by default.
    `until` is the release that no longer knows it; then it stands like the gate that it is `merged_into`, if any.
    `built_since` is the first whose behaviour with the gate on is built. What is not built may concern only some pods.
    """

    name: str
    stages: tuple[GateStage, ...]
    effect: str
    field: str = ""
    until: str = ""
    merged_into: str = ""
    built_since: str = ""
    concerns: Concern = Concern.EVERY_POD


class Change(Struct, frozen=True):
    """A change of behaviour that no gate governs.

    `field`, of Features or RequestRules, is on from `since` on, and off again from `until` on.
    """

    field: str
    effect: str
    since: str = ""
    until: str = ""


CHANGES = table("changes", tuple[Change, ...])
GATES = table("gates", tuple[Gate, ...])
