"""What lies around what is scheduled: what was said of it, and what other projects have written.

Source of what a server has: apimachinery `meta/v1`, `APIGroupList` and `APIResourceList`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import zip_longest
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from kexplain.errors import KexplainError
from kexplain.load.live.api_client import ApiClient, RefusedError, Transport
from kexplain.load.live.api_resources import EVENTS, resources_of_others
from kexplain.load.live.chunked_list import first_written, list_all, prepare
from kexplain.load.live.cluster_reader import all_ended, unlisted
from kexplain.load.loaded import Loaded, Nowhere, Segment
from kexplain.load.record_types import OTHER_VERSIONS, is_custom, record_for
from kexplain.tables import sections

_UNREAD = sections("other-projects")
_T = TypeVar("_T")


class _Version(msgspec.Struct, rename="camel"):
    group_version: str = ""


class _Group(msgspec.Struct, rename="camel"):
    name: str = ""
    preferred_version: _Version = msgspec.field(default_factory=_Version)


class _Groups(msgspec.Struct):
    groups: list[_Group] = []


class _Kind(msgspec.Struct):
    name: str = ""
    kind: str = ""
    verbs: tuple[str, ...] = ()


class _Kinds(msgspec.Struct, rename="camel"):
    group_version: str = ""
    resources: list[_Kind] = []


def read_around(transport: Transport, namespace: str, *, cached: bool) -> Loaded:
    """What was said, and what other projects have written; where a namespace is given, what was said there.

    A note says what cannot be read, but not what may not be listed of kinds of which no more is read than complaints.
    """
    loaded = Loaded()
    groups = [] if namespace else _groups(ApiClient(transport))
    of_others = [] if namespace else resources_of_others(["", *(each.name for each in groups)])
    resources = [*(replace(each, namespace=namespace) for each in EVENTS), *of_others]
    prepare(resources)
    paths = _paths(_all(transport, [partial(_kinds_of, each) for each in groups]))
    lists = [partial(list_all, resource=each, cached=cached) for each in resources]
    ended = _all(transport, [*lists, *(partial(first_written, path=path) for path in paths)])
    for resource, found in zip_longest(resources, ended):
        if isinstance(found, list):
            loaded.add(Segment(transport.address, Nowhere(), found))
        elif isinstance(found, KexplainError):
            what = resource.plural if resource else "what other projects say"
            loaded.notes += [f"{what} cannot be read: {found.message}"]
        elif resource and (found.is_forbidden or not resource.is_optional):
            loaded.unlisted.append(unlisted(resource, found))
    loaded.notes = [*dict.fromkeys(loaded.notes)]
    return loaded


def _all(
    transport: Transport, calls: Iterable[Callable[[ApiClient], _T]]
) -> Iterator[_T | RefusedError | KexplainError]:
    """What comes of each of these calls to a server: its result, or why there is none."""
    server = ApiClient(transport)
    return (each.result() for each in all_ended(server, [partial(_tried, call, server) for call in calls]))


def _tried(call: Callable[[ApiClient], _T], server: ApiClient) -> _T | RefusedError | KexplainError:
    try:
        return call(server)
    except (RefusedError, KexplainError) as error:
        return error


def _groups(server: ApiClient) -> Sequence[_Group]:
    """The API groups of a server; none where it does not say."""
    with suppress(RefusedError, KexplainError, msgspec.DecodeError):
        return msgspec.json.decode(server.get("/apis"), type=_Groups).groups
    return ()


def _kinds_of(group: _Group, server: ApiClient) -> _Kinds:
    """The kinds of a group of another project."""
    version = group.preferred_version.group_version
    if not is_custom(version) or group.name.endswith(_UNREAD["groups that are not asked"]):
        return _Kinds()
    return msgspec.json.decode(server.get(f"/apis/{version}"), type=_Kinds)


def _paths(every: Iterable[_Kinds | RefusedError | KexplainError]) -> Iterator[str]:
    """The paths of the lists of what is only looked through for complaints."""
    for group in (each for each in every if isinstance(each, _Kinds)):
        for each in group.resources:
            is_known = each.kind in OTHER_VERSIONS or record_for(group.group_version, each.kind)
            is_told = "list" in each.verbs and not each.kind.endswith(_UNREAD["kinds that are not asked for"])
            if is_told and not is_known:
                yield f"/apis/{group.group_version}/{each.name}"
