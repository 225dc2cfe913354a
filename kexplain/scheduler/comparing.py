"""Two schedulers that decide about the same pods."""

from __future__ import annotations

from msgspec.structs import replace

from kexplain.framework.plugin import Plugin
from kexplain.scheduler.cycle import Scheduler


def with_plugins_of(scheduler: Scheduler, other: Scheduler) -> Scheduler:
    """The same scheduler, with a plugin of the other one in place of each that is made of the same.

    So both ask the same plugin, and what it has said to one of them need not be worked out for the other.
    """
    theirs = [plugin for profile in other.profiles.values() for plugin in profile.plugins]

    def same(plugin: Plugin) -> Plugin:
        return next((each for each in theirs if _are_alike(each, plugin)), plugin)

    return replace(scheduler, profiles={name: each.with_each(same) for name, each in scheduler.profiles.items()})


def _are_alike(plugin: Plugin, other: Plugin) -> bool:
    """Whether plugins are of the same class, and were made of the same arguments, gates and traits.

    A plugin keeps what it is made of, and nothing that it finds out about a cluster.
    """
    if type(plugin) is not type(other):
        return False
    return plugin == other or (hasattr(plugin, "__dict__") and vars(plugin) == vars(other))
