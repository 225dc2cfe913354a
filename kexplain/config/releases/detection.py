"""Which release to decide as, judging by the cluster, where no option names one."""

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from kexplain.config.releases.release import known_release, minor_release, named, nearest_release
from kexplain.framework.features import DEFAULT_RELEASE
from kexplain.framework.traits import release_key
from kexplain.parameters import parameter


class ReleaseChoice(Struct, frozen=True):
    """The release to decide as, and a note on how it was chosen; no note where it is the default anyway.

    `stands_in` tells that it was taken in place of one that is not known.
    """

    release: str = DEFAULT_RELEASE
    note: str = ""
    stands_in: bool = False


def asked_release(text: str) -> ReleaseChoice:
    """The release that somebody asks for, or the newest where it is newer than any known.

    Raises UsageError on one that is older than any, and on what is no version.
    """
    release = minor_release(text)
    nearest = nearest_release(release) if release else ""
    if release and release_key(nearest) < release_key(release):
        note = f"Kubernetes {release} is not known here: deciding as {named(nearest)}, the newest known release"
        return ReleaseChoice(nearest, note, stands_in=True)
    release = known_release(text)
    return ReleaseChoice(release, f"deciding as Kubernetes {named(release)}" if release != named(release) else "")


def observed_release(kubelet_versions: Iterable[str], server_version: str) -> ReleaseChoice:
    """The release of the API server, or else of the newest kubelets, which are upgraded after the control plane."""
    server = _release(server_version)
    if server:
        return _chosen(server, "the API server is", "the release of the API server")
    counts = Counter(release for text in kubelet_versions if (release := _release(text)))
    if not counts:
        return ReleaseChoice()
    newest = max(counts, key=release_key)
    if len(counts) == 1:
        return _chosen(newest, "kubelets are", "the release of the kubelets")
    how = f"the release of the newest kubelets ({counts[newest]} of {counts.total()})"
    return _chosen(newest, "the newest kubelets are", how, is_unanimous=False)


def _release(version: str) -> str:
    """The release of a version; empty of one that was built outside of any: `v0.0.0-master+1a2b3c`."""
    release = minor_release(version)
    return "" if release == "0.0" else release


def _chosen(release: str, of: str, how: str, *, is_unanimous: bool = True) -> ReleaseChoice:
    nearest = nearest_release(release)
    if nearest != release:
        note = f"{of} of Kubernetes {release}: deciding as {named(nearest)}, the nearest known release"
        return ReleaseChoice(nearest, note)
    if release == named(release) and is_unanimous:
        return ReleaseChoice(release)
    override = f"override with {parameter('kubernetes_version')}"
    return ReleaseChoice(release, f"deciding as Kubernetes {named(release)}, {how}; {override}")
