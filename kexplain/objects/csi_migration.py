"""In-tree volumes as CSI drivers serve them. Source: csi-translation-lib, release 1.36.

Which volumes can be migrated, which driver then serves them, under which handle it counts them, and with
which node labels it names their topology. Azure File and vSphere volumes can be migrated too, but no
scheduler plugin does that, so nothing is translated for them.
"""

from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from kexplain.objects.core import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, Volume
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeSpec, VolumeNodeAffinity
from kexplain.objects.well_known import OLD_REGION, OLD_ZONE, REGION, ZONE
from kexplain.patterns import regex

#: What separates the zones in the label of a volume that is in several.
MULTI_ZONE_DELIMITER = "__"

_UNSPECIFIED = "UNSPECIFIED"
_EBS_ID = regex(r"vol-[^/]*")


class MigrationError(ValueError):
    """A volume that cannot be translated; the text is upstream's."""


class InTreePlugin(Struct, frozen=True):
    """An in-tree volume plugin, the field of its volumes, and the driver that took over from it.

    `topology_key` is the driver's node label for zones, where translation brings that in.
    """

    name: str
    field: str
    driver: str
    topology_key: str = ""


GCE_PD = InTreePlugin("kubernetes.io/gce-pd", "gce_persistent_disk", "pd.csi.storage.gke.io", "topology.gke.io/zone")
AWS_EBS = InTreePlugin(
    "kubernetes.io/aws-ebs", "aws_elastic_block_store", "ebs.csi.aws.com", "topology.ebs.csi.aws.com/zone"
)
AZURE_DISK = InTreePlugin("kubernetes.io/azure-disk", "azure_disk", "disk.csi.azure.com")
CINDER = InTreePlugin(
    "kubernetes.io/cinder", "cinder", "cinder.csi.openstack.org", "topology.cinder.csi.openstack.org/zone"
)
PORTWORX = InTreePlugin("kubernetes.io/portworx-volume", "portworx_volume", "pxd.portworx.com")
AZURE_FILE = InTreePlugin("kubernetes.io/azure-file", "azure_file", "file.csi.azure.com")
VSPHERE = InTreePlugin("kubernetes.io/vsphere-volume", "vsphere_volume", "csi.vsphere.vmware.com")
_IN_TREE_PLUGINS = (GCE_PD, AWS_EBS, AZURE_DISK, CINDER, PORTWORX, AZURE_FILE, VSPHERE)
IN_TREE_PLUGIN_BY_NAME = {plugin.name: plugin for plugin in _IN_TREE_PLUGINS}


def in_tree_plugin(source: Volume | PersistentVolumeSpec) -> InTreePlugin | None:
    """The in-tree plugin of a volume, in-line or persistent, that can be migrated; None for others."""
    return next((plugin for plugin in _IN_TREE_PLUGINS if getattr(source, plugin.field) is not None), None)


def inline_handle(volume: Volume) -> str:
    """The handle under which the driver knows an in-line volume. Raises MigrationError."""
    if volume.gce_persistent_disk is not None:
        return _zonal_disk(_UNSPECIFIED, volume.gce_persistent_disk.pd_name)
    return _plain_handle(volume)


def persistent_handle(volume: PersistentVolume) -> str:
    """The handle under which the driver knows a persistent volume. Raises MigrationError."""
    disk = volume.spec.gce_persistent_disk
    if disk is None:
        return _plain_handle(volume.spec)
    zones = (volume.labels.get(OLD_ZONE) or volume.labels.get(ZONE) or "").split(MULTI_ZONE_DELIMITER)
    if len(zones) > 1:
        return f"projects/{_UNSPECIFIED}/regions/{_gce_region(zones)}/disks/{disk.pd_name}"
    return _zonal_disk(zones[0] or _UNSPECIFIED, disk.pd_name)


def _plain_handle(source: Volume | PersistentVolumeSpec) -> str:
    if source.aws_elastic_block_store is not None:
        return _ebs_handle(source.aws_elastic_block_store.volume_id)
    if source.azure_disk is not None:
        kind = source.azure_disk.kind
        if kind is not None and kind.lower() != "managed":
            raise MigrationError(f"kind({kind}) is not supported in csi migration")
        return source.azure_disk.disk_uri
    if source.cinder is not None:
        return source.cinder.volume_id
    return source.portworx_volume.volume_id if source.portworx_volume is not None else ""


