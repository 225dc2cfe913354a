"""What releases other than the one that is validated for do not serve, or do not know.

Source: the deprecated API migration guide for versions; for fields, the models of the official client of each
release. Releases are known by their minor numbers. Rules that changed between releases are those of 1.36, but for what
1.38 refuses in addition, which stands here.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kexplain.grouping import grouped
from kexplain.objects.problem import Path, Problem, Stage, WordEdit
from kexplain.objects.untrusted import at
from kexplain.tables import sections, table
from kexplain.validation.kinds import FIRST_SERVED, Retired
from kexplain.validation.schema import fields_of
from kexplain.words import clauses, joined, verb

#: The release whose validation this room follows.
RELEASE = "1.36"

#: Fields by the release that brought them, for those that came after 1.24; what is only ever in a status is left out.
_SINCE = {field: int(minor) for minor, fields in sections("fields-by-release").items() for field in fields}
#: The newest release whose fields are known.
_NEWEST = max(_SINCE.values())


_STRICT_SINCE = 38
#: What has names of attributes and capacities, as keys or as it is.
_QUALIFIED = {
    *("Device.attributes", "Device.capacity", "CapacityRequirements.requests"),
    *("DeviceConstraint.matchAttribute", "DeviceConstraint.distinctAttribute"),
}

#: Fields of versions that are gone, by the version and kind, with what they default to in the version to use.
#: Source: `SetDefaults_*` of extensions/v1beta1, apps/v1beta1 and apps/v1; the API reference for empty selectors.
_DEFAULTS_BY_VERSION = table("defaults-of-gone-versions", dict[str, dict[str, str]])
_BUDGET = "policy/v1beta1/PodDisruptionBudget"
#: The minor number of the first release that served a version where it was enabled, for kinds that had no other then.
#: Source: `pkg/registry/resource/rest`.
_OPTIONAL_SINCE = table("optional-versions", dict[str, int])


def _changed(manifest: Mapping[str, Any]) -> Iterator[str]:
    """What a manifest leaves open that means something else in the version to use."""
    identity = f"{manifest['apiVersion']}/{manifest['kind']}"
    spec = manifest.get("spec")
    fields = spec if isinstance(spec, dict) else {}
    for name, default in _DEFAULTS_BY_VERSION.get(identity, {}).items():
        if fields.get(name) is None:
            yield f"spec.{name} defaults to {default}"
    if identity == _BUDGET and fields.get("selector") == {}:
        yield "an empty selector selects every pod, not none"


def not_served(
    manifest: Mapping[str, Any], identity: str, retired: Retired | None, releases: Sequence[str]
) -> Iterator[Problem]:
    """The problem with the API version of a manifest, if some releases do not serve it."""
    kind = manifest["kind"]
    first = FIRST_SERVED.get(identity, 0)
    without_it = (one for one in releases if (_minor(one) < first if retired is None else _minor(one) > retired.last))
    missing = grouped((_advice(_minor(each), manifest, retired, first), each) for each in without_it)
    for advice, without in missing.items():
        does = f"{verb(len(without), 'does')} not serve"
        message = f"Kubernetes {joined(without)} {does} this version of {kind}{advice}"
        changed = joined([*_changed(manifest)])
        has_another = retired is not None and advice.endswith(retired.instead)
        edit = WordEdit(retired.instead) if retired and retired.alike and has_another and not changed else None
        message = clauses(message, changed and f"there {changed}")
        yield Problem(("apiVersion",), message, "apiVersion", edit=edit, stage=Stage.DECODING)


def _advice(minor: int, manifest: Mapping[str, Any], retired: Retired | None, first: int) -> str:
    """What to use in a release, or since when there is what the manifest uses."""
    if retired is None:
        return f", which came with 1.{first}"
    if retired.last:
        return f": use {retired.instead}"
    if minor >= FIRST_SERVED.get(f"{retired.instead}/{manifest['kind']}", 0):
        return f" by default: use {retired.instead}"
    since = _OPTIONAL_SINCE.get(manifest["apiVersion"], 0)
    return f", which came with 1.{since}" if minor < since else " by default, only where it is enabled"


def unknown_fields(manifest: object, identity: str, releases: Sequence[str]) -> Iterator[Problem]:
    """Fields that some releases do not know yet, though the newest one does."""
    if min(map(_minor, releases)) >= _NEWEST:
        return
    for name, path, text in fields_of(manifest, identity):
        since = _SINCE.get(name, 0)
        missing = [each for each in releases if _minor(each) < since]
        if missing:
            message = f"there is no such field in Kubernetes {joined(missing)}: it came with 1.{since}"
            yield Problem(path, message, text, is_about_key=True, stage=Stage.DECODING)


def refused_since(manifest: object, identity: str, releases: Sequence[str]) -> Iterator[Problem]:
    """What API servers refuse since 1.38 that those of 1.36 take. Source: resource/validation."""
    newer = joined([each for each in releases if _minor(each) >= _STRICT_SINCE])
    if not newer or not identity.startswith("resource.k8s.io/"):
        return
    for field, path, _ in fields_of(manifest, identity):
        found = at(manifest, *path)
        if field == "Device.nodeSelector" and isinstance(found, dict) and len(found.get("nodeSelectorTerms") or ()) > 1:
            yield Problem((*path, "nodeSelectorTerms"), f"has more than the one term that Kubernetes {newer} takes")
        for place, name in _names(found, path) if field in _QUALIFIED else ():
            if name.count("/") > 1:
                yield Problem(place, f"{name} has more slashes than the one that Kubernetes {newer} takes in a name")


def _names(found: object, path: Path) -> list[tuple[Path, str]]:
    if isinstance(found, dict):
        return [((*path, name), name) for name in found]
    return [(path, found)] if isinstance(found, str) else []


def _minor(release: str) -> int:
    return int(release.partition(".")[2])
