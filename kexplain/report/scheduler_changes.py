"""How two schedulers are built otherwise: which plugins run where, with which weights and arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from kexplain.config.releases.release import traits
from kexplain.explain.output import Output
from kexplain.grouping import grouped
from kexplain.report.listing import ListedProfile, SchedulerListing

#: A plugin, a place or an argument of it, and what is set there.
_Setting = tuple[tuple[str, str], Any]
_SWITCHED = {True: "on", False: "off"}


class SettingChange(Output, frozen=True):
    """A setting that differs between two schedulers.

    `plugin` is empty for what holds for a whole profile, and `profile` for the whole scheduler. `what` names the
    extension points, the order at one, or an argument; `plugin` is a feature gate where it says that. `before` and
    `after` are empty where there is no such thing.
    `bearing` says what it has to do with the pods of the queue; empty without any.
    """

    profile: str
    plugin: str
    what: str
    before: str
    after: str
    bearing: str = ""
    #: Whether it is known here what the plugin does.
    evaluated: bool = True


def scheduler_changes(before: SchedulerListing, after: SchedulerListing) -> Iterator[SettingChange]:
    """What differs, profile by profile; extension points at which a plugin differs alike are one change."""
    old, new = ({each.scheduler_name: each for each in side.profiles} for side in (before, after))
    for name in {**old, **new}:
        yield from _changes(name, _settings(old.get(name), new.get(name)), _settings(new.get(name), old.get(name)))
    whole = ("percentage_of_nodes_to_score", "percentageOfNodesToScore"), ("extenders", "extenders")
    sides = ([(("", what), getattr(side, field)) for field, what in whole] for side in (before, after))
    yield from _changes("", *sides)


def gate_changes(release: str, before: Mapping[str, bool], after: Mapping[str, bool]) -> Iterator[SettingChange]:
    """The feature gates of a release that stand otherwise, with what they do, and those that no plugin reads."""
    every = {each.gate: each for each in traits(release, after) if each.gate}
    sides = ({**gates, **{each.gate: each.is_on for each in traits(release, gates)}} for gates in (before, after))
    was, now = ([((name, "feature gate"), _SWITCHED[on]) for name, on in side.items() if name] for side in sides)
    for change in _changes("", was, now):
        trait = every.get(change.plugin)
        does = trait.effect.removesuffix(".") if trait else "no plugin reads it"
        yield replace(change, bearing=does, evaluated=trait is None or trait.is_built)


def _changes(profile: str, before: Iterable[_Setting], after: Iterable[_Setting]) -> Iterator[SettingChange]:
    was, now = ({key: _written(value) for key, value in side} for side in (before, after))
    both = ((key, was.get(key, ""), now.get(key, "")) for key in {**was, **now})
    changes = grouped(((key[0], one, other), key[1]) for key, one, other in both if one != other)
    for (plugin, one, other), places in changes.items():
        yield SettingChange(profile=profile, plugin=plugin, what=", ".join(places), before=one, after=other)


def _settings(profile: ListedProfile | None, other: ListedProfile | None) -> Iterator[_Setting]:
    """The settings of a profile, of those that the other one can have, too.

    In which order plugins score bears on nothing.
    """
    if profile is None or other is None:
        yield ("", "the profile"), "there" if profile else ""
        return
    others = {each.extension_point: {plugin.name for plugin in each.plugins} for each in other.points}
    yield ("", "percentageOfNodesToScore"), profile.percentage_of_nodes_to_score
    for point in profile.points:
        where, names = point.extension_point, [each.name for each in point.plugins]
        for plugin in point.plugins:
            yield (plugin.name, where), "on" if plugin.weight is None else f"weight {plugin.weight}"
        if not where.lower().endswith("score"):
            yield ("", f"order at {where}"), ", ".join(name for name in names if name in others.get(where, ()))
    for name in filter(other.arguments.__contains__, profile.arguments):
        yield from (((name, path), value) for path, value in _flat(profile.arguments[name]))


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value below this one with its path."""
    pairs = value.items() if isinstance(value, dict) else ()
    yield from (each for key, inner in pairs for each in _flat(inner, f"{path}.{key}"))
    if not isinstance(value, dict):
        yield path.removeprefix("."), value


def _written(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else msgspec.json.encode(value).decode()
