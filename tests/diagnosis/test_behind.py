"""What stands behind a provisioner that runs, and makes no volume."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.diagnosis.behind import provisioner_of
from kexplain.diagnosis.culprits import statement_of
from tests.diagnosis.test_components import FAILS, READY, daemon_set, made
from tests.factories import cluster, node
from tests.queues.made import read

RBAC = "rbac.authorization.k8s.io/v1"
ACCOUNT = {"kind": "ServiceAccount", "name": "acme"}
AGENT = "DaemonSet a/acme-agent, which makes its volume,"


def binding(subject: dict[str, str]) -> dict[str, Any]:
    given = {"roleRef": {"kind": "ClusterRole", "name": "provisioner"}, "subjects": [subject]}
    return {"apiVersion": RBAC, "kind": "ClusterRoleBinding", "metadata": {"name": "b"}, **given}


def backend(name: str = "acme-disks", **status: Any) -> dict[str, Any]:
    metadata = {"name": name, "namespace": "a", "uid": "u"}
    return {"apiVersion": "acme.io/v1", "kind": "Backend", "metadata": metadata, "status": status}


@pytest.mark.parametrize(
    ("around", "said", "expected"),
    [
        pytest.param([binding({**ACCOUNT, "namespace": "a"})], "", "", id="has-rights"),
        pytest.param([binding({**ACCOUNT, "namespace": "b"})], "",
                     f"{AGENT} lacks rights: ClusterRoleBinding b is for service account b/acme, and it runs as a/acme",
                     id="bound-elsewhere"),
        pytest.param([backend(state="failed")], "",
                     "Backend acme-disks, which stands behind its volume, says: state is failed", id="its-backend"),
        pytest.param([backend(phase="Ready")], "", "", id="its-backend-is-well"),
        pytest.param([backend(lastError="no disk"), backend("acme-2", lastError="full")], "backend acme-2: no room",
                     "Backend acme-2, which stands behind its volume, says: full", id="that-is-named"),
    ],
)  # fmt: skip
def test_what_stands_behind_it(around: list[dict[str, Any]], said: str, expected: str) -> None:
    pods = [made("agent-1", "n1", conditions=READY)]
    own = daemon_set(serviceAccountName="acme")
    care = provisioner_of("csi.acme.io", cluster([node("n1")], pods, own, *read(*around)), said)
    assert (str(statement_of(care)) if care else "") == expected


def test_what_else_of_its_project_does_not_run() -> None:
    pods = [made("agent-1", "n1", conditions=READY), made("store-1", "n1", of="store", containerStatuses=FAILS)]
    care = provisioner_of("csi.acme.io", cluster([node("n1")], pods, daemon_set()))
    assert care is not None
    assert str(statement_of(care)) == "DaemonSet a/store, which runs beside its provisioner, crash-loops on n1"
