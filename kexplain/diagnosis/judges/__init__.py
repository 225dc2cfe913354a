"""One judge a subject, in the order in which a colleague would check them."""

from collections.abc import Callable
from typing import TypeAlias

from kexplain.diagnosis.judges import (
    besides,
    claims,
    full_nodes,
    labels,
    neighbours,
    offers,
    service,
    spreading,
    storage,
    taints,
)
from kexplain.diagnosis.records import Finding
from kexplain.diagnosis.scene import Scene

Judge: TypeAlias = Callable[[Scene], Finding | None]

#: What is wrong wherever the pod would go, then what no node gives it, then what keeps it off where it belongs.
JUDGES: tuple[Judge, ...] = (
    service.no_nodes, claims.unusable_claim, labels.missing_node, labels.unmet_labels, offers.unmet_offer,
    labels.unmet_zone, storage.unmet_volume, storage.missing_driver, storage.absent_driver, spreading.missing_domain,
    neighbours.nobody_near, service.out_of_service, taints.for_single_pods, taints.all_kept, taints.untolerated,
    offers.broken_devices, full_nodes.too_big, labels.lost_label, spreading.uneven, neighbours.crowded,
    storage.used_up, offers.taken_devices, full_nodes.no_room,
)  # fmt: skip
#: Who is asked if none of them knows: he says again what they have looked at.
LAST: Judge = besides.several
