"""Roles and bindings that an API server refuses."""

from __future__ import annotations

from typing import Any

import pytest

from .manifests import Json, case_name, fields, obj

GROUP = "rbac.authorization.k8s.io"
READ = {"verbs": ["get"], "apiGroups": [""], "resources": ["pods"]}


def rbac(kind: str, name: str = "system:x", **rest: Any) -> Json:
    return obj(f"{GROUP}/v1", kind, name, **rest)


def binding(of: str, subject: Json | None = None, **role: str) -> Json:
    reference = {"kind": "ClusterRole", "name": "view", **role}
    return rbac(of, roleRef=reference, subjects=[subject] if subject is not None else [])


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        (rbac("Role", rules=[READ]), set()),
        (rbac("Role", "a/b"), {"metadata.name"}),
        (rbac("Role", rules=[{}]), {f"rules[0].{name}" for name in ("verbs", "apiGroups", "resources")}),
        (rbac("Role", rules=[{"verbs": ["get"], "nonResourceURLs": ["/"]}]), {"rules[0].nonResourceURLs"}),
        (rbac("ClusterRole", rules=[{"verbs": ["get"], "nonResourceURLs": ["/"]}]), set()),
        (rbac("ClusterRole", rules=[{**READ, "nonResourceURLs": ["/"]}]), {"rules[0].nonResourceURLs"}),
        (rbac("ClusterRole", aggregationRule={}), {"aggregationRule.clusterRoleSelectors"}),
        (
            rbac("ClusterRole", aggregationRule={"clusterRoleSelectors": [{"matchLabels": {"a b": ""}}]}),
            {f"aggregationRule.clusterRoleSelectors[0]{end}" for end in ("", ".matchLabels")},
        ),
        (binding("RoleBinding", {"kind": "User", "name": "jane"}), set()),
        (binding("RoleBinding", {"kind": "ServiceAccount", "name": "default"}), set()),
        (binding("ClusterRoleBinding", {"kind": "ServiceAccount", "name": "default"}), {"subjects[0].namespace"}),
        (binding("ClusterRoleBinding", kind="Role"), {"roleRef.kind"}),
        (binding("RoleBinding", apiGroup="x", name="a/b"), {"roleRef.apiGroup", "roleRef.name"}),
        (binding("RoleBinding", {"kind": "x"}), {"subjects[0].kind", "subjects[0].name"}),
        (binding("RoleBinding", {"kind": "Group", "name": "g", "apiGroup": "x"}), {"subjects[0].apiGroup"}),
        (
            binding("RoleBinding", {"kind": "ServiceAccount", "name": "A", "apiGroup": GROUP}),
            {"subjects[0].name", "subjects[0].apiGroup"},
        ),
    ],
    ids=case_name,
)
def test_roles(manifest: Json, expected: set[str]) -> None:
    assert fields(manifest) == expected
