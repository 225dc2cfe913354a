"""Nodes that ask to be spared a controller's pods."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from kexplain.cluster import NodeInfo
from kexplain.objects.core import NodeAnnotations
from kexplain.objects.meta import OwnerReference
from kexplain.plugins.legacy.node_prefer_avoid_pods import NodePreferAvoidPods
from tests.factories import node, pod

WEB = OwnerReference(api_version="apps/v1", kind="ReplicaSet", name="web", uid="u1", controller=True)
SPARES_WEB = json.dumps(
    {"preferAvoidPods": [{"podSignature": {"podController": {"kind": "ReplicaSet", "name": "web", "uid": "u1"}}}]}
)


@pytest.mark.parametrize(
    ("annotation", "owner", "score"),
    [
        pytest.param(SPARES_WEB, WEB, 0, id="spared"),
        pytest.param(SPARES_WEB, replace(WEB, uid="u2"), 100, id="another-of-that-name"),
        pytest.param(SPARES_WEB, replace(WEB, kind="StatefulSet"), 100, id="another-kind"),
        pytest.param(SPARES_WEB, replace(WEB, controller=False), 100, id="owner-does-not-control"),
        pytest.param(SPARES_WEB, None, 100, id="no-owner"),
        pytest.param('{"preferAvoidPods": [{}]}', WEB, 100, id="entry-without-controller"),
        pytest.param("{", WEB, 100, id="no-json"),
        pytest.param(None, WEB, 100, id="no-annotation"),
    ],
)
def test_score(annotation: str | None, owner: OwnerReference | None, score: int) -> None:
    plain = node("n1")
    annotated = replace(
        plain, metadata=replace(plain.metadata, annotations=NodeAnnotations(prefer_avoid_pods=annotation))
    )
    assert NodePreferAvoidPods().score(pod(owner=owner), None, NodeInfo(annotated)) == score
