"""Plugins that are off by default: what they change about a pod."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from kexplain.admission import AdmissionObjects, AdmissionPlugin, admit, enabled_plugins
from kexplain.errors import UsageError
from kexplain.objects.core import Namespace, PodSpec

from .factories import pod, tolerations

SELECTOR = "scheduler.alpha.kubernetes.io/node-selector"
DEFAULTS = "scheduler.alpha.kubernetes.io/defaultTolerations"
#: What DefaultTolerationSeconds would add otherwise.
OWN = [{"operator": "Exists", "effect": "NoExecute"}]


def admitted(plugin: str, annotations: dict[str, str] | None = None, **spec: Any) -> PodSpec:
    manifest = {"kind": "Namespace", "metadata": {"name": "default", "annotations": annotations or {}}}
    objects = AdmissionObjects.of([msgspec.convert(manifest, Namespace)])
    plugins = enabled_plugins([plugin])
    return admit(pod(**{"tolerations": OWN, **spec}), replace(objects, plugins=plugins)).pod.spec


def containers(**requests: str) -> list[dict[str, Any]]:
    return [{"name": "c", "resources": {"requests": {name.replace("_", "/"): raw for name, raw in requests.items()}}}]


@pytest.mark.parametrize(
    ("own", "annotation", "expected"),
    [({}, "a=b, c=d", {"a": "b", "c": "d"}), ({"e": "f"}, "a=b", {"a": "b", "e": "f"}), ({"a": "b"}, "", {"a": "b"})],
)
def test_node_selector_of_the_namespace(own: dict[str, str], annotation: str, expected: dict[str, str]) -> None:
    assert admitted("PodNodeSelector", {SELECTOR: annotation}, nodeSelector=own).node_selector == expected
    assert admitted("NodeRestriction", {SELECTOR: annotation}, nodeSelector=own).node_selector == own


@pytest.mark.parametrize(
    ("requests", "expected"),
    [
        ({}, [*OWN, {"key": "a", "operator": "Exists"}]),
        (
            {"cpu": "1"},
            [
                *OWN,
                {"key": "a", "operator": "Exists"},
                {"key": "node.kubernetes.io/memory-pressure", "operator": "Exists", "effect": "NoSchedule"},
            ],
        ),
        ({"ephemeral-storage": "1Gi"}, [*OWN, {"key": "a", "operator": "Exists"}]),
    ],
)
def test_tolerations_of_the_namespace(requests: dict[str, str], expected: list[dict[str, Any]]) -> None:
    annotations = {DEFAULTS: '[{"key": "a", "operator": "Exists"}]'}
    spec = admitted("PodTolerationRestriction", annotations, containers=containers(**requests))
    assert spec.tolerations == tolerations(*expected)


@pytest.mark.parametrize(
    ("own", "expected"),
    [([], ["x/gpu", "x/nic"]), ([{"key": "x/nic", "operator": "Exists", "effect": "NoSchedule"}], ["x/nic", "x/gpu"])],
)
def test_tolerations_of_extended_resources(own: list[dict[str, Any]], expected: list[str]) -> None:
    spec = admitted(
        "ExtendedResourceToleration", tolerations=[*OWN, *own], containers=containers(x_nic="1", x_gpu="1", cpu="1")
    )
    added = [{"key": key, "operator": "Exists", "effect": "NoSchedule"} for key in expected]
    assert spec.tolerations == tolerations(*OWN, *added)


def test_names_are_those_of_the_api_server() -> None:
    assert enabled_plugins(["PodNodeSelector", "AlwaysPullImages", "Priority"]) == {AdmissionPlugin.POD_NODE_SELECTOR}
    with pytest.raises(UsageError, match='"PodNodeSelektor" is not an admission plugin') as error:
        enabled_plugins(["PodNodeSelektor"])
    assert error.value.hint == "did you mean PodNodeSelector?"
