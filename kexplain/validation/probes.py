"""Probes and lifecycle hooks of a container.

Source: core/validation `validateProbe`, `validateHandler`, `validateLifecycle`, release 1.36 with its default
feature gates, which drop stop signals before they are looked at.
"""

from kexplain.objects.json_values import shown
from kexplain.objects.problem import WordEdit
from kexplain.validation.field import MAX_PORT, Field, choice
from kexplain.validation.names import port_name
from kexplain.validation.row_paths import fields_at
from kexplain.validation.rows import sub_tables

_DEFAULT_GRACE_SECONDS = 30


def _check_handler(handler: Field, *kinds: str) -> None:
    actions = [handler.child(kind) for kind in kinds if handler.child(kind).is_set]
    if not actions:
        handler.reject(f"needs an action: {choice(kinds)}")
        return
    first, *others = actions
    sub_tables("probes.actions")[str(first.path[-1])](first)
    for other in others:
        other.reject("there is one action only, and this is another")


def _check_sleep(action: Field) -> None:
    seconds, (of_pod,) = action.child("seconds").number(), fields_at(action, "outer terminationGracePeriodSeconds")
    grace = of_pod.number(_DEFAULT_GRACE_SECONDS)
    if action.is_set and not 0 <= seconds <= grace:
        action.reject(f"{seconds} is not between 0 and the pod's terminationGracePeriodSeconds of {grace}")


def check_port(port: Field) -> None:
    """A number, or the name of a port of the container."""
    if port.string.isdecimal():
        said = f"{shown(port.value)} in quotes is the name of a port, not its number: drop the quotes"
        port.reject(said, edit=WordEdit(is_quoted=False))
    elif isinstance(port.value, str):
        port.obey(port_name)
    elif not 1 <= port.number() <= MAX_PORT:
        port.reject(f"{port.number()} is not a port from 1 to {MAX_PORT}, nor the name of one")
