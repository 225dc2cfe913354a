"""What helps against every kind of objection to a node, a class each.

A new one is a class here, and a line below; objections that nothing is known to help against have none.
"""

from typing import Any, TypeAlias

from kexplain.framework.evidence import Evidence
from kexplain.remedies.against.affinity import AgainstAffinities, AgainstAntiAffinities, AgainstExistingAntiAffinities
from kexplain.remedies.against.against import Against
from kexplain.remedies.against.attaching import AgainstAttachLimits, AgainstDisksInUse, AgainstDrivers
from kexplain.remedies.against.claims import AgainstClaimsInUse, AgainstNoVolumes, AgainstUnusableClaims
from kexplain.remedies.against.devices import AgainstClaimsElsewhere, AgainstDeviceCombinations, AgainstDeviceRequests
from kexplain.remedies.against.features import AgainstKubeletFeatures, AgainstMissingDeviceClasses
from kexplain.remedies.against.labels import AgainstNodeLabels, AgainstNodeNames
from kexplain.remedies.against.ports import AgainstPorts
from kexplain.remedies.against.resources import AgainstResources
from kexplain.remedies.against.spreading import AgainstSkews, AgainstTopologyLabels
from kexplain.remedies.against.storage import (
    AgainstStorageShortages,
    AgainstTopologies,
    AgainstVolumesOutOfReach,
    AgainstVolumesProvisionedElsewhere,
    AgainstVolumeZones,
)
from kexplain.remedies.against.taints import AgainstCordons, AgainstTaints

#: Facts differ from kind to kind: whoever finds what helps by a fact may hand it that one.
AnyAgainst: TypeAlias = Against[Any]

AGAINST: tuple[AnyAgainst, ...] = (
    AgainstAffinities(), AgainstAntiAffinities(), AgainstExistingAntiAffinities(), AgainstDisksInUse(),
    AgainstDrivers(), AgainstAttachLimits(), AgainstUnusableClaims(), AgainstClaimsInUse(), AgainstNoVolumes(),
    AgainstDeviceRequests(), AgainstDeviceCombinations(), AgainstClaimsElsewhere(), AgainstMissingDeviceClasses(),
    AgainstKubeletFeatures(), AgainstNodeLabels(), AgainstNodeNames(), AgainstPorts(), AgainstResources(),
    AgainstSkews(), AgainstTopologyLabels(), AgainstVolumesOutOfReach(), AgainstVolumeZones(), AgainstTopologies(),
    AgainstStorageShortages(), AgainstVolumesProvisionedElsewhere(), AgainstTaints(), AgainstCordons(),
)  # fmt: skip
_BY_FACT: dict[type[Evidence], AnyAgainst] = {each.fact: each for each in AGAINST}


def against(fact: type[Evidence]) -> AnyAgainst:
    """What helps against objections with facts of that type; one that knows nothing if there is no such thing."""
    known = _BY_FACT.get(fact)
    if known is None:
        known = _BY_FACT[fact] = Against.knowing_nothing_of(fact)
    return known
