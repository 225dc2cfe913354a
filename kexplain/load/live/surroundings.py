"""What lies around what is scheduled: what was said of it, and what other projects have written.

Source of what a server has: apimachinery `meta/v1`, `APIGroupList` and `APIResourceList`.
"""

from collections.abc import Callable, Iterator, Mapping
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
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.untrusted import entries, text
from kexplain.tables import sections

_WORDS = sections("other-projects")


def read_around(transport: Transport, namespace: str, *, cached: bool) -> Loaded:
    """What was said, and what other projects have written; where a namespace is given, what was said there.

    A note says what cannot be read, but not what may not be listed of kinds of which no more is read than complaints.
    """
    loaded = Loaded()
    groups = {} if namespace else _groups(ApiClient(transport))
    said = (replace(each, namespace=namespace) for each in EVENTS)
    resources = (*said, *resources_of_others([] if namespace else ["", *groups]))
    prepare(resources)
    lists = [partial(list_all, resource=each, cached=cached) for each in resources]
    others = [partial(first_written, path=path) for path in _paths(ApiClient(transport), groups)]
    server = ApiClient(transport)
    ended = all_ended(server, [partial(_tried, call, server) for call in (*lists, *others)])
    for resource, found in zip_longest(resources, (each.result() for each in ended)):
        if isinstance(found, list):
            loaded.add(Segment(transport.address, Nowhere(), found))
        elif isinstance(found, KexplainError):
            loaded.notes += [f"{resource.plural if resource else 'what others say'} cannot be read: {found.message}"]
        elif resource and (found.is_forbidden or not resource.is_optional):
            loaded.unlisted.append(unlisted(resource, found))
    loaded.notes = [*dict.fromkeys(loaded.notes)]
    return loaded


def _tried(
    call: Callable[[ApiClient], list[KubernetesObject]], server: ApiClient
) -> list[KubernetesObject] | RefusedError | KexplainError:
    """The objects of a list, or why there are none."""
    try:
        return call(server)
    except (RefusedError, KexplainError) as error:
        return error


def _groups(server: ApiClient) -> dict[str, str]:
    """The API groups of a server, each with its preferred apiVersion; none where it does not say."""
    found = decoded(server, "/apis")
    return {text(each, "name"): text(each, "preferredVersion", "groupVersion") for each in entries(found, "groups")}


def _paths(server: ApiClient, groups: Mapping[str, str]) -> Iterator[str]:
    """The paths of the lists of what is only looked through for complaints."""
    unasked = _WORDS["groups that are not asked"]
    asked = [each for name, each in groups.items() if is_custom(each) and not name.endswith(unasked)]
    for group in all_ended(server, [partial(decoded, server, f"/apis/{version}") for version in asked]):
        version = text(group.result(), "groupVersion")
        for name, kind in ((text(each, "name"), text(each, "kind")) for each in entries(group.result(), "resources")):
            is_known = kind in OTHER_VERSIONS or record_for(version, kind)
            if not (is_known or "/" in name or kind.endswith(_WORDS["kinds that are not asked for"])):
                yield f"/apis/{version}/{name}"
