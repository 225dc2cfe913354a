from __future__ import annotations

import pytest

from kexplain.config.releases.release import RELEASES, UNRECORDED, features_of
from kexplain.framework.features import Features
from kexplain.framework.plugin import ExtensionPoint, implements
from kexplain.framework.traits import release_key
from kexplain.plugins.non_csi_limits import DISK_KINDS
from kexplain.plugins.registry import IN_TREE_PLUGINS


def test_plugins_are_named_as_their_classes() -> None:
    for name, make in IN_TREE_PLUGINS.items():
        plugin = make(Features())
        # Upstream has one type for the disks of all clouds, too.
        assert plugin.name == name == (name if name in DISK_KINDS else type(plugin).__name__)


#: Where upstream's plugins take part, by the `var _ fwk.…Plugin` of their files in 1.22 to 1.36: in the newest of
#: them, and behind a release what was there before it.
POINTS = """
DefaultBinder                    bind
DefaultPreemption                preEnqueue postFilter                   1.32 -preEnqueue
DynamicResources                 preEnqueue preFilter filter postFilter score reserve preBind
GangScheduling                   preEnqueue permit                       1.36 +reserve
ImageLocality                    score
InterPodAffinity                 preFilter filter preScore score
NodeAffinity                     preFilter filter preScore score
NodeDeclaredFeatures             preFilter filter
NodeName                         filter
NodePorts                        preFilter filter
NodeResourcesBalancedAllocation  preScore score                          1.27 -preScore
NodeResourcesFit                 preFilter filter preScore score placementScore  1.27 -preScore 1.36 -placementScore
NodeUnschedulable                filter
NodeVolumeLimits                 preFilter filter                        1.28 -preFilter
PodGroupPodsCount                placementScore
PodTopologySpread                preFilter filter preScore score
PrioritySort                     queueSort
SchedulingGates                  preEnqueue
TaintToleration                  filter preScore score
TopologyPlacementGenerator       placementGenerate
VolumeBinding                    preFilter filter preScore score reserve preBind  1.30 -preScore
VolumeRestrictions               preFilter filter
VolumeZone                       preFilter filter                        1.27 -preFilter
"""


def upstream_points(line: str, release: str) -> set[str]:
    words = line.split()[1:]
    points: set[str] = set()
    is_later = False
    for word in words:
        if word[0].isdigit():
            is_later = release_key(release) < release_key(word)
        elif word[0] not in "+-":
            points.add(word)
        elif is_later:
            (points.add if word[0] == "+" else points.discard)(word[1:])
    return points


@pytest.mark.parametrize("release", [each for each in RELEASES if each not in UNRECORDED])
def test_plugins_take_part_where_those_of_upstream_do(release: str) -> None:
    features = features_of(release)
    for line in POINTS.strip().splitlines():
        name = line.split()[0]
        plugin = IN_TREE_PLUGINS[name](features)
        ours = {point.value for point in ExtensionPoint if implements(plugin, point)}
        if name == "DynamicResources":
            # Scores since 1.35; what it did as an alpha of other fields is not built.
            ours |= {"score"}
        assert ours == upstream_points(line, release), name
