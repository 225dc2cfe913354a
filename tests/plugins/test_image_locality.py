from __future__ import annotations

import pytest

from kexplain.framework.features import Features
from kexplain.objects.core import Node, Pod
from kexplain.plugins.image_locality import ImageLocality, normalized_image_name
from tests.factories import cluster, container, node, pod, volume

from .asking import raw_scores

MIB = 1024 * 1024


@pytest.mark.parametrize(
    ("name", "normalized"),
    [
        ("nginx", "nginx:latest"),
        ("nginx:1.27", "nginx:1.27"),
        ("registry:5000/nginx", "registry:5000/nginx:latest"),
        ("registry:5000/nginx:1", "registry:5000/nginx:1"),
        ("nginx@sha256:0a", "nginx@sha256:0a"),
        ("", ":latest"),
    ],
)
def test_normalized_image_name(name: str, normalized: str) -> None:
    assert normalized_image_name(name) == normalized


def holding(size: int, *, name: str = "n1", image: str = "a:1") -> Node:
    return node(name, images={image: size})


@pytest.mark.parametrize(
    ("asking", "nodes", "score"),
    [
        pytest.param(pod(image="a:1"), [node()], 0, id="not-held"),
        pytest.param(pod(image="a:2"), [holding(1000 * MIB)], 0, id="another-tag"),
        pytest.param(pod(image="a:1"), [holding(23 * MIB - 1)], 0, id="below-the-lower-threshold"),
        pytest.param(pod(image="a:1"), [holding(23 * MIB)], 0, id="at-the-lower-threshold"),
        pytest.param(pod(image="a:1"), [holding(33 * MIB)], 1, id="a-hundredth-of-the-way"),
        pytest.param(pod(image="a:1"), [holding(511 * MIB)], 49, id="about-half-way"),
        pytest.param(pod(image="a:1"), [holding(1000 * MIB - 1)], 99, id="below-the-upper-threshold"),
        pytest.param(pod(image="a:1"), [holding(1000 * MIB)], 100, id="at-the-upper-threshold"),
        pytest.param(pod(image="a:1"), [holding(9000 * MIB)], 100, id="beyond-it"),
        pytest.param(pod(image="a"), [holding(1000 * MIB, image="a:latest")], 100, id="latest-is-meant"),
        pytest.param(pod(image="a:1"), [holding(1000 * MIB), node("n2")], 48, id="held-by-half-of-the-nodes"),
        pytest.param(
            pod(image="a:1"), [holding(1000 * MIB), holding(1000 * MIB, name="n2")], 100, id="held-by-all-nodes",
        ),
        pytest.param(
            pod(image="a:1"), [holding(100 * MIB), holding(1000 * MIB, name="n2")], 7, id="size-of-the-first-holder",
        ),
        pytest.param(
            pod(containers=[container(image="a:1"), container(image="b:1")]), [holding(1000 * MIB)], 49,
            id="two-containers-double-the-ceiling",
        ),
        pytest.param(
            pod(containers=[container(image="a:1"), container(image="a:1")]), [holding(1000 * MIB)], 100,
            id="an-image-counts-as-often-as-it-is-used",
        ),
        pytest.param(
            pod(image="b:1", init=[container(image="a:1")]), [holding(1000 * MIB)], 49, id="init-containers-count",
        ),
        pytest.param(
            pod(image="b:1", volumes=[volume("v", image="a:1")]), [holding(500 * MIB)], 48,
            id="image-volumes-count-but-lift-no-ceiling",
        ),
        pytest.param(
            pod(image="b:1", volumes=[volume("v", claim="a:1")]), [holding(500 * MIB)], 0, id="other-volumes-do-not",
        ),
    ],
)  # fmt: skip
def test_score(asking: Pod, nodes: list[Node], score: int) -> None:
    scores = raw_scores(ImageLocality(), asking, cluster(nodes))
    assert scores is not None
    assert scores["n1"] == score


def test_all_nodes_dilute_not_just_feasible_ones() -> None:
    made = cluster([holding(1000 * MIB), node("n2"), node("n3"), node("n4")])
    assert raw_scores(ImageLocality(), pod(image="a:1"), made, ["n1", "n2"]) == {"n1": 23, "n2": 0}


@pytest.mark.parametrize(("scores", "score"), [(True, 38), (False, 0)], ids=["since-1.36", "before"])
def test_image_volumes(scores: bool, score: int) -> None:
    asking = pod(image="b:1", volumes=[volume("model", image="a:1")])
    plugin = ImageLocality(Features(image_volumes_score=scores))
    assert raw_scores(plugin, asking, cluster([holding(400 * MIB)])) == {"n1": score}
