"""The rules that a KubeSchedulerConfiguration must keep, beyond its shape.

Source: scheduler `apis/config/validation/validation.go`, component-base `config/validation`.
"""

import base64
import binascii
from collections.abc import Sequence
from ipaddress import ip_address

from kexplain.cluster.resource import is_extended_resource_name
from kexplain.config.component.api_versions import ApiVersion
from kexplain.config.component.argument_rules import Problems, below, out_of_range
from kexplain.config.component.decoding import Decoded
from kexplain.config.component.records import (
    KubeSchedulerConfiguration,
    KubeSchedulerProfile,
    LeaderElection,
)
from kexplain.config.component.removed_plugins import SCORING_STRATEGIES
from kexplain.framework.extender import ExtenderConfig
from kexplain.objects.go_duration import parse_duration
from kexplain.objects.problem import Path, Problem
from kexplain.objects.selectors import is_qualified_name

#: Default durations, in seconds.
_LEASE_DEFAULTS = {"leaseDuration": 15.0, "renewDeadline": 10.0, "retryPeriod": 2.0}
_INT32_MAX = 2**31 - 1


def problems(decoded: Decoded) -> Problems:
    """Everything that breaks a rule."""
    configuration = decoded.configuration
    yield from below(("clientConnection", "burst"), configuration.client_connection.burst, 0)
    yield from _election_problems(configuration.leader_election)
    yield from _number_problems(configuration)
    if decoded.version.name == "v1beta2":
        yield from _address_problems(configuration)
    yield from _name_problems(configuration.profiles)
    for index, profile in enumerate(configuration.profiles):
        yield from (each.below("profiles", index) for each in _profile_problems(profile, decoded, index))
    yield from (each.below("extenders") for each in extender_problems(configuration.extenders))


def _election_problems(election: LeaderElection) -> Problems:
    texts = {
        "leaseDuration": election.lease_duration,
        "renewDeadline": election.renew_deadline,
        "retryPeriod": election.retry_period,
    }
    seconds = {name: parse_duration(text) for name, text in texts.items()}
    for name, text in texts.items():
        if seconds[name] is None:
            yield Problem(("leaderElection", name), f'"{text}" is not a duration such as 15s')
    if not election.leader_elect:
        return
    for name, value in seconds.items():
        if value is not None and value < 0:
            yield Problem(("leaderElection", name), f"{texts[name]} is below 0s")
    lease, renew = (seconds[name] or _LEASE_DEFAULTS[name] for name in ("leaseDuration", "renewDeadline"))
    if None not in seconds.values() and lease <= renew:
        yield Problem(("leaderElection", "leaseDuration"), f"{lease:g}s is not longer than renewDeadline ({renew:g}s)")
    if election.resource_lock not in ("", "leases"):
        yield Problem(("leaderElection", "resourceLock"), f'"{election.resource_lock}" is not leases')


def _number_problems(configuration: KubeSchedulerConfiguration) -> Problems:
    if configuration.parallelism is not None:
        yield from below(("parallelism",), configuration.parallelism, 1)
    yield from _percentage_problems(configuration.percentage_of_nodes_to_score)
    initial, most = configuration.pod_initial_backoff_seconds, configuration.pod_max_backoff_seconds
    initial, most = 1 if initial is None else initial, 10 if most is None else most
    yield from below(("podInitialBackoffSeconds",), initial, 1)
    if most < initial:
        yield Problem(("podMaxBackoffSeconds",), f"{most} is less than podInitialBackoffSeconds ({initial})")


def _address_problems(configuration: KubeSchedulerConfiguration) -> Problems:
    """Addresses that v1beta2 refuses; v1beta1 put its default in place of them."""
    addresses = {
        "healthzBindAddress": configuration.healthz_bind_address,
        "metricsBindAddress": configuration.metrics_bind_address,
    }
    for name, address in addresses.items():
        if address is not None and not _is_socket_address(address):
            yield Problem((name,), f'"{address}" is not an address such as 0.0.0.0:10251')


def _is_socket_address(text: str) -> bool:
    """Whether a text is an IP, a port behind a colon, or both; what is left out is filled in."""
    host, colon, port = text.rpartition(":")
    if not colon or (":" in host and not host.endswith("]")):
        host, port = text, "1"
    elif not host:
        return _is_port(port)
    try:
        ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return _is_port(port)


