"""Who adds labels of nodes to what a pod asks for."""

from __future__ import annotations

import pytest

from kexplain.diagnosis.meant_labels import labels_added
from kexplain.objects.core import Namespace
from kexplain.objects.core.namespaces import NamespaceAnnotations, NamespaceMeta
from tests.factories import cluster, node, pod


@pytest.mark.parametrize(
    ("annotations", "asked", "is_added"),
    [
        pytest.param(NamespaceAnnotations(node_selector="pool=a,disk=ssd"), {"pool": "a"}, True, id="one of several"),
        pytest.param(NamespaceAnnotations(openshift_node_selector="pool=a"), {"pool": "a"}, True, id="of OpenShift"),
        pytest.param(NamespaceAnnotations(node_selector="pool=b"), {"pool": "a"}, False, id="another value"),
        pytest.param(NamespaceAnnotations(node_selector="pool=a"), {}, False, id="not asked for"),
        pytest.param(NamespaceAnnotations(), {"pool": "a"}, False, id="no annotation"),
    ],
)
def test_labels_that_a_namespace_adds(
    annotations: NamespaceAnnotations, asked: dict[str, str], *, is_added: bool
) -> None:
    namespace = Namespace(metadata=NamespaceMeta(name="default", annotations=annotations))
    found = labels_added(pod("web", node_selector=asked), cluster([node("n1")], [], namespace))
    assert found == ({"pool": "an annotation of namespace default"} if is_added else {})
