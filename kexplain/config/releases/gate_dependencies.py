"""Feature gates that need others to be on.

Source: `defaultKubernetesFeatureGateDependencies` of 1.35 and 1.36; what the scheduler declares from 1.37 on has none.
"""

from collections.abc import Mapping

from msgspec import Struct

from kexplain.framework.traits import GATES, Gate, has_come
from kexplain.tables import table


class Dependency(Struct, frozen=True):
    """Gates that a gate needs, in releases from `since` on and before `until`."""

    gate: str
    needs: tuple[str, ...]
    since: str = "1.35"
    until: str = "1.37"


class Dependencies(Struct, frozen=True):
    """All of them, with the gates among them that have no bearing on decisions."""

    dependencies: tuple[Dependency, ...]
    gates: tuple[Gate, ...]


def unmet_needs(release: str, settings: Mapping[str, bool]) -> dict[str, tuple[str, ...]]:
    """By each gate that is on, those that it needs and that are off: kube-scheduler does not start with it then.

    Nothing where no gate is set, as defaults fit together. Source: `unsafeSetFromMap` of `component-base/featuregate`.
    """
    if not settings:
        return {}
    known = table("gate-dependencies", Dependencies)
    stands = {
        gate.name: gate.is_on(release, settings) for gate in (*GATES, *known.gates) if gate.stage(release) is not None
    }
    unmet = {
        each.gate: tuple(name for name in each.needs if not stands.get(name, True))
        for each in known.dependencies
        if stands.get(each.gate) and has_come(each.since, release) and not has_come(each.until, release)
    }
    return {gate: off for gate, off in unmet.items() if off}
