from __future__ import annotations

from typing import Any

import pytest

from kexplain.config.scheduler_configuration import scheduler_from
from kexplain.errors import KexplainError
from kexplain.plugins.pod_topology_spread import SYSTEM_DEFAULT_CONSTRAINTS, PodTopologySpread
from kexplain.scheduler.cycle import Scheduler
from tests.factories import ZONE


def configured(**fields: Any) -> Scheduler:
    return scheduler_from(
        {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", **fields}
    )


def spreading(made: Scheduler, name: str = "default-scheduler") -> PodTopologySpread:
    return next(plugin for plugin in made.profiles[name].filter if isinstance(plugin, PodTopologySpread))


def spread_args(**args: Any) -> list[dict[str, Any]]:
    return [{"pluginConfig": [{"name": "PodTopologySpread", "args": args}]}]


def test_empty_configuration_is_the_default_one() -> None:
    made = configured()
    assert list(made.profiles) == ["default-scheduler"]
    assert made.percentage_of_nodes_to_score == 0
    assert spreading(made).default_constraints == SYSTEM_DEFAULT_CONSTRAINTS


def test_percentages() -> None:
    profiles = [{}, {"schedulerName": "own", "percentageOfNodesToScore": 0}]
    made = configured(percentageOfNodesToScore=30, profiles=profiles)
    assert made.percentage_of_nodes_to_score == 30
    assert made.profiles["default-scheduler"].percentage_of_nodes_to_score is None
    assert made.profiles["own"].percentage_of_nodes_to_score == 0
    assert made.profiles["own"].scheduler_name == "own"


@pytest.mark.parametrize(
    ("args", "keys"),
    [
        pytest.param({}, None, id="system-by-default"),
        pytest.param({"defaultingType": "System"}, None, id="system"),
        pytest.param({"defaultingType": "List"}, [], id="empty-list"),
        pytest.param(
            {
                "defaultingType": "List",
                "defaultConstraints": [{"topologyKey": ZONE, "maxSkew": 2, "whenUnsatisfiable": "DoNotSchedule"}],
            },
            [ZONE], id="list",
        ),
        pytest.param({"apiVersion": "v1", "kind": "PodTopologySpreadArgs"}, None, id="with-kind"),
    ],
)  # fmt: skip
def test_spreading_defaults(args: dict[str, Any], keys: list[str] | None) -> None:
    constraints = spreading(configured(profiles=spread_args(**args))).default_constraints
    if keys is None:
        assert constraints == SYSTEM_DEFAULT_CONSTRAINTS
    else:
        assert [constraint.topology_key for constraint in constraints] == keys


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"extender": []}, id="unknown-field"),
        pytest.param({"percentageOfNodesToScore": "10"}, id="wrong-type"),
        pytest.param({"profiles": [{"plugin": {}}]}, id="unknown-field-of-a-profile"),
        pytest.param({"profiles": spread_args(defaultingTipe="List")}, id="unknown-argument"),
        pytest.param({"profiles": [{"pluginConfig": [{"name": "NodeAfinity"}]}]}, id="unknown-plugin"),
    ],
)
def test_what_is_not_understood_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(KexplainError, match=r"^scheduler configuration: "):
        configured(**fields)


def test_kind_is_needed() -> None:
    with pytest.raises(KexplainError, match="missing required field"):
        scheduler_from({})
