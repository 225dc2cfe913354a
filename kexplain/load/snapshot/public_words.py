"""What identifies nobody: keys of labels and taints, and words of conditions, that come with Kubernetes or add-ons.

Everything else is somebody's own, also in a domain of Kubernetes, as `node-role.kubernetes.io/payments`.
"""

from kexplain.load.record_types import API_VERSIONS
from kexplain.objects.csi_migration import IN_TREE_PLUGIN_BY_NAME
from kexplain.objects.karpenter import KARPENTER
from kexplain.objects.node_pools import POOL_LABELS
from kexplain.objects.well_known import OLD_REGION, OLD_ZONE, REGION, ZONE
from kexplain.patterns import regex
from kexplain.tables import sections

ZONE_KEYS = frozenset(
    (ZONE, REGION, OLD_ZONE, OLD_REGION, *(plugin.topology_key for plugin in IN_TREE_PLUGIN_BY_NAME.values()))
)
_NAMES_BY_DOMAIN = sections("public-keys")
_WORDS = sections("public-words")
_OF_DOMAINS = (f"{domain}/{name}" for domain, names in _NAMES_BY_DOMAIN.items() for name in names)
_KEYS = frozenset((*ZONE_KEYS, *POOL_LABELS, *_OF_DOMAINS, *_WORDS["keys"]))
#: Words that mean something to the scheduler wherever they occur, and keep their names.
KEPT_WORDS = frozenset(("", *_WORDS["kept"]))
#: Types and reasons of conditions and events that Kubernetes, node-problem-detector and autoscalers write.
CONDITION_WORDS = frozenset(_WORDS["conditions"])

#: Kinds and groups of projects that many run, and those that are read here; kinds of disks of Azure, too.
_KINDS = frozenset(_WORDS["kinds"])
_READ_KINDS = frozenset(f"{record.__name__.casefold()}{end}" for record in API_VERSIONS for end in ("", "s"))
_GROUPS = frozenset(version.rpartition("/")[0] for versions in API_VERSIONS.values() for version in versions)
_GROUPS |= frozenset(_WORDS["groups"])
#: Attributes of devices that tell one from all others, and what looks so.
_IDENTIFYING = ("uuid", "serial", "guid", "wwn", "macaddr")
_IDENTIFIER = regex(
    r".*(?:[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}).*"
)


def is_identifier(attribute: str, *values: str) -> bool:
    """Whether an attribute of a device, or its name, tells it from all others."""
    name = attribute.rpartition("/")[2].casefold()
    return any(word in name for word in _IDENTIFYING) or any(map(_IDENTIFIER.fullmatch, values))


def is_public_kind(kind: str) -> bool:
    """Whether objects of a kind, by its name or by that of the resource, are of those that many have."""
    return kind in _KINDS or kind.casefold() in _READ_KINDS


def is_public_group(group: str) -> bool:
    """Whether an API group, or the version of the core group, is one that many have."""
    return "." not in group or group in _GROUPS


def is_public_key(key: str) -> bool:
    """Whether the key of a label or a taint is one that everybody has."""
    return key in _KEYS or key.partition("/")[0] == KARPENTER


def own_part(key: str) -> str:
    """The domain of Kubernetes, with a slash, that a key of somebody's own stands in; empty if it is theirs, too."""
    domain = key.partition("/")[0]
    return f"{domain}/" if domain in _NAMES_BY_DOMAIN else ""
