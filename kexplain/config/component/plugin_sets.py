"""Which plugins are on and off at each extension point, as configurations say it.

Source: scheduler `apis/config/v1/default_plugins.go`, where sets are merged, and `framework/runtime/framework.go`,
where multiPoint is expanded.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kexplain.errors import KexplainError
from kexplain.framework.plugin import ExtensionPoint, Plugin, implements
from kexplain.framework.profile import Profile
from kexplain.plugins.out_of_tree import OutOfTreePlugin
from kexplain.plugins.priority_sort import PrioritySort

MULTI_POINT = "multiPoint"
#: Disables every plugin that is on by default.
ALL_PLUGINS = "*"


class ProfileError(KexplainError):
    """Plugin sets that a scheduler would refuse to start with, and what of them is at fault.

    `plugin` is empty where no single one is.
    """

    def __init__(self, message: str, point: str, plugin: str = "") -> None:
        super().__init__(message)
        self.point = point
        self.plugin = plugin


class PluginRef(Struct, frozen=True):
    """A plugin and what its score weighs; 0 leaves the weight open."""

    name: str
    weight: int = 0


class PluginSet(Struct, frozen=True):
    """What is on, in order, and what is off of the defaults."""

    enabled: tuple[PluginRef, ...] = ()
    disabled: tuple[str, ...] = ()


#: By extension point, or multiPoint for all that a plugin implements.
PluginSets = Mapping[str, PluginSet]


def merged(defaults: PluginSets, custom: PluginSets, *, replaces: bool = True) -> dict[str, PluginSet]:
    """The defaults as somebody's own sets change them: what is named again keeps its place, the rest comes last.

    Unless it `replaces`, what is named again comes last too, a second time.
    """
    points = (MULTI_POINT, *ExtensionPoint)
    none = PluginSet()
    return {point: _merged(defaults.get(point, none), custom.get(point, none), replaces=replaces) for point in points}


def _merged(default: PluginSet, custom: PluginSet, *, replaces: bool) -> PluginSet:
    disabled = {*custom.disabled, *default.disabled}
    # Of a plugin that is named twice, the last takes the default's place; building the profile will object.
    index_by_name = {plugin.name: index for index, plugin in enumerate(custom.enabled)} if replaces else {}
    kept = [] if ALL_PLUGINS in disabled else [plugin for plugin in default.enabled if plugin.name not in disabled]
    replacing = {index_by_name[plugin.name] for plugin in kept if plugin.name in index_by_name}
    enabled = [custom.enabled[index_by_name[each.name]] if each.name in index_by_name else each for each in kept]
    added = [plugin for index, plugin in enumerate(custom.enabled) if index not in replacing]
    return PluginSet((*enabled, *added), (*custom.disabled, *default.disabled))


def build_profile(
    sets: PluginSets,
    make: Callable[[str], Plugin],
    *,
    scheduler_name: str,
    percentage_of_nodes_to_score: int | None = None,
    arguments: Mapping[str, Any] | None = None,
    runs_all_filters: bool = False,
) -> Profile:
    """The profile of these sets, with the plugins that `make` makes by name; `arguments` are what it made them of.

    Raises ProfileError where kube-scheduler would not start with it.
    """
    plugins = {name: make(name) for name in _names(sets)}
    by_point = {point: [plugins[name] for name in _at_point(sets, point, plugins)] for point in ExtensionPoint}
    anywhere = [plugins[each.name] for each in _enabled(sets, MULTI_POINT)]
    anywhere = [plugin for plugin in anywhere if isinstance(plugin, OutOfTreePlugin)]
    _with_stand_ins(by_point, is_open=bool(anywhere), scheduler_name=scheduler_name)
    weights, of_placements = _weights(sets, ExtensionPoint.SCORE), _weights(sets, ExtensionPoint.PLACEMENT_SCORE)
    return replace(
        Profile.at(by_point, weights, of_placements, anywhere),
        scheduler_name=scheduler_name,
        percentage_of_nodes_to_score=percentage_of_nodes_to_score,
        arguments=arguments or {},
        runs_all_filters=runs_all_filters,
    )


def _enabled(sets: PluginSets, point: str) -> tuple[PluginRef, ...]:
    return sets[point].enabled if point in sets else ()


def _weights(sets: PluginSets, point: ExtensionPoint) -> dict[str, int]:
    """What plugins weigh at a point: as they are named there, or else at multiPoint."""
    return {plugin.name: plugin.weight for plugin in (*_enabled(sets, MULTI_POINT), *_enabled(sets, point))}


def _names(sets: PluginSets) -> Iterator[str]:
    points = (MULTI_POINT, *ExtensionPoint)
    yield from dict.fromkeys(plugin.name for point in points for plugin in _enabled(sets, point))


def _at_point(sets: PluginSets, point: ExtensionPoint, plugins: Mapping[str, Plugin]) -> list[str]:
    """The names at one point: those named both here and at multiPoint, multiPoint's others, then the rest."""
    named = [plugin.name for plugin in _enabled(sets, point)]
    _check_named(named, point, plugins)
    disabled = sets[point].disabled if point in sets else ()
    if ALL_PLUGINS in disabled:
        return named
    expanded: list[str] = []
    overridden: list[str] = []
    for plugin in _enabled(sets, MULTI_POINT):
        if plugin.name in disabled or not implements(plugins[plugin.name], point):
            continue
        if plugin.name in expanded:
            raise ProfileError(f"plugin {plugin.name} is enabled twice at {MULTI_POINT}", MULTI_POINT, plugin.name)
        (overridden if plugin.name in named else expanded).append(plugin.name)
    kept = [name for name in named if name in overridden]
    return [*kept, *expanded, *(name for name in named if name not in overridden)]


def _check_named(named: Sequence[str], point: ExtensionPoint, plugins: Mapping[str, Plugin]) -> None:
    """Raise ProfileError if a plugin is named twice at a point, or has nothing to do there."""
    for index, name in enumerate(named):
        if name in named[:index]:
            raise ProfileError(f"plugin {name} is enabled twice at {point}", point, name)
        plugin = plugins[name]
        if not implements(plugin, point) and not isinstance(plugin, OutOfTreePlugin):
            points = ", ".join(each for each in ExtensionPoint if implements(plugin, each))
            raise ProfileError(f"plugin {name} does not implement {point}, only {points}", point, name)


def _with_stand_ins(by_point: dict[ExtensionPoint, list[Plugin]], *, is_open: bool, scheduler_name: str) -> None:
    """Ensure that one plugin sorts the queue and one binds; `is_open` if an unknown one may do either.

    Where an unknown plugin sorts, the usual order replaces its own.
    """
    sorting = by_point[ExtensionPoint.QUEUE_SORT]
    if len(sorting) > 1 or not (sorting or is_open):
        names = ", ".join(plugin.name for plugin in sorting) or "none"
        point = ExtensionPoint.QUEUE_SORT
        raise ProfileError(f"profile {scheduler_name} must have exactly one plugin at {point}, but has {names}", point)
    if not (by_point[ExtensionPoint.BIND] or is_open):
        point = ExtensionPoint.BIND
        raise ProfileError(f"profile {scheduler_name} must have a plugin at {point}, but has none", point)
    if not any(implements(plugin, ExtensionPoint.QUEUE_SORT) for plugin in sorting):
        sorting.append(PrioritySort())
