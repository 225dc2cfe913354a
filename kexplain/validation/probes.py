"""Probes and lifecycle hooks of a container.

Source: core/validation `validateProbe`, `validateHandler`, `validateLifecycle`, release 1.36 with its default
feature gates, which drop stop signals before they are looked at.
"""

from kexplain.validation.field import MAX_PORT, Field, choice
from kexplain.validation.names import port_name
from kexplain.validation.rows import judge, sub_tables

_OF_HOOKS = ("exec", "httpGet", "tcpSocket", "sleep")


def check_lifecycle(container: Field, grace: int) -> None:
    """What runs after the start and before the end of a container."""
    for hook in (container.descend("lifecycle", name) for name in ("postStart", "preStop")):
        if hook.is_set:
            _check_handler(hook, *_OF_HOOKS)
            if not any(hook.child(kind).is_set for kind in _OF_HOOKS[:-1]):
                _check_sleep(hook.child("sleep"), grace)


def _check_handler(handler: Field, *kinds: str) -> None:
    actions = [handler.child(kind) for kind in kinds if handler.child(kind).is_set]
    if not actions:
        handler.reject(f"needs an action: {choice(kinds)}")
        return
    first, *others = actions
    judge(first, sub_tables("probes.actions").get(str(first.path[-1]), {}))
    for other in others:
        other.reject("there is one action only, and this is another")


def _check_sleep(action: Field, grace: int) -> None:
    seconds = action.child("seconds").number()
    if action.is_set and not 0 <= seconds <= grace:
        action.reject(f"{seconds} is not between 0 and the pod's terminationGracePeriodSeconds of {grace}")


def check_port(port: Field) -> None:
    """A number, or the name of a port of the container."""
    if isinstance(port.value, str):
        port.obey(port_name)
    elif not 1 <= port.number() <= MAX_PORT:
        port.reject(f"{port.number()} is not a port from 1 to {MAX_PORT}, nor the name of one")