def _ebs_handle(volume_id: str) -> str:
    """The bare id; in-tree volumes may also be written `aws://zone/vol-1234`."""
    if not volume_id.startswith("aws://"):
        return volume_id
    bare = urlsplit(volume_id).path.strip("/")
    if not _EBS_ID.fullmatch(bare):
        raise MigrationError(
            f"failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume ({volume_id})"
        )
    return bare


def _zonal_disk(zone: str, name: str) -> str:
    return f"projects/{_UNSPECIFIED}/zones/{zone}/disks/{name}"


def _gce_region(zones: list[str]) -> str:
    regions = set()
    for zone in zones:
        parts = zone.split("-")
        if len(parts) != 3:
            wanted = f"{{locale}}-{{region}}-{{zone}}, got: {zone}"
            raise MigrationError(f"failed to get region from zones: zone in unexpected format, expected: {wanted}")
        regions.add("-".join(parts[:2]))
    if len(regions) != 1:
        found = " ".join(f"{region}:{{}}" for region in sorted(regions))
        raise MigrationError(
            f"failed to get region from zones: multiple or no regions gotten from zones, got: map[{found}]"
        )
    return regions.pop()


# ------------------------------------------------------------------------------------------------- topology


def migrated_node_affinity(volume: PersistentVolume) -> VolumeNodeAffinity | None:
    """The node affinity of a migrated volume, in the driver's labels. Raises MigrationError.

    Zones in the affinity count before zones in the volume's labels, current label names before legacy ones.
    """
    persistent_handle(volume)
    plugin = in_tree_plugin(volume.spec)
    affinity = volume.spec.node_affinity
    if plugin is None or not plugin.topology_key:
        return affinity
    terms = affinity.terms if affinity else ()
    zone_key, region_key = _topology_keys(volume, terms)
    if any(_has_values(term, zone_key) for term in terms):
        terms = tuple(_renamed(term, zone_key, plugin.topology_key) for term in terms)
    elif zone_key in volume.labels:
        terms = _in_zones(terms, plugin.topology_key, volume.labels[zone_key].split(MULTI_ZONE_DELIMITER))
    if region_key == OLD_REGION and any(_has_values(term, region_key) for term in terms):
        terms = tuple(_renamed(term, OLD_REGION, REGION) for term in terms)
    return affinity if not terms else VolumeNodeAffinity(required=NodeSelector(node_selector_terms=terms))


def _topology_keys(volume: PersistentVolume, terms: tuple[NodeSelectorTerm, ...]) -> tuple[str, str]:
    """The label names for zone and region that the volume uses."""
    keys = {expression.key for term in terms for expression in term.match_expressions or ()}
    if ZONE in keys:
        return ZONE, REGION
    if OLD_ZONE in keys or (ZONE not in volume.labels and OLD_ZONE in volume.labels):
        return OLD_ZONE, OLD_REGION
    return ZONE, REGION


def _has_values(term: NodeSelectorTerm, key: str) -> bool:
    return any(expression.key == key and expression.values for expression in term.match_expressions or ())


def _renamed(term: NodeSelectorTerm, old: str, new: str) -> NodeSelectorTerm:
    every = term.match_expressions or ()
    expressions = tuple(replace(each, key=new) if each.key == old else each for each in every)
    return replace(term, match_expressions=expressions)


def _in_zones(terms: tuple[NodeSelectorTerm, ...], key: str, zones: list[str]) -> tuple[NodeSelectorTerm, ...]:
    """The terms with these zones added to each; where the label names none, nothing is added."""
    values = tuple(sorted({zone.strip() for zone in zones} - {""}))
    if not values:
        return terms
    requirement = NodeSelectorRequirement(key=key, operator="In", values=values)
    return tuple(
        replace(term, match_expressions=(*(term.match_expressions or ()), requirement))
        for term in terms or (NodeSelectorTerm(),)
    )
