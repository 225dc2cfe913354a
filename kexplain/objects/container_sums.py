"""What the containers of a pod come to together. Source: component-helpers `resource.AggregateContainerRequests`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, Self, TypeVar

from kexplain.objects.core import Container, PodSpec


class _Amount(Protocol):
    def __add__(self, other: Self, /) -> Self: ...

    def __gt__(self, other: Self, /) -> bool: ...


AmountT = TypeVar("AmountT", bound=_Amount)
AmountT_co = TypeVar("AmountT_co", bound=_Amount, covariant=True)


class AmountsOf(Protocol[AmountT_co]):
    """Tells the amounts of one container; `stays` unless it ends before others start."""

    def __call__(self, container: Container, /, *, stays: bool) -> Mapping[str, AmountT_co]:
        """The amounts by resource name."""
        ...


def sum_containers(spec: PodSpec, amounts_of: AmountsOf[AmountT]) -> dict[str, AmountT]:
    """Containers and sidecars summed, at least each init container beside the sidecars started before it."""
    total: dict[str, AmountT] = {}
    for container in spec.containers or ():
        add_to(total, amounts_of(container, stays=True))
    sidecars: dict[str, AmountT] = {}
    peak: dict[str, AmountT] = {}
    for container in spec.init_containers or ():
        amounts = dict(amounts_of(container, stays=container.restarts_always))
        if container.restarts_always:
            add_to(total, amounts)
            add_to(sidecars, amounts)
            raise_to(peak, sidecars)
        else:
            add_to(amounts, sidecars)
            raise_to(peak, amounts)
    raise_to(total, peak)
    return total


def raise_to(total: dict[str, AmountT], least: Mapping[str, AmountT]) -> None:
    """Raise amounts to at least those of another map."""
    for name, amount in least.items():
        if name not in total or amount > total[name]:
            total[name] = amount


def add_to(total: dict[str, AmountT], other: Mapping[str, AmountT]) -> None:
    """Add the amounts of another map."""
    for name, amount in other.items():
        total[name] = total[name] + amount if name in total else amount
