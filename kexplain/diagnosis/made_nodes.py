"""Nodes that another scheduler makes, each for one of its pods, as that of Fargate does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from kexplain.admission.workloads import template_of
from kexplain.case.own_pods import read_maker
from kexplain.cluster import NodeInfo
from kexplain.objects.requests import PODS
from kexplain.objects.well_known import DEFAULT_SCHEDULER_NAME

if TYPE_CHECKING:
    from kexplain.diagnosis.scene import Scene


class MadeNodes(Struct, frozen=True):
    """Who makes them, and by what the pod says that it wants none: the key of their taint, with another value."""

    schedulers: Sequence[str]
    key: str = ""
    value: str = ""
    wanted: str = ""


def makers_of(node_info: NodeInfo) -> list[str]:
    """The scheduler that made the node for the one pod that it takes; empty if it takes others, or nobody says so."""
    names = [info.pod.scheduler_name for info in node_info.pods]
    return names if node_info.allocatable.amount(PODS) == 1 and DEFAULT_SCHEDULER_NAME not in names else []


def made_nodes(scene: Scene) -> MadeNodes | None:
    """What all nodes in service are; None if any is not made so."""
    infos = scene.infos(scene.circles.reserved) if scene.is_nowhere else ()
    found = {tuple(makers_of(each)) for each in infos}
    if not found or not all(found):
        return None
    made_by = read_maker(scene.pod, scene.cluster.listers)
    template = template_of(made_by) if made_by else None
    noted = (template and template.metadata.annotations) or {}
    taints = [each for each in infos[0].node.spec.taints or () if noted.get(each.key, each.value) != each.value]
    schedulers = sorted({name for names in found for name in names})
    return MadeNodes(schedulers, *((taints[0].key, taints[0].value or "", noted[taints[0].key]) if taints else ()))
