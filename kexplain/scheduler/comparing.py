"""Two schedulers that decide about the same pods."""

from __future__ import annotations

from msgspec.structs import replace

from kexplain.framework.plugin import Plugin
from kexplain.framework.profile import FILTERING, Profile
from kexplain.scheduler.cycle import Scheduler

#: The attribute in which a plugin that filters and scores keeps what bears on scores alone.
SCORING = "scoring"


def with_plugins_of(scheduler: Scheduler, other: Scheduler) -> Scheduler:
    """The same scheduler, with a plugin of the other one in place of each that is made of the same.

    So both ask the same plugin, and what it has said to one of them need not be worked out for the other. Of plugins
    that filter, what bears on scores alone may differ.
    """
    theirs = [plugin for profile in other.profiles.values() for plugin in profile.plugins]

    def same(plugin: Plugin) -> Plugin:
        return next((each for each in theirs if _are_alike(each, plugin)), plugin)

    def filtering_the_same(plugin: Plugin) -> Plugin:
        return next((each for each in theirs if _are_alike(each, plugin, but_for=SCORING)), plugin)

    def shared(profile: Profile) -> Profile:
        return profile.with_each(same).with_each(filtering_the_same, FILTERING)

    return replace(scheduler, profiles={name: shared(each) for name, each in scheduler.profiles.items()})


def _are_alike(plugin: Plugin, other: Plugin, *, but_for: str = "") -> bool:
    """Whether plugins are of the same class, and were made of the same arguments, gates and traits, but for one.

    A plugin keeps what it is made of, and nothing that it finds out about a cluster.
    """
    if type(plugin) is not type(other):
        return False
    return plugin == other or (hasattr(plugin, "__dict__") and _made_of(plugin, but_for) == _made_of(other, but_for))


def _made_of(plugin: Plugin, but_for: str) -> dict[str, object]:
    return {name: value for name, value in vars(plugin).items() if name != but_for}
