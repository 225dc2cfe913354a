"""Probes and lifecycle hooks of a container.

Source: core/validation `validateProbe`, `validateHandler`, `validateLifecycle`, release 1.36 with its default
feature gates, which drop stop signals before they are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kexplain.validation.names import MAX_PORT, header_name, port_name
from kexplain.validation.problem import Field, choice

_SCHEMES = ("HTTP", "HTTPS")
_COUNTS = ("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold")
_OF_PROBES = ("exec", "httpGet", "tcpSocket", "grpc")
_OF_HOOKS = ("exec", "httpGet", "tcpSocket", "sleep")


def check_probes(container: Field) -> None:
    """The three probes of a container."""
    for name in ("livenessProbe", "readinessProbe", "startupProbe"):
        probe = container.child(name)
        if not probe.is_set:
            continue
        _check_handler(probe, _OF_PROBES)
        for count in _COUNTS:
            probe.child(count).not_negative()
        own_grace, successes = probe.child("terminationGracePeriodSeconds"), probe.child("successThreshold")
        if own_grace.is_set and own_grace.number() <= 0:
            own_grace.reject(f"{own_grace.number()} is not greater than 0")
        if name == "readinessProbe":
            if own_grace.is_set:
                own_grace.reject("must be left out of readiness probes, which end nothing")
        elif successes.number() not in (0, 1):
            successes.reject(f"{successes.number()} must be 1 here; readiness probes may need more successes")


def check_lifecycle(container: Field, grace: int) -> None:
    """What runs after the start and before the end of a container."""
    for name in ("postStart", "preStop"):
        hook = container.child("lifecycle").child(name)
        if hook.is_set:
            _check_handler(hook, _OF_HOOKS)
            if not any(hook.child(kind).is_set for kind in _OF_HOOKS[:-1]):
                _check_sleep(hook.child("sleep"), grace)


def _check_handler(handler: Field, kinds: tuple[str, ...]) -> None:
    actions = [handler.child(kind) for kind in kinds if handler.child(kind).is_set]
    if not actions:
        handler.reject(f"needs an action: {choice(kinds)}")
        return
    first, *others = actions
    if check := _ACTIONS.get(str(first.path[-1])):
        check(first)
    for other in others:
        other.reject("there is one action only, and this is another")


def _check_exec(action: Field) -> None:
    action.child("command").require()


def _check_http(action: Field) -> None:
    check_port(action.child("port"))
    scheme = action.child("scheme")
    if scheme.string:
        scheme.one_of(_SCHEMES)
    headers = action.child("httpHeaders")
    for header in headers.items():
        header.child("name").written(headers).obey(header_name)


def _check_tcp(action: Field) -> None:
    check_port(action.child("port"))


def _check_sleep(action: Field, grace: int) -> None:
    seconds = action.child("seconds").number()
    if action.is_set and not 0 <= seconds <= grace:
        action.reject(f"{seconds} is not between 0 and the pod's terminationGracePeriodSeconds of {grace}")


def check_port(port: Field) -> None:
    """A number, or the name of a port of the container."""
    if isinstance(port.value, str):
        port.obey(port_name)
    elif not 1 <= port.number() <= MAX_PORT:
        port.reject(f"{port.number()} is not a port: 1 to {MAX_PORT} is, or the name of one")


_ACTIONS: Mapping[str, Callable[[Field], None]] = {
    "exec": _check_exec,
    "httpGet": _check_http,
    "tcpSocket": _check_tcp,
    "grpc": _check_tcp,
}
