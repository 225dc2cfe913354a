"""Admission plugins that are off unless an API server's `--enable-admission-plugins` names them.

Source: plugin/pkg/admission `podnodeselector`, `podtolerationrestriction`, `extendedresourcetoleration`,
`antiaffinity`, release 1.36, without configuration files of their own.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import Enum

import msgspec
from msgspec.structs import replace

from kexplain.admission.runtime_class import covers, merge_tolerations
from kexplain.errors import UsageError
from kexplain.objects.core import Container, Namespace, PodSpec, Toleration
from kexplain.objects.meta import Labels
from kexplain.objects.problem import Problem
from kexplain.objects.quantity import parse
from kexplain.objects.well_known import HOSTNAME, MEMORY_PRESSURE, NATIVE_DOMAIN
from kexplain.tables import words
from kexplain.words import did_you_mean

_COMPUTE = ("cpu", "memory")
_REQUIRED_ANTI_AFFINITY = ("spec", "affinity", "podAntiAffinity", "requiredDuringSchedulingIgnoredDuringExecution")


class AdmissionPlugin(Enum):
    """A plugin that bears on scheduling, by the name that an API server knows it by."""

    POD_NODE_SELECTOR = "PodNodeSelector"
    POD_TOLERATION_RESTRICTION = "PodTolerationRestriction"
    EXTENDED_RESOURCE_TOLERATION = "ExtendedResourceToleration"
    LIMIT_POD_HARD_ANTI_AFFINITY_TOPOLOGY = "LimitPodHardAntiAffinityTopology"


#: Other plugins that an API server can enable: they are on anyway, or do not affect scheduling.
_OTHER_PLUGINS = words("other-admission-plugins")


def enabled_plugins(names: Iterable[str]) -> frozenset[AdmissionPlugin]:
    """The plugins that an API server's `--enable-admission-plugins` names, as far as they bear on scheduling.

    Raises UsageError on a name that no plugin of release 1.36 has.
    """
    by_name = {plugin.value: plugin for plugin in AdmissionPlugin}
    enabled = set()
    for name in names:
        if name in by_name:
            enabled.add(by_name[name])
        elif name not in _OTHER_PLUGINS:
            known = by_name.keys() | _OTHER_PLUGINS
            hint = did_you_mean(name, known) or f"those that bear on scheduling: {', '.join(by_name)}"
            raise UsageError(f'"{name}" is not an admission plugin', hint)
    return frozenset(enabled)


class _UnreadableError(ValueError):
    """An annotation of a namespace that a plugin cannot read; the API server then takes no pod at all."""


def optional_refusals(
    admitted: PodSpec, namespace: Namespace | None, plugins: Collection[AdmissionPlugin]
) -> Iterator[Problem]:
    """What the plugins that are on refuse of a pod that they have changed."""
    try:
        if AdmissionPlugin.POD_NODE_SELECTOR in plugins:
            own = admitted.node_selector or {}
            for key, value in _node_selector(namespace).items():
                if own.get(key, value) != value:
                    yield Problem(("spec", "nodeSelector", key), "is not what the annotation of the namespace says")
        if AdmissionPlugin.POD_TOLERATION_RESTRICTION in plugins:
            said = "is not among the tolerations that the annotation of the namespace allows"
            for index in _not_allowed(admitted.tolerations or (), namespace):
                yield Problem(("spec", "tolerations", index), said)
    except _UnreadableError as error:
        yield Problem(("metadata", "namespace"), f"has an annotation that admission cannot read: {error}")
    if AdmissionPlugin.LIMIT_POD_HARD_ANTI_AFFINITY_TOPOLOGY in plugins:
        for index, term in enumerate(admitted.required_anti_affinity):
            if term.topology_key != HOSTNAME:
                # Anything else is wider than a node.
                yield Problem((*_REQUIRED_ANTI_AFFINITY, index, "topologyKey"), f"must be {HOSTNAME} here")


# --------------------------------------------------------------------------------------- PodNodeSelector


def _node_selector(namespace: Namespace | None) -> Labels:
    """The labels that all pods of a namespace select nodes by. Raises _UnreadableError."""
    text = (namespace.annotations.node_selector if namespace else None) or ""
    labels: Labels = {}
    for part in text.split(",") if text else ():
        key, equals, value = part.partition("=")
        if not equals or "=" in value:
            raise _UnreadableError(f'"{part}" is not a label such as key=value')
        labels[key.strip()] = value.strip()
    return labels


def with_namespace_node_selector(spec: PodSpec, namespace: Namespace | None) -> PodSpec:
    """The spec that selects nodes by its namespace's labels too, where these can be read."""
    try:
        merged = {**_node_selector(namespace), **(spec.node_selector or {})}
    except _UnreadableError:
        return spec
    return replace(spec, node_selector=merged) if merged else spec


