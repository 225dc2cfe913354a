"""Rights that a component is meant to have, and has not."""

from __future__ import annotations

from typing import Any

from kexplain.cluster import Cluster
from kexplain.diagnosis.blamed import without_rights
from kexplain.diagnosis.caretakers import Caretaker
from kexplain.diagnosis.components import of_caretaker
from kexplain.objects.meta import KubernetesObject
from tests.diagnosis.test_components import READY, daemon_set, made
from tests.factories import cluster, node
from tests.queues.made import read

RBAC = "rbac.authorization.k8s.io/v1"
OTHER = {"kind": "User", "name": "somebody"}


def role(name: str) -> KubernetesObject:
    (found,) = read({"apiVersion": RBAC, "kind": "ClusterRole", "metadata": {"name": name}})
    return found


def binding(name: str, of: str, subject: dict[str, str]) -> KubernetesObject:
    given = {"roleRef": {"kind": "ClusterRole", "name": of}, "subjects": [subject]}
    (found,) = read({"apiVersion": RBAC, "kind": "ClusterRoleBinding", "metadata": {"name": name}, **given})
    return found


def account(namespace: str, name: str = "agent") -> dict[str, str]:
    return {"kind": "ServiceAccount", "namespace": namespace, "name": name}


def lacking(*rights: KubernetesObject, name: str = "agent", **spec: Any) -> Caretaker | None:
    agent = daemon_set(serviceAccountName=name, **spec)
    around: Cluster = cluster([node("n1")], [made("agent-1", "n1", conditions=READY)], agent, *rights)
    (found,) = of_caretaker(Caretaker("^acme", "the agent"), around, ())
    return without_rights(found, around)


def test_a_binding_whose_role_is_gone_gives_no_rights() -> None:
    other = (role("admin"), binding("admins", "admin", OTHER))
    found = lacking(*other, binding("agents", "agent-role", account("a")))
    assert found is not None
    assert found.role == "DaemonSet a/acme-agent"
    assert found.fails == (
        "lacks its rights: ClusterRoleBinding agents gives it ClusterRole agent-role, which does not exist"
    )
    assert lacking(*other, role("agent-role"), binding("agents", "agent-role", account("a"))) is None


def test_roles_that_other_bindings_have_and_the_dump_has_not_were_left_out_of_it() -> None:
    own = binding("agents", "agent-role", account("a"))
    assert lacking(own) is None
    assert lacking(own, role("admin")) is None
    assert lacking(own, role("admin"), binding("others", "other-role", OTHER)) is None


def test_a_binding_for_the_account_of_that_name_in_another_namespace_is_anothers() -> None:
    there = binding("agents", "agent-role", account("default"))
    found = lacking(there, role("agent-role"))
    assert found is not None
    assert found.ask == "correct the subject of ClusterRoleBinding agents: namespace a in place of default"
    assert found.object is not None
    assert (found.object.kind, found.object.name) == ("ClusterRoleBinding", "agents")
    assert lacking(there, binding("more", "agent-role", account("a")), role("agent-role")) is None


def test_every_namespace_has_an_account_called_default() -> None:
    assert lacking(binding("agents", "agent-role", account("b", "default")), role("agent-role"), name="default") is None


def test_what_all_accounts_may_do_it_may_do() -> None:
    everyone = binding("everyone", "agent-role", {"kind": "Group", "name": "system:serviceaccounts"})
    assert lacking(everyone, binding("agents", "agent-role", account("b")), role("agent-role")) is None
