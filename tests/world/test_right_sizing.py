"""What is recommended for workloads is read from three kinds of files, each fault with its place."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
import yaml
from msgspec.structs import replace

from kexplain.admission.workloads import template_of
from kexplain.case.case_builder import Contents
from kexplain.config.scheduler_settings import build_scheduler
from kexplain.errors import InputError, UsageError
from kexplain.load import Loaded
from kexplain.load.text.source import Source
from kexplain.objects.apps import Deployment, DeploymentSpec
from kexplain.objects.core import PodSpec, PodTemplateSpec, ResourceRequirements
from kexplain.objects.meta import ObjectMeta, ResourceList
from kexplain.world.edited_cluster import EditedCluster
from kexplain.world.right_sizing import Advised, _advised, right_sizing
from kexplain.world.sources import ReadObjects
from tests.factories import container

HEADS = "namespace,workload,container,cpu,memory"


def source(text: str) -> Source:
    return Source("it", None, io.BytesIO(text.encode()))


def vpa(kind: str = "Deployment", **target: str) -> dict[str, Any]:
    """A recommendation for container c of shop/web."""
    recommended = {"containerRecommendations": [{"containerName": "c", "target": target, "lowerBound": {"cpu": "1m"}}]}
    return {
        "kind": "VerticalPodAutoscaler",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"targetRef": {"kind": kind, "name": "web"}},
        "status": {"recommendation": recommended},
    }


def krr(**values: Any) -> dict[str, Any]:
    scanned = {"cluster": "x", "name": "web", "container": "c", "kind": "Deployment", "namespace": "shop", "pods": []}
    requests = {name: {"value": value, "severity": "OK"} for name, value in values.items()}
    return {"scans": [{"object": scanned, "recommended": {"requests": requests, "info": {}}}], "score": 1}


def goldilocks(**target: str) -> dict[str, Any]:
    bounds = {"lowerBound": {"cpu": "1m"}, "upperBound": {"cpu": "9"}, "uncappedTarget": target, "limits": None}
    container = {"containerName": "c", "target": target, **bounds, "TopNumber": 0}
    by = {"controllerName": "web", "controllerType": "Deployment", "containers": {"c": container}, "BasePath": ""}
    return {"Namespaces": {"shop": {"namespace": "shop", "workloads": {"web": by}, "BasePath": ""}}}


def web(**requests: str) -> list[Advised]:
    return [Advised("shop", "Deployment", "web", "c", {**requests})]


@pytest.mark.parametrize(
    ("text", "advised"),
    [
        pytest.param(json.dumps(vpa(cpu="250m", memory="1Gi")), web(cpu="250m", memory="1Gi"), id="a VPA"),
        pytest.param(json.dumps({"kind": "List", "items": [vpa(cpu="1"), vpa(cpu="2")]}), web(cpu="1") + web(cpu="2"),
                     id="several"),
        pytest.param(json.dumps({"items": [{**vpa(), "status": {}}]}), [], id="without a recommendation"),
        pytest.param(json.dumps(krr(cpu=0.25, memory=104857600.0)), web(cpu="0.250", memory="104857600"), id="KRR"),
        pytest.param(json.dumps(krr(cpu="?", memory=None)), web(), id="what KRR does not know"),
        pytest.param(json.dumps(krr(cpu=1, gpu=2)), web(cpu="1.000"), id="other resources"),
        pytest.param(json.dumps(krr(cpu=1e308)), web(cpu=f"{1e308:.3f}"), id="more than there is anywhere"),
        pytest.param(yaml.safe_dump(vpa(cpu="250m")), web(cpu="250m"), id="a VPA in YAML"),
        pytest.param(yaml.safe_dump_all([vpa(cpu="1"), {"kind": "List", "items": [vpa(cpu="2")]}]),
                     web(cpu="1") + web(cpu="2"), id="documents of YAML"),
        pytest.param(json.dumps(goldilocks(cpu="250m", memory="1Gi")), web(cpu="250m", memory="1Gi"), id="Goldilocks"),
        pytest.param(json.dumps({"Namespaces": {"shop": {"namespace": "shop", "workloads": {}}}}), [],
                     id="Goldilocks without a workload"),
        pytest.param(f"{HEADS}\nshop,deploy/web,c,250m,1Gi\n", web(cpu="250m", memory="1Gi"), id="a table"),
        pytest.param(f"{HEADS}\nshop,deployment/web,c,250m\n", web(cpu="250m"), id="a cell that is not there"),
    ],
)  # fmt: skip
def test_what_is_recommended(text: str, advised: list[Advised]) -> None:
    assert [*_advised(source(text))] == advised


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"items": [{"spec": {"targetRef": 3}}]}', "it:1:35: items[0].spec.targetRef: expected an object"),
        ("{", "it: not JSON"),
        (json.dumps(vpa(cpu="much")), 'it: Deployment/web: "much" is not a quantity'),
        ("a,b\n1,2\n", "it:1:1: a table of requests has the heads namespace, workload, container, cpu and memory"),
        (f"{HEADS}\nshop,web,c,1,\n", 'it:2:1: workload: "web" is no workload'),
        (f"{HEADS}\nshop,deploy/a,c,1,\nshop,deploy/web,c,much,\n", 'it:3:1: Deployment/web: "much" is not'),
    ],
)
def test_faults_have_their_place(text: str, said: str) -> None:
    with pytest.raises(InputError) as fault:
        right_sizing(source(text))
    assert str(fault.value).startswith(said)


def test_yaml_says_where_it_is_wrong() -> None:
    text = "# of a dump\nkind: VerticalPodAutoscaler\n---\nitems:\n- kind: Other\n  spec: {targetRef: 3}\n"
    with pytest.raises(InputError) as fault:
        right_sizing(source(text))
    assert str(fault.value).startswith("it:6:21: items[0].spec.targetRef: expected an object")
    with pytest.raises(InputError, match=r"^it:3:1: did not find"):
        right_sizing(source("kind: VerticalPodAutoscaler\nspec: {\n"))


def test_nothing_recommended_is_an_error() -> None:
    with pytest.raises(UsageError, match="there is no recommendation in it"):
        right_sizing(source("{}"))


def edited(text: str, limit: str | None) -> EditedCluster:
    """A Deployment shop/web whose container c asks for 1 CPU and 1Gi, once that is recommended."""
    limits: ResourceList | None = {"cpu": limit} if limit else None
    resources = ResourceRequirements(requests={"cpu": "1", "memory": "1Gi"}, limits=limits)
    spec = PodSpec(containers=(replace(container(name="c"), resources=resources),))
    made = Deployment(
        metadata=ObjectMeta(name="web", namespace="shop"), spec=DeploymentSpec(template=PodTemplateSpec(spec=spec))
    )
    there = EditedCluster(ReadObjects(Contents(Loaded(), [made], build_scheduler())))
    right_sizing(source(text))(there)
    return there


@pytest.mark.parametrize(("limit", "after"), [("1500m", "1500m"), ("2", "2"), ("1", "1500m"), (None, None)])
def test_limits_are_no_lower_than_requests(limit: str | None, after: str | None) -> None:
    found = edited(json.dumps(vpa(cpu="1500m")), limit).find("Deployment", "shop", "web")
    template = template_of(found) if found else None
    (only,) = (template and template.spec.containers) or ()
    assert only.resources is not None
    assert (only.resources.requests, only.resources.limits) == (
        {"cpu": "1500m", "memory": "1Gi"}, {"cpu": after} if after else None
    )  # fmt: skip


def test_what_is_not_there_is_told() -> None:
    rows = f"{HEADS}\nshop,deploy/web,d,1,\nshop,deploy/gone,c,1,\nother,deploy/web,c,1,\n"
    assert edited(rows, None).notes == [
        "Deployment web has no container d",
        "2 recommendations for what is not there: Deployment shop/gone and Deployment other/web",
    ]
