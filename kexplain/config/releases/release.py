"""The releases of Kubernetes that decisions can follow: what each does, and how feature gates change that."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from kexplain.errors import UsageError
from kexplain.framework.features import DEFAULT_FEATURES, DEFAULT_RELEASE, Features
from kexplain.framework.traits import (
    ALL_OF,
    CHANGES,
    GATES,
    Change,
    Concern,
    Gate,
    GateStage,
    has_come,
    release_key,
    standing,
)
from kexplain.objects.core import Pod
from kexplain.objects.requests import DEFAULT_RULES, RequestRules
from kexplain.parameters import parameter
from kexplain.patterns import regex
from kexplain.scheduler.cycle import Scheduler
from kexplain.tables import table, words
from kexplain.words import did_you_mean, joined

RELEASES = tuple(f"1.{minor}" for minor in range(22, 39))
#: The last release that read Policies.
POLICY_RELEASE = "1.22"
#: Releases that are decided as their source reads, but not compared with decisions of the real scheduler.
UNRECORDED = frozenset({"1.37", "1.38"})

#: Gates of Kubernetes 1.22 to 1.38 that have no bearing on what a scheduler decides here, which knows those of every
#: component. Some are about scheduling: when pods are tried again, how requests reach the API server, volumes of RBD.
OTHER_GATES = words("inert-gates")
_GATE_BY_NAME = {gate.name: gate for gate in GATES}
_DOCUMENTATION = "see https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/"
#: Such as 1.34, v1.34.1, v1.34.1-gke.1 or 1.27+; the minor is all that counts.
_VERSION = regex(r"v?(?P<major>\d{1,3})\.(?P<minor>\d{1,3})(?:[.+-].*)?", re.DOTALL)


class Dependency(Struct, frozen=True):
    """Gates that a gate needs, in releases from `since` on and before `until`.

    Source: `defaultKubernetesFeatureGateDependencies` of 1.35 and 1.36; what the scheduler declares in 1.37 has none.
    """

    gate: str
    needs: tuple[str, ...]
    since: str = "1.35"
    until: str = "1.37"


class Dependencies(Struct, frozen=True):
    """All of them, with the gates among them that have no bearing on decisions."""

    dependencies: tuple[Dependency, ...]
    gates: tuple[Gate, ...]


class Trait(Struct, frozen=True):
    """Something in which releases differ, and how it stands in one of them.

    `release` is the one that changed it last before that, or, where it is yet to change, the one that will. `gate`
    and `maturity` are empty for what no gate governs. What is not built is told in reports and otherwise left out.
    """

    name: str
    effect: str
    release: str
    is_on: bool
    gate: str = ""
    maturity: str = ""
    is_locked: bool = False
    is_built: bool = True


class UnbuiltGate(Struct, frozen=True):
    """A feature gate that is on, and not built here; takes the place of a plugin that is not evaluated."""

    name: str
    effect: str
    concerns: Concern = Concern.EVERY_POD

    def not_evaluated(self, pod: Pod) -> str | None:
        """What the gate would change; None for pods that it does not concern."""
        if self.concerns is Concern.CLAIMS and not pod.spec.resource_claims:
            return None
        return f"a feature gate that is on but not built here: {self.effect.rstrip('.')}"


class Behaviour(Struct, frozen=True):
    """A release with its gates as they are set: what plugins ask, how requests count, and what is left open."""

    release: str = DEFAULT_RELEASE
    features: Features = DEFAULT_FEATURES
    rules: RequestRules = DEFAULT_RULES
    unbuilt: tuple[UnbuiltGate, ...] = ()


def behaving(scheduler: Scheduler, behaviour: Behaviour) -> Scheduler:
    """The scheduler with what its release is like; its plugins have been made for that already."""
    profiles = {
        name: replace(profile, not_evaluated=(*profile.not_evaluated, *behaviour.unbuilt))
        for name, profile in scheduler.profiles.items()
    }
    return replace(
        scheduler, profiles=profiles, release=behaviour.release, features=behaviour.features, rules=behaviour.rules
    )


@lru_cache(maxsize=4096)
def minor_release(text: str) -> str:
    """The release of a version, such as 1.34 of v1.34.1-gke.1; empty if the text is none."""
    match = _VERSION.fullmatch(text.strip())
    return f"{int(match['major'])}.{int(match['minor'])}" if match else ""


def known_release(text: str) -> str:
    """The release that somebody asks for. Raises UsageError on one that is not known here."""
    release = minor_release(text)
    if release not in RELEASES:
        raise UsageError(f"Kubernetes {text} is not known here", f"known are {RELEASES[0]} to {RELEASES[-1]}")
    return release


def named(release: str) -> str:
    """The release, and whether decisions as it makes them are yet to be compared with real ones."""
    return f"{release} (read from source, not yet recorded)" if release in UNRECORDED else release


def nearest_release(release: str) -> str:
    """The known release that is closest to any release."""
    if release_key(release) <= release_key(RELEASES[0]):
        return RELEASES[0]
    return release if release in RELEASES else RELEASES[-1]


def features_of(release: str = DEFAULT_RELEASE, gates: Mapping[str, bool] | None = None) -> Features:
    """The features of a release such as "1.34", with some feature gates set otherwise.

    Raises UsageError on a release or a gate that is not known, and on a gate that is locked.
    """
    return Features(**_on_by_field(release, gates, Features.__struct_fields__))


def behaviour_of(release: str, gates: Mapping[str, bool] | None = None) -> Behaviour:
    """All that a release with these gates is like; raises as `features_of` does."""
    release = known_release(release)
    rules = request_rules_of(release, gates)
    return Behaviour(release, features_of(release, gates), rules, unbuilt_gates(release, gates))


def request_rules_of(release: str = DEFAULT_RELEASE, gates: Mapping[str, bool] | None = None) -> RequestRules:
    """How requests are counted in a release; raises as `features_of` does."""
    return RequestRules(**_on_by_field(release, gates, RequestRules.__struct_fields__))


def unbuilt_gates(release: str, gates: Mapping[str, bool] | None = None) -> tuple[UnbuiltGate, ...]:
    """The gates whose setting is not followed here; raises as `features_of` does."""
    unbuilt = (trait for trait in traits(release, gates) if not trait.is_built)
    return tuple(UnbuiltGate(trait.name, trait.effect, _GATE_BY_NAME[trait.name].concerns) for trait in unbuilt)


def traits(release: str = DEFAULT_RELEASE, gates: Mapping[str, bool] | None = None) -> tuple[Trait, ...]:
    """Everything in which releases differ, as it stands in this one; raises as `features_of` does."""
    return _traits(known_release(release), tuple((gates or {}).items()))


@lru_cache(maxsize=64)
def _traits(release: str, settings: tuple[tuple[str, bool], ...]) -> tuple[Trait, ...]:
    return (*(_changed(change, release) for change in CHANGES), *_gates(release, dict(settings)))


def differing(
    release: str, other: str, gates: Mapping[str, bool] | None = None, other_gates: Mapping[str, bool] | None = None
) -> tuple[Trait, ...]:
    """What stands otherwise in the other release, as it stands there, with the newer release that changed it.

    A gate that is gone stands as it did last, and one that is yet to come is off; raises as `features_of` does.
    """
    old = {trait.name: trait for trait in traits(release, gates)}
    new = {trait.name: trait for trait in traits(other, other_gates)}
    newer = new if release_key(release) < release_key(other) else old
    return tuple(
        replace(trait, is_on=_stands(name, other, new), release=newer.get(name, trait).release)
        for name, trait in {**old, **new}.items()
        if _stands(name, release, old) != _stands(name, other, new)
    )


def _stands(name: str, release: str, known: Mapping[str, Trait]) -> bool:
    """Whether a trait holds in that release; only gates may not be among the `known`."""
    if name in known:
        return known[name].is_on
    gate = _GATE_BY_NAME[name]
    return known[gate.merged_into].is_on if gate.is_gone(release) and gate.merged_into else gate.is_on(release, {})


def _on_by_field(release: str, gates: Mapping[str, bool] | None, names: Collection[str]) -> dict[str, bool]:
    # Whatever is wrong with the gates is found here.
    traits(release, gates)
    return {name: on for name, on in standing(release, gates or {}).items() if name in names}


def _changed(change: Change, release: str) -> Trait:
    is_over = change.until and (not change.since or has_come(change.until, release))
    return Trait(change.field, change.effect, change.until if is_over else change.since, change.is_on(release))


def _gates(release: str, settings: Mapping[str, bool]) -> Iterator[Trait]:
    stages = _stages(release)
    for name, value in settings.items():
        _check(name, value, stages, release)
    for gate_name, off in unmet_needs(release, settings).items():
        raise UsageError(
            _unmet_text(gate_name, off, release), f"turn on {joined(off)} as well, or turn off {gate_name}"
        )
    for name, stage in stages.items():
        gate = _GATE_BY_NAME[name]
        is_on = gate.is_on(release, settings)
        is_built, maturity = _is_built(gate, stage, release, is_on=is_on), stage.maturity.value
        yield Trait(name, gate.effect, stage.release, is_on, name, maturity, stage.is_locked, is_built)


def _is_built(gate: Gate, stage: GateStage, release: str, *, is_on: bool) -> bool:
    return (not is_on or has_come(gate.built_since, release)) if gate.field else is_on == stage.is_on


def unmet_needs(release: str, settings: Mapping[str, bool]) -> dict[str, tuple[str, ...]]:
    """By each gate that is on, those that it needs and that are off: kube-scheduler does not start with it then.

    Nothing where no gate is set, as defaults fit together.

    Source: `unsafeSetFromMap` of `component-base/featuregate`.
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


