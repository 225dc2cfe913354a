from __future__ import annotations

from typing import Any

import pytest

from kexplain.admission import AdmissionObjects, admit, refusals
from kexplain.objects.core import Namespace
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.node import RuntimeClass
from kexplain.objects.problem import Problem
from kexplain.objects.scheduling import PriorityClass

from .factories import pod, priority_class, runtime_class

WHOLE: set[type[KubernetesObject]] = {Namespace, PriorityClass, RuntimeClass}
OBJECTS = AdmissionObjects.of([priority_class("high", 1), runtime_class("kata"), pod()])


def _refusals(listed: set[type[KubernetesObject]], **spec: Any) -> list[Problem]:
    return [*refusals(admit(pod(**spec), OBJECTS).pod, OBJECTS, listed)]


@pytest.mark.parametrize(
    ("spec", "field", "problem"),
    [
        ({"priorityClassName": "hihg"}, "priorityClassName", 'PriorityClass "hihg" is not there; did you mean high?'),
        ({"runtimeClassName": "gvisor"}, "runtimeClassName", 'RuntimeClass "gvisor" is not there'),
    ],
    ids=["priority-class", "runtime-class"],
)
def test_a_class_that_is_not_there_counts_where_all_were_listed(spec: dict[str, Any], field: str, problem: str) -> None:
    assert _refusals(WHOLE - {Namespace}, **spec) == [Problem(("spec", field), problem)]
    # So it does where the input holds any.
    assert _refusals(set(), **spec) == [Problem(("spec", field), problem)]
    nothing = AdmissionObjects.of([])
    assert not [*refusals(admit(pod(**spec), nothing).pod, nothing, set())]


def test_what_a_stored_pod_uses_is_there() -> None:
    asking = admit(pod(priorityClassName="hihg"), OBJECTS).pod
    assert not [*refusals(asking, OBJECTS, set(), [pod(priorityClassName="hihg")])]


@pytest.mark.parametrize("name", ["high", "system-node-critical", None])
def test_a_class_that_is_there(name: str | None) -> None:
    assert not _refusals(WHOLE - {Namespace}, priorityClassName=name, runtimeClassName="kata")


def test_a_namespace_that_is_not_there() -> None:
    elsewhere = admit(pod(), OBJECTS, namespace="shop").pod
    found = [*refusals(elsewhere, OBJECTS, {Namespace})]
    assert found == [Problem(("metadata", "namespace"), 'Namespace "shop" is not there')]
    # Every cluster has this one.
    assert not _refusals({Namespace})


@pytest.mark.parametrize("field", ["containers", "initContainers"])
def test_a_request_above_its_limit(field: str) -> None:
    resources = {"requests": {"cpu": "2", "memory": "1Gi"}, "limits": {"cpu": "1500m", "memory": "1024Mi"}}
    path = ("spec", field, 0, "resources", "requests", "cpu")
    found = _refusals(set(), **{field: [{"name": "c", "resources": resources}]})
    assert found == [Problem(path, "2 is more than its limit of 1500m")]
