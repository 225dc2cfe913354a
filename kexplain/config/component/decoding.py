"""From a plain value to a KubeSchedulerConfiguration, read as strictly as kube-scheduler reads it.

Source: scheduler `apis/config/scheme`, kube-scheduler `config/v1` `DecodeNestedObjects`. What does not fit is taken
out, so that the rules are still checked for everything else.
"""

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from kexplain.config.component.api_versions import API_VERSIONS, ApiVersion
from kexplain.config.component.plugin_args import PluginArgs
from kexplain.config.component.records import GROUP, KIND, KubeSchedulerConfiguration
from kexplain.load.decoding import fit, unknown_fields
from kexplain.objects.json_values import found
from kexplain.objects.meta import Record
from kexplain.objects.problem import Path, Problem
from kexplain.objects.untrusted import at

R = TypeVar("R", bound=Record)


class Decoded(Struct, frozen=True):
    """A configuration, and each profile's arguments by plugin: those that the version knows.

    `value` is the configuration as it was written, but for what does not fit.
    """

    version: ApiVersion
    configuration: KubeSchedulerConfiguration
    args: tuple[Mapping[str, PluginArgs], ...]
    value: object


def decode(value: object) -> tuple[Decoded | None, list[Problem]]:
    """The configuration as far as it can be read, and everything that cannot; None if its version is not known."""
    problems: list[Problem] = []
    if not isinstance(value, dict):
        return None, [Problem((), f"expected a {KIND}, found {found(value)}")]
    version = _version(value, problems)
    if version is None:
        return None, problems
    configuration = record_of(value, KubeSchedulerConfiguration, (), problems)
    problems += _absent_fields(value, version)
    args = tuple(
        _args(profile.plugin_config, ("profiles", index, "pluginConfig"), version, problems)
        for index, profile in enumerate(configuration.profiles)
    )
    return Decoded(version, configuration, args, without(value, [each.path for each in problems])), problems


def _version(value: Mapping[str, Any], problems: list[Problem]) -> ApiVersion | None:
    kind, name = value.get("kind"), value.get("apiVersion")
    if kind != KIND:
        problems.append(Problem(("kind",), f'"{kind}" is not {KIND}' if kind else f"is needed: {KIND}"))
    version = API_VERSIONS.get(name) if isinstance(name, str) else None
    if version is None:
        known = ", ".join(API_VERSIONS)
        said = f'"{name}" is unknown here; kexplain knows {known}' if name else f"is needed: {GROUP}v1"
        problems.append(Problem(("apiVersion",), said))
    return version if kind == KIND else None


def record_of(value: object, record: type[R], path: Path, problems: list[Problem]) -> R:
    """The record of what fits it; the rest becomes problems."""
    problems += [each.below(*path) for each in unknown_fields(value, record)]
    fitting, misfits = fit(value, record)
    if fitting is not None:
        return fitting
    problems += [each.below(*path) for each in misfits]
    fitting, misfits = fit(without(value, [misfit.path for misfit in misfits]), record)
    return fitting if fitting is not None else record()


def without(value: object, paths: Sequence[Path]) -> object:
    """A copy with null at these paths, which reads as not given."""
    if any(not path for path in paths):
        return {}
    value = copy.deepcopy(value)
    for path in paths:
        holder: dict[Any, Any] = at(value, *path[:-1])
        if isinstance(holder, dict | list):
            holder[path[-1]] = None
    return value


def _absent_fields(value: Mapping[str, Any], version: ApiVersion) -> Iterator[Problem]:
    """Fields that other versions have."""
    parts: list[tuple[str, Path, object]] = [("", (), value)]
    profiles = value.get("profiles")
    for index, profile in enumerate(profiles if isinstance(profiles, list) else ()):
        parts.append(("profile", ("profiles", index), profile))
        plugins = profile.get("plugins") if isinstance(profile, dict) else None
        parts.append(("plugins", ("profiles", index, "plugins"), plugins))
    for part, path, inner in parts:
        for name in version.absent.get(part, ()):
            if isinstance(inner, dict) and name in inner:
                yield Problem((*path, name), f"there is no such field in {version.name}")


def _args(configs: Sequence[Any], path: Path, version: ApiVersion, problems: list[Problem]) -> dict[str, PluginArgs]:
    """The arguments by plugin, of one that is named twice the first."""
    args: dict[str, PluginArgs] = {}
    for index, config in enumerate(configs):
        record = version.plugin_args.get(config.name)
        if record is not None and config.name not in args:
            args[config.name] = _typed(config.args, record, config.name, (*path, index, "args"), version, problems)
    return args


def _typed(
    value: Any, record: type[PluginArgs], name: str, path: Path, version: ApiVersion, problems: list[Problem]
) -> PluginArgs:
    args = record_of({} if value is None else value, record, path, problems)
    kind = f"{name}Args"
    if args.kind not in (None, "", kind):
        problems.append(Problem((*path, "kind"), f'"{args.kind}" is not {kind}'))
    if args.api_version not in (None, "", f"{GROUP}{version.name}"):
        problems.append(Problem((*path, "apiVersion"), f'"{args.api_version}" is not {GROUP}{version.name}'))
    return args