def _is_port(port: str) -> bool:
    return port.isascii() and port.isdecimal() and 1 <= int(port[:6]) <= 65535


def _percentage_problems(percentage: int | None) -> Problems:
    if percentage is not None:
        yield from out_of_range(("percentageOfNodesToScore",), percentage, 0, 100)


def _name_problems(profiles: Sequence[KubeSchedulerProfile]) -> Problems:
    """Only a profile that is alone may leave its name to the default."""
    first_by_name: dict[str, int] = {}
    for index, profile in enumerate(profiles):
        path: Path = ("profiles", index, "schedulerName")
        name = profile.scheduler_name
        if name == "" or (name is None and len(profiles) > 1):
            yield Problem(path, "is needed where there are several profiles" if len(profiles) > 1 else "is empty")
        elif name is not None and name in first_by_name:
            yield Problem(path, f'"{name}" is also the name of profiles[{first_by_name[name]}]')
        elif name is not None:
            first_by_name[name] = index


def _profile_problems(profile: KubeSchedulerProfile, decoded: Decoded, index: int) -> Problems:
    """Paths are below the profile."""
    version = decoded.version
    yield from _percentage_problems(profile.percentage_of_nodes_to_score)
    for point, plugins in profile.plugins.by_field().items():
        for place, plugin in enumerate(plugins.enabled):
            path: Path = ("plugins", point, "enabled", place)
            if not plugin.name:
                yield Problem((*path, "name"), "is needed")
            if plugin.name in version.refused:
                yield Problem((*path, "name"), _refusal(plugin.name, version))
            yield from out_of_range((*path, "weight"), plugin.weight or 0, -_INT32_MAX - 1, _INT32_MAX)
    first_by_name: dict[str, int] = {}
    for place, config in enumerate(profile.plugin_config):
        path = ("pluginConfig", place)
        if config.name in first_by_name:
            yield Problem(
                (*path, "name"), f"pluginConfig[{first_by_name[config.name]}] already configures {config.name}"
            )
            continue
        first_by_name[config.name] = place
        if config.name in version.refused:
            yield Problem((*path, "name"), _refusal(config.name, version))
        elif config.name in decoded.args[index]:
            yield from (each.below(*path, "args") for each in decoded.args[index][config.name].problems())


def _refusal(name: str, version: ApiVersion) -> str:
    instead = "; use scoringStrategy of NodeResourcesFit" if name in SCORING_STRATEGIES else ""
    return f"{name} is not allowed in {version.name}{instead}"


def extender_problems(extenders: Sequence[ExtenderConfig]) -> Problems:
    """Paths are below the list of extenders."""
    binders: list[int] = []
    seen: set[str] = set()
    for index, extender in enumerate(extenders):
        if extender.prioritize_verb and extender.weight <= 0:
            yield Problem(
                (index, "weight"), f"{extender.weight} is not above 0, which an extender with prioritizeVerb needs"
            )
        if parse_duration(extender.http_timeout) is None:
            yield Problem((index, "httpTimeout"), f'"{extender.http_timeout}" is not a duration such as 5s')
        if extender.bind_verb:
            binders.append(index)
        for place, resource in enumerate(extender.managed_resources):
            path: Path = (index, "managedResources", place, "name")
            if not (is_qualified_name(resource.name) and is_extended_resource_name(resource.name)):
                yield Problem(path, f'"{resource.name}" is not an extended resource such as example.com/foo')
            if resource.name in seen:
                yield Problem(path, f'"{resource.name}" is managed twice')
            seen.add(resource.name)
        yield from _tls_problems(extender, (index, "tlsConfig"))
    if len(binders) > 1:
        yield Problem((binders[1], "bindVerb"), f"extenders[{binders[0]}] already binds, and only one extender may")


def _tls_problems(extender: ExtenderConfig, path: Path) -> Problems:
    tls = extender.tls_config
    if tls is None:
        return
    for name, text in (("certData", tls.cert_data), ("keyData", tls.key_data), ("caData", tls.ca_data)):
        try:
            base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            yield Problem((*path, name), "is not base64")
