"""A whole cluster from its API server: every kind at once, and which cannot be had."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Any, Protocol

from kexplain.errors import ClusterError, RightsError
from kexplain.load.live.api_client import ApiClient, RefusedError, decoded
from kexplain.load.live.api_resources import Resource
from kexplain.load.live.chunked_list import Listener, list_all, prepare
from kexplain.load.loaded import Loaded, Nowhere, Segment, Unlisted
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.untrusted import text
from kexplain.parameters import parameter

_AT_ONCE = 8
_INTERRUPT_SEEN_SECONDS = 0.2


class ClusterSource(Protocol):
    """A cluster that can be read."""

    @property
    def namespace(self) -> str:
        """Where objects are that name no namespace; empty if nothing says so."""

    def read(self, resources: Sequence[Resource]) -> Loaded:
        """The objects of these kinds. Raises ClusterError if the cluster cannot be read."""

    def around(self, namespace: str = "") -> Loaded:
        """What was said in it, and what other projects have written; of a namespace, what was said there.

        A note says what cannot be read.
        """


def read_cluster(
    server: ApiClient, resources: Sequence[Resource], *, cached: bool, listener: Listener | None
) -> Loaded:
    """The objects of these kinds, in the order of the kinds, and the release of the server.

    A kind that is forbidden or not served is `unlisted`, unless nothing can be said without it.
    Raises RightsError if one of those is forbidden, another ClusterError if the cluster cannot be read.
    """
    prepare(resources)
    lists = [partial(list_all, server, resource, cached=cached, listener=listener) for resource in resources]
    try:
        *ended, version = all_ended(server, [*lists, partial(_version, server)], RefusedError)
        return _put_together(server, zip(resources, ended, strict=True), version.result())
    finally:
        if listener:
            listener.has_ended()


def all_ended(server: ApiClient, calls: Iterable[Callable[[], Any]], *kept: type[Exception]) -> Sequence[Future[Any]]:
    """How each of these calls to a server ended, all made at once. Raises the first error that is not to be kept."""
    executor = ThreadPoolExecutor(_AT_ONCE)
    try:
        futures = [executor.submit(call) for call in calls]
        pending = set(futures)
        while pending:
            # An interrupt that comes just before a thread begins to wait does not wake it: it is seen afterwards.
            done, pending = wait(pending, _INTERRUPT_SEEN_SECONDS, FIRST_EXCEPTION)
            for future in done:
                error = future.exception()
                if error is not None and not isinstance(error, kept):
                    raise error
        return futures
    finally:
        # What is still under way is not waited for: its result is not wanted any more.
        server.stopped.set()
        executor.shutdown(wait=False, cancel_futures=True)


def _version(server: ApiClient) -> str:
    """The server's own version, as far as it names the release; built outside of one, it says v0.0.0-master+…"""
    said = decoded(server, "/version")
    version, major = text(said, "gitVersion"), text(said, "major")
    # Builds between two releases, and those of some vendors, put a plus behind the number.
    minor = text(said, "minor").rstrip("+")
    by_number = f"v{major}.{minor}.0" if major.isdecimal() and minor.isdecimal() else ""
    return version if version and not version.startswith("v0.0.0") else by_number


def _put_together(
    server: ApiClient, lists: Iterable[tuple[Resource, Future[list[KubernetesObject]]]], version: str
) -> Loaded:
    loaded = Loaded()
    loaded.server_version = version
    for resource, future in lists:
        error = future.exception()
        if isinstance(error, RefusedError):
            if resource.record in (Pod, Node):
                raise _indispensable(server, resource, error)
            # Without the software that has it, an optional kind is nothing to speak of.
            if error.is_forbidden or not resource.is_optional:
                loaded.unlisted.append(unlisted(resource, error))
        else:
            loaded.add(Segment(server.transport.address, Nowhere(), future.result()))
            # What stands in one namespace says nothing of the others.
            is_whole = not resource.namespace and not resource.record.is_of_queues
            loaded.listed |= {resource.record} if is_whole else set()
    return loaded


def unlisted(resource: Resource, error: RefusedError) -> Unlisted:
    """That a kind was not listed, and why."""
    reason = "not permitted to list" if error.is_forbidden else "this server has no"
    return Unlisted(resource.record.__name__, resource.qualified, reason, resource.purpose)


def _indispensable(server: ApiClient, resource: Resource, error: RefusedError) -> ClusterError:
    address = server.transport.address
    if error.is_forbidden:
        where = f"in namespace {resource.namespace}" if resource.namespace else "in all namespaces"
        other = f", or name a namespace that you may read with {parameter('namespace')}"
        elsewhere = other if resource.namespace else ""
        problem = f"not permitted to list {resource.plural} {where} ({error.status}{error.message})"
        advice = f"ask for the rights that {parameter('cluster_role')} lists{elsewhere}"
        return RightsError(f"{address}: {problem}", advice)
    advice = f"check that {parameter('server')} is the address of an API server, with its path"
    return ClusterError(f"{address}: it has no {resource.plural} ({error.status}{error.message})", advice)
