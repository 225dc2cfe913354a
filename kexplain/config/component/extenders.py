"""What extenders mean for the scheduler that has them. Source: scheduler `buildExtenders`."""

from __future__ import annotations

from msgspec.structs import replace

from kexplain.framework.plugin import Plugin
from kexplain.framework.profile import Profile
from kexplain.plugins.node_resources_fit import NodeResourcesFit
from kexplain.scheduler.cycle import Scheduler


def with_extenders(scheduler: Scheduler, *, calls: bool) -> Scheduler:
    """The scheduler with its extenders in the order in which they are asked, connected if they are to be called.

    The resources that they alone look after are left out of NodeResourcesFit.
    Raises UsageError on certificates that cannot be used.
    """
    if not scheduler.extenders:
        return scheduler
    # Those whose failures do not matter come last.
    ordered = tuple(sorted(scheduler.extenders, key=lambda config: config.ignorable))
    ignored = frozenset(
        resource.name for config in ordered for resource in config.managed_resources if resource.ignored_by_scheduler
    )
    scheduler = replace(scheduler, extenders=ordered)
    if ignored:
        scheduler = replace(scheduler, profiles=_ignoring(scheduler, ignored))
    if calls:
        from kexplain.extenders.http_extender import HttpExtender  # noqa: PLC0415 (few runs speak HTTP)

        bare_nodes = scheduler.features.returned_nodes_are_scored_bare
        connected = (HttpExtender(config, bare_nodes=bare_nodes) for config in ordered)
        scheduler = replace(scheduler, connected_extenders=tuple(connected))
    return scheduler


def _ignoring(scheduler: Scheduler, resources: frozenset[str]) -> dict[str, Profile]:
    def ignoring(plugin: Plugin) -> Plugin:
        return plugin.ignoring(resources) if isinstance(plugin, NodeResourcesFit) else plugin

    return {name: profile.with_each(ignoring) for name, profile in scheduler.profiles.items()}
