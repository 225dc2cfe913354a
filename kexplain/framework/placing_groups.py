"""Among which nodes a group is tried, and which of them are best. Source: `framework/runtime/framework.go`."""

from collections.abc import Sequence

from kexplain.cluster import Cluster
from kexplain.framework.plugin import Placement
from kexplain.framework.profile import Profile
from kexplain.framework.status import Code, Status, error
from kexplain.framework.trace import NodeScores, PluginScores
from kexplain.objects.core import GroupName


def run_placement_generators(profile: Profile, name: GroupName, cluster: Cluster) -> Sequence[Placement] | Status:
    """The placements to try, at least one, or why there is none. Source: `RunPlacementGeneratePlugins`."""
    if not profile.placement_generate:
        return [Placement("", tuple(info.name for info in cluster.node_infos))]
    plugin = profile.placement_generate[0]
    found = plugin.placements(name, cluster)
    if isinstance(found, Status):
        return found
    return found or Status(Code.UNSCHEDULABLE, ("no feasible placements found",), plugin=plugin.name)


def run_placement_feasible(
    profile: Profile, name: GroupName, cluster: Cluster, scheduled: int, remaining: int
) -> Status | None:
    """What the plugins say of a group so far; a rejection stands before one that waits."""
    waits: Status | None = None
    for plugin in profile.placement_feasible:
        status = plugin.feasible(name, cluster, scheduled, remaining)
        if status is None:
            continue
        if status.code is not Code.WAIT:
            return status.by(plugin.name)
        waits = waits or status.by(plugin.name)
    return waits


def run_placement_scores(
    profile: Profile, name: GroupName, cluster: Cluster, placed: Sequence[Placement]
) -> NodeScores | Status:
    """The scores of placements by their names, with the pods that each takes. Source: `RunPlacementScorePlugins`."""
    names, by_plugin = [each.name for each in placed], dict[str, PluginScores]()
    for plugin in profile.placement_score:
        raw = [plugin.score_placement(name, cluster, each) for each in placed]
        normalized = plugin.normalize_placements(raw)
        if isinstance(normalized, Status):
            reason = f"running NormalizePlacementScore on PlacementScore plugins: plugin {plugin.name!r} failed"
            return error(f"{reason}: {normalized.message}")
        points, shares = (dict(zip(names, each, strict=True)) for each in (raw, normalized))
        by_plugin[plugin.name] = PluginScores(points, shares, profile.placement_weights[plugin.name])
    return NodeScores(names, {}, [0] * len(names)).and_also(by_plugin)
