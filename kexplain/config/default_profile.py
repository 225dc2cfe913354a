"""The profile that a scheduler has without any configuration. Source: `apis/config/v1/default_plugins.go`."""

from __future__ import annotations

from collections.abc import Iterable

from kexplain.framework.features import Features
from kexplain.framework.plugin import Plugin
from kexplain.framework.profile import DEFAULT_SCHEDULER_NAME, Profile
from kexplain.plugins.registry import DEFAULT_PLUGINS

#: The release whose defaults are followed.
DEFAULT_RELEASE = "1.36"


def default_profile(
    features: Features | None = None,
    *,
    configured: Iterable[Plugin] = (),
    scheduler_name: str = DEFAULT_SCHEDULER_NAME,
    percentage_of_nodes_to_score: int | None = None,
) -> Profile:
    """The default profile; each plugin in `configured` takes the place of the one of its name."""
    replacements = {plugin.name: plugin for plugin in configured}
    plugins = []
    weights = {}
    for make, weight in DEFAULT_PLUGINS:
        plugin = make(features or Features())
        plugins.append(replacements.get(plugin.name, plugin))
        weights[plugin.name] = weight
    return Profile.of(
        plugins,
        weights,
        scheduler_name=scheduler_name,
        percentage_of_nodes_to_score=percentage_of_nodes_to_score,
    )