# ------------------------------------------------------------------------------ PodTolerationRestriction


def with_namespace_tolerations(spec: PodSpec, namespace: Namespace | None) -> PodSpec:
    """The spec with the tolerations of its namespace, where they can be read.

    It gets one of memory pressure too, unless it is best effort.
    """
    try:
        extra = _tolerations(namespace.annotations.default_tolerations if namespace else None)
    except _UnreadableError:
        return spec
    if not is_best_effort(spec):
        extra = (*extra, Toleration(key=MEMORY_PRESSURE, operator="Exists", effect="NoSchedule"))
    return replace(spec, tolerations=merge_tolerations(spec.tolerations or (), extra)) if extra else spec


def _not_allowed(tolerations: Sequence[Toleration], namespace: Namespace | None) -> list[int]:
    """The places of tolerations that a namespace's list does not allow; without a list all are allowed.

    Raises _UnreadableError, also where the tolerations cannot be read that pods of the namespace get.
    """
    _tolerations(namespace.annotations.default_tolerations if namespace else None)
    allowed = _tolerations(namespace.annotations.tolerations_whitelist if namespace else None)
    if not allowed:
        return []
    return [index for index, each in enumerate(tolerations) if not any(covers(wider, each) for wider in allowed)]


def _tolerations(text: str | None) -> Sequence[Toleration]:
    if not text:
        return ()
    try:
        return msgspec.json.decode(text, type=tuple[Toleration, ...] | None) or ()
    except msgspec.DecodeError as error:
        raise _UnreadableError(f"not a list of tolerations: {error}") from error


def qos_class(spec: PodSpec) -> str:
    """How a pod is treated where its node runs short. Source: core/helper/qos `ComputePodQOS`."""
    if is_best_effort(spec):
        return "BestEffort"
    asking = spec.every_container if spec.resources is None else [spec]
    return "Guaranteed" if all(map(_is_guaranteed, asking)) else "Burstable"


def _is_guaranteed(asking: Container | PodSpec) -> bool:
    """Whether it is limited in both, and requests as much, which it does by default."""
    limits = {name: parse(asking.limits.get(name, 0)) for name in _COMPUTE}
    return all(limits.values()) and all(
        parse(asking.requests[name]) == limits[name] for name in _COMPUTE if name in asking.requests
    )


def is_best_effort(spec: PodSpec) -> bool:
    """Whether nothing of CPU or memory is requested or limited. Source: core/helper/qos `ComputePodQOS`."""
    asking = spec.every_container if spec.resources is None else [spec]
    lists = (listed for each in asking for listed in (each.requests, each.limits))
    return not any(parse(raw) > 0 for listed in lists for name, raw in listed.items() if name in _COMPUTE)


# ---------------------------------------------------------------------------- ExtendedResourceToleration


def with_extended_resource_tolerations(spec: PodSpec) -> PodSpec:
    """The spec that tolerates a taint named like each extended resource that it requests."""
    named = {name for container in spec.every_container for name in container.requests if "/" in name}
    requested = {name for name in named if NATIVE_DOMAIN not in name and not name.startswith("requests.")}
    tolerations = list(spec.tolerations or ())
    for name in sorted(requested):
        wanted = Toleration(key=name, operator="Exists", effect="NoSchedule")
        # One that is there already, but for what it leaves open, gives way: `MatchToleration` looks at no seconds.
        same = [index for index, each in enumerate(tolerations) if each.asked == wanted.asked]
        if same:
            tolerations[same[0]] = wanted
        else:
            tolerations.append(wanted)
    return replace(spec, tolerations=tuple(tolerations)) if requested else spec
