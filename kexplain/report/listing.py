"""A scheduler as it was built: what runs where, in which order, with which weights and arguments."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import msgspec
from msgspec.structs import replace

from kexplain.config.component.plugin_args import PLUGIN_ARGS
from kexplain.config.component.removed_plugins import V1BETA1_ARGS
from kexplain.config.releases.release import Trait
from kexplain.explain.output import Output, copied
from kexplain.explain.records import Document
from kexplain.framework.extender import ExtenderConfig
from kexplain.framework.features import Features
from kexplain.framework.plugin import ExtensionPoint
from kexplain.framework.profile import Profile
from kexplain.scheduler.cycle import Scheduler

#: What the arguments of plugins are read as, by the names of these.
_RECORDS = {**PLUGIN_ARGS, **V1BETA1_ARGS}


class ListedPlugin(Output, frozen=True):
    """A plugin at one extension point; only scores have a weight. If not `evaluated`, its name is all that is known."""

    name: str
    weight: int | None = None
    evaluated: bool = True


class ListedPoint(Output, frozen=True):
    """An extension point and its plugins in order."""

    extension_point: str
    plugins: tuple[ListedPlugin, ...]


class ListedProfile(Output, frozen=True):
    """A profile; percentage None leaves it to the scheduler's, and 0 works it out from the size of the cluster."""

    scheduler_name: str
    points: tuple[ListedPoint, ...]
    percentage_of_nodes_to_score: int | None = None
    arguments: dict[str, Any] = msgspec.field(default_factory=dict)


class ListedExtender(Output, frozen=True):
    """An extender, and what it would be asked for."""

    url: str
    verbs: tuple[str, ...]
    weight: int = 0
    managed_resources: tuple[str, ...] = ()
    ignorable: bool = False


class ListedTrait(Output, frozen=True):
    """Something in which releases differ, and how it stands in this one; see `config.releases.Trait`."""

    name: str
    effect: str
    release: str
    is_on: bool = msgspec.field(name="on")
    gate: str = ""
    maturity: str = ""
    is_locked: bool = msgspec.field(default=False, name="locked")
    #: Without, reports say that the setting is not followed.
    is_built: bool = msgspec.field(default=True, name="built")


class SchedulerListing(Document, frozen=True, kw_only=True):
    """The whole scheduler; with a release that it is `compared_with`, `traits` are those that differ from it."""

    kind: str = "Scheduler"
    kubernetes_version: str
    percentage_of_nodes_to_score: int
    profiles: tuple[ListedProfile, ...]
    extenders: tuple[ListedExtender, ...] = ()
    traits: tuple[ListedTrait, ...] = ()
    compared_with: str = ""


def listing(scheduler: Scheduler, traits: Iterable[Trait] = (), compared_with: str = "") -> SchedulerListing:
    """The scheduler, listed, and what its release is like, or in what it differs from another."""
    return SchedulerListing(
        kubernetes_version=scheduler.release,
        percentage_of_nodes_to_score=scheduler.percentage_of_nodes_to_score,
        profiles=tuple(_profile(profile, scheduler.features) for profile in scheduler.profiles.values()),
        extenders=tuple(_extender(config) for config in scheduler.extenders),
        traits=tuple(_trait(trait) for trait in traits),
        compared_with=compared_with,
    )


def _profile(profile: Profile, features: Features) -> ListedProfile:
    names = dict.fromkeys((*chain(*profile.at_point.values()), *profile.arguments))
    arguments = {name: _in_full(name, profile, features) for name in names}
    arguments = {name: each for name, each in arguments.items() if each}
    return copied(profile, ListedProfile, points=tuple(_points(profile)), arguments=arguments)


def _in_full(name: str, profile: Profile, features: Features) -> Any:
    """What a plugin was given, and the defaults of what it was not given; how it scores only where it does."""
    given, record = profile.arguments.get(name, {}), _RECORDS.get(name)
    known = record.defaults(features) if record else {}
    if name not in (*profile.weights, *profile.placement_weights):
        known.pop("scoringStrategy", None)
    nested = {key: {**known[key], **each} for key, each in given.items() if isinstance(known.get(key), dict)}
    return {key: each for key, each in {**known, **given, **nested}.items() if each not in (None, (), [])}


def _points(profile: Profile) -> Iterator[ListedPoint]:
    unknown = dict.fromkeys(plugin.name for plugin in profile.not_evaluated)
    score, placement = ExtensionPoint.SCORE, ExtensionPoint.PLACEMENT_SCORE
    weights_by_point = {score: profile.weights, placement: profile.placement_weights}
    for point, names in profile.at_point.items():
        weights = weights_by_point.get(point, {})
        plugins = (ListedPlugin(name=n, weight=weights.get(n), evaluated=n not in unknown) for n in names)
        if names:
            yield ListedPoint(extension_point=point.value, plugins=tuple(plugins))
    anywhere = [name for name in unknown if not any(name in names for names in profile.at_point.values())]
    if anywhere:
        # Only such a plugin knows at which points it runs.
        plugins = (ListedPlugin(name=name, evaluated=False) for name in anywhere)
        yield ListedPoint(extension_point="multiPoint", plugins=tuple(plugins))


def _trait(trait: Trait) -> ListedTrait:
    return replace(msgspec.convert(trait, ListedTrait, from_attributes=True), name=trait.name.replace("_", " "))


def _extender(config: ExtenderConfig) -> ListedExtender:
    every = (config.filter_verb, config.prioritize_verb, config.preempt_verb, config.bind_verb)
    managed = tuple(resource.name for resource in config.managed_resources)
    verbs = tuple(filter(None, every))
    return copied(config, ListedExtender, url=config.url_prefix, verbs=verbs, managed_resources=managed)
