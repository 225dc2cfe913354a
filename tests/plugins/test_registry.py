from __future__ import annotations

from kexplain.framework.features import Features
from kexplain.plugins.registry import IN_TREE_PLUGINS


def test_plugins_are_named_as_their_classes() -> None:
    for name, make in IN_TREE_PLUGINS.items():
        plugin = make(Features())
        assert plugin.name == type(plugin).__name__ == name
