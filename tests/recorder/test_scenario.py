from __future__ import annotations

import json

import pytest

from kexplain.objects.problem import Stage
from kexplain.validation.check import check

from .scenario import AREAS, scenarios


def test_the_same_seed_draws_the_same() -> None:
    drawn = [json.dumps(list(scenarios(area, 3, 2))) for area in AREAS]
    assert drawn == [json.dumps(list(scenarios(area, 3, 2))) for area in AREAS]


def test_another_seed_draws_others() -> None:
    assert list(scenarios("mixed", 1, 3)) != list(scenarios("mixed", 2, 3))


def test_the_number_of_a_scenario_does_not_depend_on_how_many_there_are() -> None:
    assert list(scenarios("spread", 5, 4))[:2] == list(scenarios("spread", 5, 2))


@pytest.mark.parametrize("area", AREAS)
def test_an_api_server_would_take_the_objects(area: str) -> None:
    drawn = [each for scenario in scenarios(area, 4, 4) for each in scenario["objects"]]
    problems = [problem for each in drawn for problem in check(each)]
    assert [each for each in problems if each.stage in {Stage.DECODING, Stage.VALIDATION}] == []


@pytest.mark.parametrize("area", AREAS)
def test_pods_wait_and_are_told_apart(area: str) -> None:
    for scenario in scenarios(area, 4, 4):
        pods = [each for each in scenario["objects"] if each["kind"] == "Pod"]
        waiting = [
            f"{each['metadata']['namespace']}/{each['metadata']['name']}"
            for each in pods
            if not each["spec"].get("nodeName")
        ]
        assert sorted(waiting) == sorted(scenario["pods"])
        assert len({each["metadata"]["uid"] for each in pods}) == len(pods)
