"""Work that falls into independent parts: done by this process, by one for each core, or by other machines."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Protocol, TypeVar

import msgspec

from kexplain.cli.workers import can_share, cores, shared_out

Part_co = TypeVar("Part_co", covariant=True)


#: What makes parts of one kind, each by its place. It is copied to whoever takes a share of it.
Work = Callable[[range], Iterator[Part_co]]


class Sharing(Protocol):
    """Flags that say who does it."""

    @property
    def workers(self) -> int | None:
        """So many processes; by default one a core."""

    @property
    def dask(self) -> str:
        """The address of a Dask cluster."""


def done_by(
    work: Work[Part_co], kind: type[Part_co], parts: int, flags: Sharing, *, least: int, alone: bool = False
) -> Iterator[Part_co]:
    """All parts in their order, by whom the flags say.

    `kind` is the record that a part is, `least` how many parts are worth a process. With `alone` nothing is shared out.
    Raises what `shared_over` and `shared_out` do.
    """
    decode = msgspec.msgpack.Decoder(kind).decode
    processes = min(flags.workers or cores(), parts // least)
    if flags.dask and not alone:
        # Few runs need what it imports.
        from kexplain.cli.dask_workers import shared_over  # noqa: PLC0415

        return map(decode, shared_over(flags.dask, partial(_encoded, work), parts))
    if processes < 2 or alone or not can_share():
        return work(range(parts))
    return map(decode, shared_out(partial(_encoded, work), processes, parts))


def _encoded(work: Work[Any], places: range) -> Iterator[bytes]:
    return map(msgspec.msgpack.Encoder().encode, work(places))
