"""Every kind of objection to a node, a class each: its published fact, its words, and what would help.

A new kind is one module here, and one line below.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from kexplain.cluster import NodeInfo
from kexplain.explain.objections.affinity import Affinities, AntiAffinities, ExistingAntiAffinities
from kexplain.explain.objections.attaching import AttachLimits, DisksInUse, Drivers
from kexplain.explain.objections.claims import ClaimsInUse, NoVolumes, UnusableClaims
from kexplain.explain.objections.devices import ClaimsElsewhere, DeviceCombinations, DeviceRequests
from kexplain.explain.objections.extenders import LeftOut
from kexplain.explain.objections.features import KubeletFeatures, MissingDeviceClasses
from kexplain.explain.objections.labels import NodeLabels, NodeNames
from kexplain.explain.objections.objection import Lookup, Objection, Read
from kexplain.explain.objections.policies import LabelPresence, NodeConditions, ServiceAffinities
from kexplain.explain.objections.ports import Ports
from kexplain.explain.objections.resources import Resources
from kexplain.explain.objections.spreading import Skews, TopologyLabels
from kexplain.explain.objections.storage import (
    StorageShortages,
    Topologies,
    VolumesOutOfReach,
    VolumesProvisionedElsewhere,
    VolumeZones,
)
from kexplain.explain.objections.taints import Cordons, Taints
from kexplain.framework.evidence import Evidence
from kexplain.framework.status import Status

#: Evidence and fact differ from kind to kind: whoever finds a kind by one of them may hand it that one.
AnyObjection: TypeAlias = Objection[Any, Any]

OBJECTIONS: tuple[AnyObjection, ...] = (
    LabelPresence(), ServiceAffinities(), NodeConditions(), Resources(), Taints(), Cordons(), NodeNames(), NodeLabels(),
    Ports(), TopologyLabels(), Skews(), Affinities(), AntiAffinities(), ExistingAntiAffinities(), LeftOut(),
    UnusableClaims(), DisksInUse(), ClaimsInUse(), Drivers(), AttachLimits(), VolumesOutOfReach(), VolumeZones(),
    NoVolumes(), Topologies(), StorageShortages(), VolumesProvisionedElsewhere(), DeviceRequests(),
    DeviceCombinations(), ClaimsElsewhere(), MissingDeviceClasses(), KubeletFeatures(),
)  # fmt: skip
BY_EVIDENCE: Mapping[type[Evidence], AnyObjection] = {each.evidence: each for each in OBJECTIONS}
BY_FACT: Mapping[type[Evidence], AnyObjection] = {each.fact: each for each in OBJECTIONS}

if TYPE_CHECKING:
    AnyFact: TypeAlias = Evidence
else:
    #: The published schema names all of them.
    AnyFact = Union[tuple(BY_FACT)]  # noqa: UP007 (made at run time)


def facts_of(status: Status, node_info: NodeInfo, lookup: Lookup) -> tuple[AnyFact, ...]:
    """The facts behind one plugin's rejection of one node."""
    return tuple([fact for each in status.evidence for fact in BY_EVIDENCE[type(each)].facts(each, node_info, lookup)])


def reads(status: Status) -> tuple[Read, ...] | None:
    """What of the node these follow from, see `Objection.reads`; None if every node has facts of its own."""
    every = [BY_EVIDENCE[type(evidence)].reads(evidence) for evidence in status.evidence]
    return None if None in every else tuple(chain.from_iterable(filter(None, every)))


def detail(facts: Sequence[AnyFact], reasons: Sequence[str]) -> str:
    """All facts of one rejection in one line; upstream's reasons where there are none."""
    return "; ".join(objection.detail(run) for objection, run in runs(facts)) or "; ".join(reasons)


def runs(facts: Sequence[AnyFact]) -> Iterator[tuple[AnyObjection, list[AnyFact]]]:
    """The facts with their objection, those of one kind in a row together."""
    yield from ((BY_FACT[kind], list(run)) for kind, run in groupby(facts, type))
