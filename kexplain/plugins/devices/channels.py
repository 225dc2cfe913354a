"""Which of upstream's allocators answers. Source: `structured.NewAllocator`, `SupportedFeatures` of each.

There are three, stable, incubating and experimental, and the first answers that supports all features that are on. What
tells them apart to those who claim devices is whether they know of devices that several claims share. Up to 1.33 there
was one, which did not.
"""

from kexplain.cel.engine import Dialect
from kexplain.framework.features import Features


def knows_sharing(features: Features) -> bool:
    """Whether the allocator knows of shared devices, amounts of capacity and distinct attributes, used or not.

    One that does not ignores amounts, and takes constraints on distinct attributes for empty ones.
    """
    if not features.device_search_goes_by_gates:
        return False
    waits = (features.device_binding_conditions, features.device_status)
    enough = all if features.device_gates_for_waiting_count_together else any
    compares_lists = features.list_attributes and features.lists_are_known
    return (
        features.consumable_capacity
        or compares_lists
        or features.compatibility_groups
        or features.derived_attributes
        or enough(waits)
    )


def dialect_of(features: Features) -> Dialect:
    """What selectors know of attributes that are lists."""
    return Dialect(features.list_attributes or features.lists_are_known, features.selectors_know_includes)


def is_plain(features: Features) -> bool:
    """Whether the allocator is the one that no feature was added to."""
    added = (
        features.device_admin_access,
        features.device_alternatives,
        features.partitionable_devices,
        features.device_taints,
        knows_sharing(features),
    )
    if not features.device_search_goes_by_gates:
        return True
    return features.plain_claims_have_their_own_allocator and not any(added)
