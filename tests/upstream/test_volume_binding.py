from __future__ import annotations

import pytest

from kexplain.objects.core import NodeSelectorRequirement, NodeSelectorTerm
from kexplain.objects.meta import LabelSelector
from tests.factories import node, node_term, pod
from tests.storage_factories import capacity, claim, csi_driver, persistent_volume, storage_class, uses

from .case import FOR_GOOD, Case, check

BINDING = "VolumeBinding"
#: Who finds out first that a claim is not there.
FIRST = "VolumeRestrictions"
GONE, BOTH_GONE = {"n1": FOR_GOOD}, {"n1": FOR_GOOD, "n2": FOR_GOOD}
HOST = "kubernetes.io/hostname"


def _at(*names: str) -> list[NodeSelectorTerm]:
    return [node_term(NodeSelectorRequirement(key=HOST, operator="In", values=names))]


TWO = [node(name, labels={HOST: name}) for name in ("n1", "n2")]
NOT_MADE = storage_class("wait", "kubernetes.io/no-provisioner")
SOON = storage_class("soon", mode="Immediate")
CASES = [
    Case("no claims", pod(), TWO, BINDING),
    Case("all bound", pod(volumes=uses("a")), TWO, BINDING, {}, (), [claim("a", volume="v"), persistent_volume("v")]),
    Case("a claim that is not there", pod(volumes=uses("a")), TWO, FIRST, BOTH_GONE),
    Case(
        "one of two claims is not there",
        pod(volumes=uses("a", "b")),
        TWO,
        FIRST,
        BOTH_GONE,
        (),
        [claim("a", volume="v"), persistent_volume("v")],
    ),
    Case(
        "a claim to be bound at once is not bound",
        pod(volumes=uses("a")),
        TWO,
        BINDING,
        BOTH_GONE,
        (),
        [claim("a", storage_class="soon"), SOON],
    ),
    Case("nothing to bind to", pod(volumes=uses("a")), TWO, BINDING, BOTH_GONE, (), [claim("a"), NOT_MADE]),
    Case(
        "a bound volume that is elsewhere beside a claim with nothing to bind to",
        pod(volumes=uses("a", "b")),
        [TWO[0]],
        BINDING,
        GONE,
        (),
        [claim("a", volume="v"), persistent_volume("v", reach=_at("n2")), claim("b"), NOT_MADE],
    ),
    Case(
        "the volume of a bound claim is not there",
        pod(volumes=uses("a")),
        TWO,
        "VolumeZone",
        BOTH_GONE,
        (),
        [claim("a", volume="v"), storage_class()],
    ),
    Case(
        "a claim that has lost its volume",
        pod(volumes=uses("a")),
        TWO,
        BINDING,
        BOTH_GONE,
        (),
        [claim("a", volume="v", phase="Lost"), storage_class()],
    ),
    Case(
        "a bound volume that one node reaches",
        pod(volumes=uses("a")),
        TWO,
        BINDING,
        GONE,
        (),
        [claim("a", volume="v"), persistent_volume("v", reach=_at("n2")), storage_class()],
    ),
    Case(
        "a volume that can be bound on one node",
        pod(volumes=uses("a")),
        TWO,
        BINDING,
        GONE,
        (),
        [claim("a"), persistent_volume("v", reach=_at("n2")), NOT_MADE],
    ),
    Case(
        "two claims, and one volume",
        pod(volumes=uses("a", "b")),
        TWO,
        BINDING,
        BOTH_GONE,
        (),
        [claim("a"), claim("b"), persistent_volume("v", reach=_at("n1", "n2")), NOT_MADE],
    ),
    Case(
        "two claims, and a volume for each on one node",
        pod(volumes=uses("a", "b")),
        TWO,
        BINDING,
        {"n2": FOR_GOOD},
        (),
        [claim("a"), claim("b"), *(persistent_volume(name, reach=_at("n1")) for name in ("v", "w")), NOT_MADE],
    ),
    Case(
        "volumes that are too small",
        pod(volumes=uses("a")),
        TWO,
        BINDING,
        BOTH_GONE,
        (),
        [claim("a", size="50Gi"), persistent_volume("v", size="10Gi"), NOT_MADE],
    ),
    Case(
        "a volume that is kept for another claim",
        pod(volumes=uses("a")),
        TWO,
        BINDING,
        BOTH_GONE,
        (),
        [claim("a"), persistent_volume("v", reserved="other"), NOT_MADE],
    ),
    Case("a volume is made anywhere", pod(volumes=uses("a")), TWO, BINDING, {}, (), [claim("a"), storage_class()]),
    Case(
        "a volume is made where the class allows it",
        pod(volumes=uses("a")),
        TWO,
        BINDING,
        GONE,
        (),
        [claim("a"), storage_class(topologies=[{HOST: ["n2"]}])],
    ),
    Case(
        "a volume is made where there is capacity",
        pod(volumes=uses("a")),
        TWO,
        BINDING,
        GONE,
        (),
        [claim("a"), storage_class(), csi_driver(), capacity("c", LabelSelector(match_labels={HOST: "n2"}), "100Gi")],
    ),
    Case(
        "there is capacity, and too little",
        pod(volumes=uses("a")),
        TWO,
        BINDING,
        BOTH_GONE,
        (),
        [claim("a"), storage_class(), csi_driver(), capacity("c", LabelSelector(match_labels={HOST: "n2"}), "5Gi")],
    ),
    Case(
        "a node that was chosen for the claim",
        pod(volumes=uses("a")),
        TWO,
        BINDING,
        GONE,
        (),
        [claim("a", selected_node="n2"), storage_class()],
    ),
    Case(
        "a claim that is being deleted",
        pod(volumes=uses("a")),
        TWO,
        BINDING,
        BOTH_GONE,
        (),
        [claim("a", deleting=True)],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_volume_binding(case: Case) -> None:
    check(case)
