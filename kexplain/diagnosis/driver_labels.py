"""Labels that CSI drivers give nodes once they run there, where one of them does not run."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo
from kexplain.diagnosis.meant_labels import renamed, values_by_key
from kexplain.diagnosis.wishes import PLACES
from kexplain.objects.node_pools import zone_of
from kexplain.objects.node_selectors import NodeTerm, parse_node_term
from kexplain.objects.persistent_volumes import PersistentVolume
from kexplain.objects.selectors import SelectorError
from kexplain.objects.storage import CSINode
from kexplain.objects.well_known import ZONE

_ZONE = "/zone"


class Unregistered(Struct, frozen=True):
    """A driver that is not registered on a node, and the labels that it would have given the node."""

    driver: str
    labels: Mapping[str, str]


def unregistered(volume_name: str, node_info: NodeInfo, cluster: Cluster) -> Unregistered | None:
    """The driver of the volume, if it runs on other nodes and all that this one lacks is what comes with the driver.

    A node in the zone of the volume would have the label then; of other labels nobody knows, unless all have one value.
    """
    volume = cluster.listers.get(PersistentVolume, volume_name)
    driver = volume.spec.csi.driver if volume and volume.spec.csi else ""
    keys_by_node = cluster.fact((unregistered, driver), lambda: _topology_keys(cluster, driver)) if driver else {}
    if volume is None or not keys_by_node or node_info.name in keys_by_node:
        return None
    known = frozenset().union(*keys_by_node.values())
    labels = next(filter(None, (_missing(term, node_info, known, cluster) for term in _terms(volume))), None)
    return Unregistered(driver, labels) if labels else None


def renamed_places(volume: PersistentVolume | None, cluster: Cluster) -> tuple[dict[str, str], dict[str, str]]:
    """The labels that a volume wants of its nodes and none has, and those with the same values that nodes have now.

    A label that a driver gives nodes is missing where the driver is.
    """
    terms = _terms(volume) if volume else ()
    wanted = terms[0].labels if len(terms) == 1 and all(len(each.values) == 1 for each in terms[0].labels) else ()
    now_by_key = renamed(wanted, values_by_key(cluster), only_known=bool(volume and volume.spec.csi))
    value_by_key = {each.key: next(iter(each.values)) for each in wanted if now_by_key}
    return value_by_key, {now_by_key[key]: value for key, value in value_by_key.items()}


def zone_labels(volume_name: str, cluster: Cluster) -> dict[str, str]:
    """The labels of a node in the zone of a volume; empty where it is in none, or in several."""
    volume = cluster.listers.get(PersistentVolume, volume_name)
    terms = _terms(volume) if volume else ()
    wanted = [each for term in terms for each in term.labels]
    if len(terms) != 1 or not all(_is_near_zone(each.key, each.values, cluster) for each in wanted):
        return {}
    labels = {each.key: next(iter(each.values)) for each in wanted}
    there = (info.labels for info in cluster.node_infos if labels.items() <= info.labels.items())
    zones = {value for key, value in labels.items() if key.endswith(_ZONE)} or {zone_of(each) for each in there} - {""}
    return {**({ZONE: zones.pop()} if len(zones) == 1 else {}), **labels}


def _is_near_zone(key: str, values: Collection[str], cluster: Cluster) -> bool:
    """The same but for zones, such as `eu-west-1a`, in regions where there is no node."""
    if not is_zone(key, values, cluster):
        return False
    value, known = next(iter(values)), {info.labels[key] for info in cluster.node_infos if key in info.labels}
    is_numbered = any(map(str.isdigit, value))
    regions = {each[:-1].rstrip("-") for each in known}
    return not (known and is_numbered) or value[:-1].rstrip("-") in regions


def is_zone(key: str, values: Collection[str], cluster: Cluster) -> bool:
    """Whether a label of one value says in which zone, region or rack a node is: everybody's own, or that of a driver.

    A label that no node has, though there are nodes in the zone, is what is missing, not the zone.
    """
    if len(values) != 1 or not (key in PLACES or key.endswith((_ZONE, "/region")) or _is_shared(key, cluster)):
        return False
    is_known = any(key in info.labels for info in cluster.node_infos)
    return is_known or not any(zone_of(info.labels) in values for info in cluster.node_infos)


def _is_shared(key: str, cluster: Cluster) -> bool:
    """Whether drivers tell places apart by the label, in each of which there may be several nodes."""
    keys = cluster.fact(_is_shared, lambda: _every_key(cluster))
    values = [info.labels[key] for info in cluster.node_infos if key in info.labels] if key in keys else []
    return len(set(values)) < len(values)


def _every_key(cluster: Cluster) -> frozenset[str]:
    drivers = (each for node in cluster.listers.every(CSINode) for each in node.spec.drivers or ())
    return frozenset(key for each in drivers for key in each.topology_keys or ())


def _terms(volume: PersistentVolume) -> Sequence[NodeTerm]:
    """The terms of the volume's node affinity that can be parsed; what cannot matches no node."""
    affinity, terms = volume.spec.node_affinity, []
    for term in affinity.terms if affinity else ():
        with suppress(SelectorError):
            terms.append(parse_node_term(term))
    return terms


def _missing(term: NodeTerm, node_info: NodeInfo, known: Collection[str], cluster: Cluster) -> dict[str, str]:
    """What the driver would add for the term to match; empty if that is not all that the node lacks."""
    unmet = [each for each in term.labels if not each.matches(node_info.labels)]
    # Where drivers alone say where nodes are, and say the same of all, it is there, too.
    others = [[value for value in cluster.names_by_label(each.key) if value] for each in unmet]
    zone = zone_of(node_info.labels) or next((each[0] for each in others if len(each) == 1), "")
    is_of_driver = all(each.key in known and each.key not in node_info.labels and zone in each.values for each in unmet)
    return {each.key: zone for each in unmet} if is_of_driver and not term.fields else {}


def _topology_keys(cluster: Cluster, driver: str) -> dict[str, frozenset[str]]:
    """The labels by which the driver tells places apart, by the nodes where it is registered."""
    drivers = ((node.name, each) for node in cluster.listers.every(CSINode) for each in node.spec.drivers or ())
    return {name: frozenset(each.topology_keys or ()) for name, each in drivers if each.name == driver}
