from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.admission.revisions import same_template
from kexplain.objects.core import PodTemplateSpec, TemplateMeta
from kexplain.objects.meta import Labels
from tests.factories import pod


def template(cpu: str = "1", **labels: str) -> PodTemplateSpec:
    return PodTemplateSpec(metadata=TemplateMeta(labels={"app": "web", **labels}), spec=pod(cpu=cpu).spec)


def noted(notes: Labels) -> PodTemplateSpec:
    return replace(template(), metadata=replace(template().metadata, annotations=notes))


def selecting(labels: Labels) -> PodTemplateSpec:
    return replace(template(), spec=pod(cpu="1", node_selector=labels).spec)


@pytest.mark.parametrize(
    ("other", "is_same"),
    [
        pytest.param(template(), True, id="equal"),
        pytest.param(template("1000m"), True, id="written otherwise"),
        pytest.param(template("2"), False, id="more"),
        pytest.param(template(tier="front"), False, id="a label"),
        pytest.param(template(**{"pod-template-hash": "abc"}), True, id="the label of a revision"),
        pytest.param(template(**{"batch.kubernetes.io/controller-uid": "abc"}), True, id="the label of a job"),
        pytest.param(selecting({"infra": ""}), False, id="a label without a value"),
        pytest.param(selecting({}), True, id="no label"),
        pytest.param(noted({"checksum/config": "1"}), False, id="an annotation"),
        pytest.param(noted({}), True, id="no annotation"),
        pytest.param(replace(template(), spec=None), False, id="without a spec"),
        pytest.param(None, False, id="none"),
    ],
)
def test_whether_templates_make_the_same_pods(other: PodTemplateSpec | None, is_same: bool) -> None:
    assert same_template(template(), other) is is_same
