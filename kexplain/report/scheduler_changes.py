"""How two schedulers are built otherwise: which plugins run where, with which weights and arguments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from kexplain.explain.output import Output
from kexplain.grouping import grouped
from kexplain.report.listing import ListedProfile, SchedulerListing


class SettingChange(Output, frozen=True):
    """A setting that differs between two schedulers.

    `plugin` is empty for what holds for a whole profile, and `profile` for the whole scheduler. `what` names the
    extension points, the order at one, or an argument. `before` and `after` are empty where there is no such thing.
    """

    profile: str
    plugin: str
    what: str
    before: str
    after: str


def scheduler_changes(before: SchedulerListing, after: SchedulerListing) -> Iterator[SettingChange]:
    """What differs, profile by profile; extension points at which a plugin differs alike are one change."""
    old, new = ({each.scheduler_name: each for each in side.profiles} for side in (before, after))
    for name in {**old, **new}:
        was, now = (dict(_settings(one.get(name), other.get(name))) for one, other in ((old, new), (new, old)))
        both = ((key, was.get(key, ""), now.get(key, "")) for key in {**was, **now})
        changes = grouped(((key[0], one, other), key[1]) for key, one, other in both if one != other)
        for (plugin, one, other), points in changes.items():
            yield SettingChange(profile=name, plugin=plugin, what=", ".join(points), before=one, after=other)
    shares, extenders = (
        [_written(getattr(side, name)) for side in (before, after)]
        for name in ("percentage_of_nodes_to_score", "extenders")
    )
    for what, (one, other) in (("percentageOfNodesToScore", shares), ("extenders", extenders)):
        if one != other:
            yield SettingChange(profile="", plugin="", what=what, before=one, after=other)


def _settings(profile: ListedProfile | None, other: ListedProfile | None) -> Iterator[tuple[tuple[str, str], str]]:
    """The settings of a profile by plugin and place, of those that the other one can have, too.

    In which order plugins score bears on nothing.
    """
    if profile is None or other is None:
        yield ("", "the profile"), "there" if profile else ""
        return
    others = {each.extension_point: {plugin.name for plugin in each.plugins} for each in other.points}
    yield ("", "percentageOfNodesToScore"), _written(profile.percentage_of_nodes_to_score)
    for point in profile.points:
        where, names = point.extension_point, [each.name for each in point.plugins]
        for plugin in point.plugins:
            yield (plugin.name, where), "on" if plugin.weight is None else f"weight {plugin.weight}"
        if not where.lower().endswith("score"):
            yield ("", f"order at {where}"), ", ".join(name for name in names if name in others.get(where, ()))
    for name in filter(other.arguments.__contains__, profile.arguments):
        yield from (((name, path), text) for path, text in _flat(profile.arguments[name]))


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every value below this one with its path."""
    if not isinstance(value, dict):
        yield path.removeprefix("."), _written(value)
        return
    for key, each in value.items():
        yield from _flat(each, f"{path}.{key}")


def _written(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else msgspec.json.encode(value).decode()
