"""Placements: sets of nodes among which all pods of a group are placed."""

from msgspec import Struct

from kexplain.framework.status import Status, error
from kexplain.objects.core import GroupName


class Placement(Struct, frozen=True):
    """Some nodes, under the name of what they have in common; of all nodes there is one without a name."""

    name: str
    node_names: tuple[str, ...]


def group_not_found(name: GroupName) -> Status:
    """The error where the object of a group is looked for and not there."""
    return error(f'podgroup.scheduling.k8s.io "{name.name}" not found')
