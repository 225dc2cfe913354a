"""What the containers of a pod come to together. Source: component-helpers `resource.AggregateContainerRequests`."""

from collections.abc import Iterable, Mapping
from typing import Protocol, Self, TypeVar

from kexplain.grouping import Key
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


def sum_containers(
    spec: PodSpec, amounts_of: AmountsOf[AmountT], *, sidecars_run_on: bool = True
) -> dict[str, AmountT]:
    """Containers and sidecars summed, at least each init container beside the sidecars started before it.

    Unless `sidecars_run_on`, a sidecar is an init container like any other.
    """
    init_containers = ((each, sidecars_run_on and each.restarts_always) for each in spec.init_containers or ())
    return sum_amounts(
        (amounts_of(each, stays=True) for each in spec.containers or ()),
        ((amounts_of(each, stays=is_sidecar), is_sidecar) for each, is_sidecar in init_containers),
    )


def sum_amounts(
    containers: Iterable[Mapping[str, AmountT]], init_containers: Iterable[tuple[Mapping[str, AmountT], bool]]
) -> dict[str, AmountT]:
    """The same of amounts by themselves; with those of an init container goes whether it is a sidecar."""
    total: dict[str, AmountT] = {}
    for amounts in containers:
        add_to(total, amounts)
    sidecars: dict[str, AmountT] = {}
    peak: dict[str, AmountT] = {}
    for found, is_sidecar in init_containers:
        if is_sidecar:
            add_to(total, found)
            add_to(sidecars, found)
            raise_to(peak, sidecars)
        else:
            beside = dict(found)
            add_to(beside, sidecars)
            raise_to(peak, beside)
    raise_to(total, peak)
    return total


def raise_to(total: dict[str, AmountT], least: Mapping[str, AmountT]) -> None:
    """Raise amounts to at least those of another map."""
    for name, amount in least.items():
        if name not in total or amount > total[name]:
            total[name] = amount


def add_to(total: dict[Key, AmountT], other: Mapping[Key, AmountT]) -> None:
    """Add the amounts of another map."""
    for name, amount in other.items():
        total[name] = total[name] + amount if name in total else amount
