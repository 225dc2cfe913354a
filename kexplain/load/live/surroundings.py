"""What lies around what is scheduled: what was said of it, and what other projects have written.

Source of what a server has: apimachinery `meta/v1`, `APIGroupList` and `APIResourceList`.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import zip_longest

from msgspec.structs import replace

from kexplain.errors import KexplainError
from kexplain.load.live.api_client import ApiClient, RefusedError, Transport, decoded
from kexplain.load.live.api_resources import EVENTS, resources_of_others
from kexplain.load.live.chunked_list import first_written, list_all, prepare
from kexplain.load.live.cluster_reader import all_ended, unlisted
from kexplain.load.loaded import Loaded, Nowhere, Segment
from kexplain.load.record_types import OTHER_VERSIONS, is_custom, record_for
from kexplain.objects.untrusted import entries, text
from kexplain.tables import sections

_WORDS = sections("other-projects")


def read_around(transport: Transport, namespace: str, *, cached: bool) -> Loaded:
    """What was said, and what other projects have written; where a namespace is given, what was said there.

    Notes say what cannot be read. A kind of which only complaints are read is left out without one if the account may
    not list it.
    """
    loaded = Loaded()
    groups = {} if namespace else _groups(ApiClient(transport))
    said = (replace(each, namespace=namespace) for each in EVENTS)
    resources = (*said, *resources_of_others([] if namespace else ["", *groups]))
    prepare(resources)
    server = ApiClient(transport)
    lists = [partial(list_all, server, each, cached=cached) for each in resources]
    others = [partial(first_written, server, path) for path in _paths(ApiClient(transport), groups)]
    ended = all_ended(server, (*lists, *others), RefusedError, KexplainError)
    for resource, future in zip_longest(resources, ended):
        error = future.exception()
        if error is None:
            loaded.add(Segment(transport.address, Nowhere(), future.result()))
        elif isinstance(error, KexplainError):
            loaded.notes += [f"{resource.plural if resource else 'what others say'} cannot be read: {error.message}"]
        elif isinstance(error, RefusedError) and resource and (error.is_forbidden or not resource.is_optional):
            loaded.unlisted.append(unlisted(resource, error))
    loaded.notes = [*dict.fromkeys(loaded.notes)]
    return loaded


def _groups(server: ApiClient) -> dict[str, str]:
    """The API groups of a server, each with its preferred apiVersion; none where it does not say."""
    found = decoded(server, "/apis")
    return {text(each, "name"): text(each, "preferredVersion", "groupVersion") for each in entries(found, "groups")}


def _paths(server: ApiClient, groups: Mapping[str, str]) -> Iterator[str]:
    """The paths of the lists of what is only looked through for complaints."""
    unasked = _WORDS["groups that are not asked"]
    asked = [each for name, each in groups.items() if is_custom(each) and not name.endswith(unasked)]
    found = (each.result() for each in all_ended(server, [partial(decoded, server, f"/apis/{each}") for each in asked]))
    for group in found:
        version = text(group, "groupVersion")
        for name, kind in ((text(each, "name"), text(each, "kind")) for each in entries(group, "resources")):
            is_known = kind in OTHER_VERSIONS or record_for(version, kind)
            if not (is_known or "/" in name or kind.endswith(_WORDS["kinds that are not asked for"])):
                yield f"/apis/{version}/{name}"
