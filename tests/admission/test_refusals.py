from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kexplain.admission import AdmissionObjects, admit
from kexplain.admission.priority import SYSTEM_PRIORITY_CLASSES
from kexplain.admission.refusals import missing_namespace, refusals, requests_above_limits
from kexplain.objects.core import Namespace, ServiceAccount
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.problem import Problem
from kexplain.objects.scheduling import PriorityClass, RuntimeClass

from .factories import pod, priority_class, runtime_class

CLASSES: tuple[KubernetesObject, ...] = (priority_class("high", 1), runtime_class("kata"))
OBJECTS = AdmissionObjects.of([*CLASSES, pod()])
USING = admit(pod(priorityClassName="hihg"), AdmissionObjects()).pod


def _refusals(objects: AdmissionObjects, **spec: Any) -> list[Problem]:
    written = pod(**spec)
    return [*refusals(admit(written, objects).pod, objects, written.spec)]


@pytest.mark.parametrize(
    ("spec", "field", "problem"),
    [
        ({"priorityClassName": "hihg"}, "priorityClassName", 'PriorityClass "hihg" does not exist; did you mean high?'),
        ({"runtimeClassName": "gvisor"}, "runtimeClassName", 'RuntimeClass "gvisor" does not exist'),
    ],
    ids=["priority-class", "runtime-class"],
)
def test_a_class_that_is_not_there_counts_where_all_were_listed(spec: dict[str, Any], field: str, problem: str) -> None:
    listed = AdmissionObjects.of((), CLASSES, listed=[PriorityClass, RuntimeClass])
    assert [(each.path, each.message) for each in _refusals(listed, **spec)] == [(("spec", field), problem)]
    # So it does where the cluster holds any, but not where only manifests do.
    assert [(each.path, each.message) for each in _refusals(OBJECTS, **spec)] == [(("spec", field), problem)]
    assert not _refusals(AdmissionObjects.of((), CLASSES), **spec)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("gsp-critical", ""), ("node-critical", ""), ("system-node-critcal", "; did you mean system-node-critical?")],
)
def test_the_classes_of_the_system_are_meant_by_no_other_names(name: str, meant: str) -> None:
    classes = [priority_class(each, 1) for each in SYSTEM_PRIORITY_CLASSES]
    (found,) = _refusals(AdmissionObjects.of((), classes, listed=[PriorityClass]), priorityClassName=name)
    assert found.message == f'PriorityClass "{name}" does not exist{meant}'


def test_what_a_stored_pod_uses_is_there() -> None:
    assert not _refusals(AdmissionObjects.of([*CLASSES, USING]), priorityClassName="hihg")


@pytest.mark.parametrize("name", ["high", "system-node-critical", None])
def test_a_class_that_is_there(name: str | None) -> None:
    assert not _refusals(OBJECTS, priorityClassName=name, runtimeClassName="kata")


def test_a_namespace_that_is_not_there() -> None:
    listed = AdmissionObjects.of((), listed=[Namespace])
    assert [each.message for each in missing_namespace("shop", listed)] == ['Namespace "shop" does not exist']
    assert not [*missing_namespace("shop", OBJECTS)]
    # Every cluster has this one.
    assert not [*missing_namespace("kube-public", listed)]


@pytest.mark.parametrize(("account", "is_there"), [("default", True), ("web", True), ("wbe", False), (None, True)])
def test_a_service_account_counts_where_those_of_its_namespace_were_read(account: str | None, is_there: bool) -> None:
    accounts = [
        msgspec.convert({"metadata": {"name": name, "namespace": "default"}}, ServiceAccount)
        for name in ("default", "web")
    ]
    objects = AdmissionObjects.of(accounts)
    assert bool(_refusals(objects, serviceAccountName=account)) != is_there
    # The field's old name counts where the new one is not set.
    assert [each.path[-1] for each in _refusals(objects, serviceAccount=account)] == ["serviceAccount"][is_there:]
    assert not _refusals(objects, serviceAccountName="web", serviceAccount=account)
    # The namespace has a default one, so that these are not all of them.
    assert not _refusals(AdmissionObjects.of(accounts[1:]), serviceAccountName=account)


@pytest.mark.parametrize("field", ["containers", "initContainers"])
def test_a_request_above_its_limit(field: str) -> None:
    resources = {"requests": {"cpu": "2", "memory": "1Gi"}, "limits": {"cpu": "1500m", "memory": "1024Mi"}}
    path = ("spec", field, 0, "resources", "requests", "cpu")
    spec: dict[str, Any] = {field: [{"name": "c", "resources": resources}]}
    found = [*requests_above_limits(admit(pod(**spec), OBJECTS).pod)]
    assert found == [Problem(path, "2 is more than its limit of 1500m", would_do="1500m")]