def gates_in_the_way(gates: Mapping[str, bool], release: str) -> dict[str, str]:
    """Of each gate with which kube-scheduler of a release would not start, what is in its way; raises on no release."""
    stages, release = _stages(known_release(release)), minor_release(release)
    found = {}
    for name, value in gates.items():
        try:
            _check(name, value, stages, release)
        except UsageError as error:
            found[name] = f"{error.message} ({error.hint})" if error.hint else error.message
    kept = {name: value for name, value in gates.items() if name not in found}
    for gate, off in unmet_needs(release, kept).items():
        found |= {name: _unmet_text(gate, off, release) for name in ((gate,) if gate in kept else off) if name in kept}
    return found


def _unmet_text(gate: str, off: Sequence[str], release: str) -> str:
    text = f"{gate} is enabled, but depends on features that are disabled: [{' '.join(off)}]"
    return f"{parameter('feature_gates')}: {text} in Kubernetes {release}"


def _check(name: str, value: bool, stages: Mapping[str, GateStage], release: str) -> None:
    """Raises UsageError where kube-scheduler would not start with this setting."""
    stage = stages.get(name)
    if stage is not None:
        if stage.is_locked and value != stage.is_on:
            text = f"cannot set feature gate {name} to {str(value).lower()}, feature is locked to "
            raise UsageError(f"{parameter('feature_gates')}: {text}{str(stage.is_on).lower()} in Kubernetes {release}")
    elif not knows_gate(release, name):
        message = f"{parameter('feature_gates')}: {name} is not a feature gate of Kubernetes {release}"
        raise UsageError(message, _hint(name, stages))


def knows_gate(release: str, name: str) -> bool:
    """Whether kube-scheduler of the release takes a gate of this name; of those without a bearing, any release does."""
    return name in OTHER_GATES or name in ALL_OF or name in _stages(release)


def _hint(name: str, stages: Mapping[str, GateStage]) -> str:
    if name in _GATE_BY_NAME:
        gate = _GATE_BY_NAME[name]
        first = gate.stages[0].release
        removed = f" and removed in {gate.until}" if gate.until else ""
        merged = f", where it is part of {gate.merged_into}" if gate.merged_into else ""
        return f"it was added in {first}{removed}{merged}"
    return did_you_mean(name, [*stages, *OTHER_GATES, *ALL_OF]) or _DOCUMENTATION


def _stages(release: str) -> dict[str, GateStage]:
    return {gate.name: stage for gate in GATES if (stage := gate.stage(release)) is not None}
