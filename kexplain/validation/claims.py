"""Claims on storage.

Source: core/validation `ValidatePersistentVolumeClaimSpec`, release 1.36.
"""

from kexplain.validation.field import Field
from kexplain.validation.names import dns_label

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


def _check_sources(spec: Field) -> None:
    source, reference = spec.child("dataSource"), spec.child("dataSourceRef")
    if reference.child("namespace").string:
        reference.child("namespace").obey(dns_label)
        source.written(spec).forbid("dataSource excludes a dataSourceRef with a namespace")
    elif source.is_set and reference.is_set and _identity(source) != _identity(reference):
        source.written(spec).reject("dataSource and dataSourceRef must be the same")


def _identity(source: Field) -> tuple[str, ...]:
    return tuple(source.child(name).string for name in ("apiGroup", "kind", "name"))
