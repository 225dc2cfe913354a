"""Where people change what makes a pod."""

from __future__ import annotations

from kexplain.objects.core import Pod
from kexplain.remedies.edited_at import edited_at
from tests.factories import controlled_by, pod

SVC = "svccontroller.k3s.cattle.io/svcname"


def daemon(**labels: str) -> Pod:
    return pod("lb-1", labels=labels, owner=controlled_by("DaemonSet", "svclb-web"))


def test_a_service_behind_what_is_made_for_it() -> None:
    assert edited_at(daemon(**{SVC: "web"})).startswith("Service default/web (svclb-web")
    assert edited_at(daemon(**{SVC: "web", SVC.replace("name", "namespace"): "shop"})).startswith("Service shop/web")


def test_else_the_workload_and_nothing_for_a_pod_alone() -> None:
    assert edited_at(daemon()) == "DaemonSet default/svclb-web"
    assert edited_at(pod("alone")) == ""
