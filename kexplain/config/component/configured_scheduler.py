"""The scheduler that a KubeSchedulerConfiguration describes.

Source: scheduler `scheduler.go` `New`, `profile.NewMap`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec
from msgspec import Struct

from kexplain.config.component.decoding import Decoded, decode
from kexplain.config.component.default_profile import default_plugin_sets
from kexplain.config.component.plugin_args import PluginArgs, VolumeBindingArgs
from kexplain.config.component.plugin_sets import (
    ALL_PLUGINS,
    PluginSet,
    PluginSets,
    ProfileError,
    build_profile,
    merged,
)
from kexplain.config.component.records import KubeSchedulerProfile
from kexplain.config.component.removed_plugins import REMOVED_PLUGINS
from kexplain.config.component.rules import broken_rules
from kexplain.config.releases.release import Behaviour, behaving
from kexplain.framework.plugin import ExtensionPoint, Plugin
from kexplain.framework.profile import Profile
from kexplain.framework.traits import release_key
from kexplain.load.text.plain_values import PlainDocument
from kexplain.objects.problem import Path, Problem
from kexplain.objects.well_known import DEFAULT_SCHEDULER_NAME
from kexplain.parameters import parameter
from kexplain.plugins.out_of_tree import OutOfTreePlugin
from kexplain.plugins.registry import IN_TREE_PLUGINS, VOLUME_LIMIT_PLUGINS
from kexplain.plugins.storage_scoring import default_shape
from kexplain.scheduler.cycle import Scheduler
from kexplain.words import ask, clauses, did_you_mean


def scheduler_from(
    configuration: object, behaviour: Behaviour | None = None, document: PlainDocument | None = None
) -> Scheduler:
    """The scheduler that this configuration, a plain value, describes; it may be that of a document.

    Raises InputError with everything that kube-scheduler would refuse to start with.
    """
    decoded, problems = decode(configuration)
    building = None
    if decoded is not None:
        problems += _unless_under(problems, broken_rules(decoded.value))
        building = _Building(decoded, behaviour or Behaviour())
        if not problems:
            problems += building.build()
    (document or PlainDocument("scheduler configuration", configuration)).refuse(problems)
    assert building is not None  # noqa: S101 - what cannot be decoded is a problem
    return building.scheduler()


def _unless_under(known: Iterable[Problem], found: Iterable[Problem]) -> Iterator[Problem]:
    """What is found where nothing is known to be wrong yet: what was taken out may break a rule by its absence."""
    paths = [problem.path for problem in known]
    yield from (each for each in found if not any(_touches(each.path, path) for path in paths))


def _touches(one: Path, other: Path) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


#: How like a plugin's name another must be to be meant for it: plugins of others may be turned off, too.
_SLIP = 0.9


class _Building(Struct):
    """A configuration that keeps all rules, on its way to a scheduler."""

    decoded: Decoded
    behaviour: Behaviour
    profiles: list[Profile] = msgspec.field(default_factory=list)
    notes: list[str] = msgspec.field(default_factory=list)

    def build(self) -> Iterator[Problem]:
        """Make the profiles, and yield what is wrong with those that cannot be made."""
        configuration = self.decoded.configuration
        yield from self._not_read()
        given = configuration.profiles or (KubeSchedulerProfile(),)
        every_args = self.decoded.args or ({},)
        sets = [self._sets(profile) for profile in given]
        for index, (profile, args) in enumerate(zip(given, every_args, strict=True)):
            own = (*self._gone(profile), *self._disabled(profile, args), *_misspelt(profile))
            yield from (each.below("profiles", index) for each in own)
            if sets[index][ExtensionPoint.QUEUE_SORT] != sets[0][ExtensionPoint.QUEUE_SORT]:
                path: Path = ("profiles", index, "plugins", ExtensionPoint.QUEUE_SORT)
                yield Problem(path, "differs from profiles[0]: all profiles share one queue")
            try:
                self.profiles.append(self._profile(profile, sets[index], args))
            except ProfileError as error:
                yield Problem(("profiles", index, *_place(profile, error)), error.message)

    def _not_read(self) -> Iterator[Problem]:
        """That the release reads no configurations of this version."""
        release = self.behaviour.release
        first, last = self.decoded.version.served
        is_over = bool(last) and release_key(last) < release_key(release)
        if is_over or release_key(release) < release_key(first):
            when = f"last read by Kubernetes {last}" if is_over else f"first read by Kubernetes {first}"
            instead = f"decide as that one with {parameter('kubernetes_version', last if is_over else first)}"
            text = (
                f"{self.decoded.configuration.api_version} was {when}: kube-scheduler {release} refuses it; {instead}"
            )
            yield Problem(("apiVersion",), text)

    def _gone(self, profile: KubeSchedulerProfile) -> Iterator[Problem]:
        """Plugins that the release no longer has; paths are below the profile."""
        if self.behaviour.features.in_tree_volume_limits:
            return
        message = (
            f"was removed in Kubernetes 1.31, and this is {self.behaviour.release}: NodeVolumeLimits counts all volumes"
        )
        for point, plugins in profile.plugins.by_field().items():
            for place, plugin in enumerate(plugins.enabled):
                if plugin.name in VOLUME_LIMIT_PLUGINS:
                    yield Problem(("plugins", point, "enabled", place, "name"), f"{plugin.name} {message}")
        for place, config in enumerate(profile.plugin_config):
            if config.name in VOLUME_LIMIT_PLUGINS:
                yield Problem(("pluginConfig", place, "name"), f"{config.name} {message}")

    def _disabled(self, profile: KubeSchedulerProfile, args: Mapping[str, PluginArgs]) -> Iterator[Problem]:
        """Arguments that need a feature which is off; paths are below the profile."""
        for place, config in enumerate(profile.plugin_config):
            given = args.get(config.name)
            has_shape = isinstance(given, VolumeBindingArgs) and given.shape is not None
            if has_shape and not default_shape(self.behaviour.features):
                message = "needs the feature gate StorageCapacityScoring, which is off; take it out"
                yield Problem(("pluginConfig", place, "args", "shape"), message)

    def scheduler(self) -> Scheduler:
        configuration = self.decoded.configuration
        scheduler = Scheduler(
            {profile.scheduler_name: profile for profile in self.profiles},
            configuration.percentage_of_nodes_to_score or 0,
            extenders=configuration.extenders,
            notes=tuple(dict.fromkeys(self.notes)),
        )
        return behaving(scheduler, self.behaviour)

    def _sets(self, profile: KubeSchedulerProfile) -> PluginSets:
        version, features = self.decoded.version, self.behaviour.features
        custom = profile.plugins.by_point()
        if not features.placement_feasible_is_configured:
            custom = {**custom, ExtensionPoint.PLACEMENT_FEASIBLE: PluginSet()}
        return merged(default_plugin_sets(features, version.defaults), custom, replaces=version.replaces)

    def _profile(self, profile: KubeSchedulerProfile, sets: PluginSets, args: Mapping[str, PluginArgs]) -> Profile:
        configured = {config.name for config in profile.plugin_config}

        def make(name: str) -> Plugin:
            if name in args:
                return args[name].plugin(self.behaviour.features)
            maker = IN_TREE_PLUGINS.get(name) or REMOVED_PLUGINS.get(name)
            if maker is not None:
                return maker(self.behaviour.features)
            points = [point for point, each in sets.items() if any(plugin.name == name for plugin in each.enabled)]
            meant = _meant(name, IN_TREE_PLUGINS)
            return OutOfTreePlugin(name, tuple(points), has_args=name in configured, meant=meant)

        made = build_profile(
            sets,
            make,
            scheduler_name=profile.scheduler_name or DEFAULT_SCHEDULER_NAME,
            percentage_of_nodes_to_score=profile.percentage_of_nodes_to_score,
            arguments={config.name: config.args for config in profile.plugin_config if config.args},
        )
        self.notes += _unused_args(made, configured, args)
        return made


def _meant(name: str, known: Iterable[str]) -> str:
    """A question for the name that is meant; empty unless it is one slip away: others have plugins of their own."""
    from difflib import get_close_matches  # noqa: PLC0415 (few configurations name what is not there)

    return ask(*get_close_matches(name, known, 1, _SLIP))


def _misspelt(profile: KubeSchedulerProfile) -> Iterator[Problem]:
    """Names that turn nothing off and are close to one that would; kube-scheduler takes them without a word."""
    specs = profile.plugins.by_field()
    own = {plugin.name for plugins in specs.values() for plugin in plugins.enabled}
    known = {*IN_TREE_PLUGINS, *REMOVED_PLUGINS, *own, ALL_PLUGINS}
    for point, plugins in specs.items():
        for place, plugin in enumerate(plugins.disabled):
            if plugin.name not in known and (meant := _meant(plugin.name, known)):
                path = ("plugins", point, "disabled", place, "name")
                yield Problem(path, f'"{plugin.name}" is no plugin, and turns nothing off; {meant}')


def _unused_args(profile: Profile, configured: Iterable[str], args: Mapping[str, PluginArgs]) -> Iterator[str]:
    """A word on arguments that change nothing."""
    enabled = {name for names in profile.at_point.values() for name in names}
    enabled |= {plugin.name for plugin in profile.not_evaluated}
    for name in sorted(configured):
        where = f"arguments of {name} (profile {profile.scheduler_name})"
        if name not in enabled:
            known = name in IN_TREE_PLUGINS or name in args
            what = "it is not enabled" if known else "no such plugin is part of kube-scheduler, and none is enabled"
            hint = "" if known else did_you_mean(name, IN_TREE_PLUGINS)
            yield f"{where} have no effect: {clauses(what, hint)}"
        elif name in IN_TREE_PLUGINS and name not in args:
            yield f"{where} have no effect: it takes none"


def _place(profile: KubeSchedulerProfile, error: ProfileError) -> Path:
    """The entry of the profile that the error is about, the last of several."""
    specs = profile.plugins.by_field()
    for point in (error.point, "multiPoint"):
        names = [each.name for each in specs[point].enabled]
        if error.plugin in names:
            return ("plugins", point, "enabled", len(names) - 1 - names[::-1].index(error.plugin), "name")
    return ("plugins", error.point)
