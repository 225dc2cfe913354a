from __future__ import annotations

from typing import Any

from kexplain.api import SchedulerSettings, build_scheduler
from kexplain.config.component.configured_scheduler import scheduler_from
from kexplain.report.listing import SchedulerListing, listing
from kexplain.report.scheduler_changes import SettingChange, scheduler_changes


def configured(*profiles: dict[str, Any], **others: Any) -> SchedulerListing:
    kind = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    return listing(scheduler_from({**kind, "profiles": [*profiles], **others}))


def changed(before: SchedulerListing, after: SchedulerListing) -> list[tuple[str, str, str, str]]:
    return [(each.plugin, each.what, each.before, each.after) for each in scheduler_changes(before, after)]


def plugins(**points: Any) -> dict[str, Any]:
    return {"plugins": points}


DEFAULT = configured({})


def test_a_scheduler_does_not_differ_from_itself() -> None:
    assert changed(DEFAULT, listing(build_scheduler())) == []


def test_plugins_with_their_weights_and_where_they_run() -> None:
    score = {"disabled": [{"name": "ImageLocality"}], "enabled": [{"name": "NodeAffinity", "weight": 7}]}
    off = {"disabled": [{"name": "PodTopologySpread"}]}
    assert changed(DEFAULT, configured(plugins(score=score, multiPoint=off))) == [
        ("PodTopologySpread", "preFilter, filter, preScore", "on", ""),
        ("NodeAffinity", "score", "weight 2", "weight 7"),
        ("PodTopologySpread", "score", "weight 2", ""),
        ("ImageLocality", "score", "weight 1", ""),
    ]


def test_the_order_counts_where_the_first_objection_decides() -> None:
    names = [each.name for each in next(e for e in DEFAULT.profiles[0].points if e.extension_point == "filter").plugins]
    turned = {"disabled": [{"name": "*"}], "enabled": [{"name": name} for name in (*names[1:], names[0])]}
    [(plugin, what, before, after)] = changed(DEFAULT, configured(plugins(filter=turned)))
    assert (plugin, what, before.partition(", ")[0], after.rpartition(", ")[2]) == (
        "", "order at filter", "NodeUnschedulable", "NodeUnschedulable",
    )  # fmt: skip


def test_arguments_differ_from_the_defaults_value_by_value() -> None:
    args = [{"name": "NodeResourcesFit", "args": {"scoringStrategy": {"type": "MostAllocated"}}}]
    assert changed(DEFAULT, configured({"pluginConfig": args})) == [
        ("NodeResourcesFit", "scoringStrategy.type", "LeastAllocated", "MostAllocated")
    ]


def test_profiles_extenders_and_the_share_of_the_nodes() -> None:
    extender = {"urlPrefix": "http://x/", "filterVerb": "filter"}
    second = configured(
        {"schedulerName": "default-scheduler"},
        {"schedulerName": "other"},
        percentageOfNodesToScore=30,
        extenders=[extender],
    )
    assert [*scheduler_changes(DEFAULT, second)][:2] == [
        SettingChange(profile="other", plugin="", what="the profile", before="", after="there"),
        SettingChange(profile="", plugin="", what="percentageOfNodesToScore", before="0", after="30"),
    ]
    assert [each[1] for each in changed(DEFAULT, second)][2:] == ["extenders"]


def test_releases_have_other_plugins() -> None:
    old, new = (listing(build_scheduler(SchedulerSettings(kubernetes_version=each))) for each in ("1.30", "1.31"))
    assert ("EBSLimits", "preFilter, filter", "on", "") in changed(old, new)
