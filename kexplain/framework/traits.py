"""What tells the releases of Kubernetes apart, one row each: feature gates, and changes that no gate governs.

`gates.json` and `changes.json` among the tables have the rows.

Source: `pkg/features/kube_features.go` and `pkg/scheduler` of the releases from 1.22 to 1.36; for 1.37 and the alphas
of 1.38 the gates of their schedulers, their release notes and the pull requests behind them; what 1.38 has on by
default, and its alphas have not yet, as enhancements 4671 and 5710 were accepted for it.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache

from msgspec import Struct

from kexplain.tables import table


class Maturity(StrEnum):
    """How far a gate has come."""

    ALPHA = "alpha"
    BETA = "beta"
    GA = "GA"
    DEPRECATED = "deprecated"


#: Gates that stand for all gates of a maturity which are not set themselves.
ALL_OF = {"AllAlpha": Maturity.ALPHA, "AllBeta": Maturity.BETA}


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
    effect: str = ""
    field: str = ""
    until: str = ""
    merged_into: str = ""
    built_since: str = ""
    concerns: Concern = Concern.EVERY_POD

    def stage(self, release: str) -> GateStage | None:
        """How the gate stands in the release by default; None if that does not know it."""
        if self.is_gone(release):
            return None
        reached = [stage for stage in self.stages if has_come(stage.release, release)]
        return reached[-1] if reached else None

    def is_gone(self, release: str) -> bool:
        """Whether the release no longer knows it."""
        return bool(self.until) and has_come(self.until, release)

    def is_on(self, release: str, settings: Mapping[str, bool]) -> bool:
        """Whether it is on where some gates are set; one yet to come is off, and one that is gone is as it was last."""
        stage = self.stage(release)
        if stage is None:
            return self.is_gone(release) and self.stages[-1].is_on
        of_maturity = (name for name, maturity in ALL_OF.items() if maturity is stage.maturity)
        return settings.get(self.name, settings.get(next(of_maturity, ""), stage.is_on))


class Change(Struct, frozen=True):
    """A change of behaviour that no gate governs.

    `field`, of Features or RequestRules, is on from `since` on, and off again from `until` on.
    """

    field: str
    effect: str
    since: str = ""
    until: str = ""

    def is_on(self, release: str) -> bool:
        """Whether it has begun, and not ended."""
        return has_come(self.since, release) and not (self.until and has_come(self.until, release))


CHANGES = table("changes", tuple[Change, ...])
GATES = table("gates", tuple[Gate, ...])


def standing(release: str, settings: Mapping[str, bool]) -> dict[str, bool]:
    """By its field, how each trait stands in a release in which some gates are set."""
    gates = {gate.name: gate for gate in GATES}
    found = {change.field: change.is_on(release) for change in CHANGES}
    for gate in gates.values():
        if gate.field:
            part_of = gates.get(gate.merged_into) if gate.is_gone(release) else None
            found[gate.field] = (part_of or gate).is_on(release, settings)
    return found


def has_come(change: str, release: str) -> bool:
    """Whether a change of one release is there in another; one of no release always is."""
    return not change or release_key(change) <= release_key(release)


@cache
def release_key(release: str) -> tuple[int, ...]:
    """Major and minor number, which order releases."""
    return tuple(int(part) for part in release.split("."))
