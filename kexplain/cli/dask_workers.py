"""Work that falls into independent parts, done by the workers of a Dask cluster: as many machines as there are."""

import logging
import sys
from collections.abc import Callable, Iterable, Iterator
from threading import Lock
from typing import Any

from kexplain import __version__
from kexplain.errors import KexplainError, UsageError

#: A worker that has gone costs one of these at most.
PARTS_A_CHUNK = 100
CONNECT_SECONDS = 10
#: What a cluster keeps is worked out while it is asked, by one thread at a time.
_ALONE = Lock()


def shared_over(address: str, work: Callable[[range], Iterable[bytes]], parts: int) -> Iterator[bytes]:
    """So many parts in their order, each made by `work` of its place.

    The work goes to each worker once, with all that it holds; places go out in chunks. A chunk whose worker has gone is
    done again by another. Raises KexplainError where no scheduler answers at that address, where it has no workers or
    ones of another release, and where a chunk ends worker after worker; and any error that the work raises.
    """
    distributed = _distributed()
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise KexplainError(f"no Dask scheduler answers at {address}", "start one with: dask scheduler") from error
    try:
        _check_workers(client, address)
        held = client.scatter(work, broadcast=True, hash=False)
        chunks = [range(first, min(first + PARTS_A_CHUNK, parts)) for first in range(0, parts, PARTS_A_CHUNK)]
        for future in [client.submit(_done, held, places, pure=False) for places in chunks]:
            yield from _result(future, distributed)
    finally:
        client.close()


def _distributed() -> Any:
    try:
        import distributed  # noqa: PLC0415 (an extra, and slow to import)
    except ImportError as error:
        instead = "install kexplain with its extra dask, as you installed it"
        raise UsageError("--dask needs dask.distributed", instead) from error
    # What is to be said about workers that have gone is said here.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    return distributed


def _done(work: Callable[[range], Iterable[bytes]], places: range) -> list[bytes]:
    """A chunk, on its worker."""
    with _ALONE:
        return list(work(places))


def _result(future: Any, distributed: Any) -> list[bytes]:
    try:
        made: list[bytes] = future.result()
    except distributed.KilledWorker as error:
        said = "several Dask workers died of the same part of the work"
        raise KexplainError(said, "check how much memory they have") from error
    return made


def _release() -> tuple[str, str]:
    return __version__, ".".join(map(str, sys.version_info[:2]))


def _check_workers(client: Any, address: str) -> None:
    """Return if there are workers, and all of them are of this release. Raises KexplainError otherwise."""
    try:
        releases: dict[str, tuple[str, str]] = client.run(_release)
    except Exception as error:
        raise KexplainError(f"the Dask workers at {address} cannot run kexplain: {error}", _SAME) from error
    if not releases:
        raise KexplainError(f"the Dask scheduler at {address} has no workers", f"dask worker {address}")
    for worker, (release, python) in releases.items():
        if (release, python) != _release():
            here = " with Python ".join(_release())
            there = f"kexplain {release} with Python {python}"
            raise KexplainError(f"the Dask worker {worker} has {there}, not {here}", _SAME)


_SAME = "install the same kexplain and the same Python on all machines"
