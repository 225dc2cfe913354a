"""Claims on storage.

Source: core/validation `ValidatePersistentVolumeClaimSpec`, release 1.36.
"""

from __future__ import annotations

from kexplain.validation.labels import check_label_selector
from kexplain.validation.names import dns_label, dns_subdomain
from kexplain.validation.problem import Field
from kexplain.validation.resources import check_positive

ACCESS_MODES = ("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")
VOLUME_MODES = ("Block", "Filesystem")

_CLAIM = "PersistentVolumeClaim"
_OLD_SOURCES = (("", _CLAIM), ("snapshot.storage.k8s.io", "VolumeSnapshot"))


def with_data_sources(spec: Field) -> Field:
    """The spec of a new claim as it is stored: each of its two data sources filled in from the other.

    Unless they are claims or snapshots, sources in the older field are dropped, as are those of other namespaces,
    which wait for the feature gate CrossNamespaceVolumeDataSource. Source: `registry/core/persistentvolumeclaim`.
    """
    source, reference = spec.child("dataSource"), spec.child("dataSourceRef")
    new = None if reference.child("namespace").string else reference.value
    old = source.value if new is not None or _identity(source)[:2] in _OLD_SOURCES else None
    changed = {name: value for name, value in spec.mapping.items() if name not in ("dataSource", "dataSourceRef")}
    if old is not None or new is not None:
        changed |= {"dataSource": new if old is None else old, "dataSourceRef": old if new is None else new}
    return spec.with_value(changed)


def check_claim_spec(spec: Field) -> None:
    """What a claim asks for."""
    check_access_modes(spec.child("accessModes"))
    check_label_selector(spec.child("selector"))
    _check_storage(spec)
    for name in ("storageClassName", "volumeAttributesClassName"):
        if spec.child(name).string:
            spec.child(name).obey(dns_subdomain)
    spec.child("volumeMode").one_of(VOLUME_MODES)
    _check_sources(spec)


def check_access_modes(modes: Field) -> None:
    """How a volume can be mounted; one mode at least."""
    modes.require("needs an access mode at least")
    for mode in modes.items():
        mode.written(modes).one_of(ACCESS_MODES)
    if "ReadWriteOncePod" in modes.strings and set(modes.strings) & set(ACCESS_MODES[:3]):
        modes.reject("ReadWriteOncePod excludes all others")


def _check_storage(spec: Field) -> None:
    storage = spec.descend("resources", "requests").key("storage").written(f"{spec.text}.resources[storage]")
    if not storage.is_set:
        storage.require()
        return
    check_positive(storage)


def _check_sources(spec: Field) -> None:
    source, reference = spec.child("dataSource"), spec.child("dataSourceRef")
    namespace = reference.child("namespace")
    for each in (source, reference):
        if each.is_set:
            _check_source(each)
    if namespace.string:
        namespace.obey(dns_label)
        if source.is_set:
            source.written(spec).reject("dataSource excludes a dataSourceRef with a namespace")
    elif source.is_set and reference.is_set and _identity(source) != _identity(reference):
        source.written(spec).reject("dataSource and dataSourceRef must be the same")


def _check_source(source: Field) -> None:
    group, kind = source.child("apiGroup"), source.child("kind")
    source.child("name").require()
    kind.require()
    if not group.string and kind.value != _CLAIM:
        kind.written(source).reject(f"must be a {_CLAIM}, or have an apiGroup")
    if group.string:
        group.obey(dns_subdomain)


def _identity(source: Field) -> tuple[str, ...]:
    return tuple(source.child(name).string for name in ("apiGroup", "kind", "name"))
