from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.case.unread import taken_to_exist
from kexplain.objects.apps import Deployment, DeploymentSpec
from kexplain.objects.core import PodTemplateSpec
from kexplain.objects.meta import Condition, KubernetesObject
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim
from kexplain.objects.storage import StorageClass
from tests.factories import node, pod
from tests.storage_factories import claim, persistent_volume, storage_class, uses

HERE = replace(node("n1"), metadata=replace(node("n1").metadata, uid="n1"))
MISSING = Condition(type="PodScheduled", status="False", message='0/1 nodes: persistentvolumeclaim "data" not found.')
NOT_MADE = replace(
    MISSING, message='waiting for ephemeral volume controller to create the persistentvolumeclaim "data". not found'
)


def stored(obj: KubernetesObject) -> KubernetesObject:
    return replace(obj, metadata=replace(obj.metadata, uid=obj.name))


def written(obj: KubernetesObject) -> KubernetesObject:
    return replace(obj, metadata=replace(obj.metadata, uid=None))


def names(objects: list[KubernetesObject], *listed: type[KubernetesObject]) -> list[tuple[str, str]]:
    return [(type(each).__name__, each.name) for each in taken_to_exist(objects, [], listed)]


WAITS = pod("db", volumes=uses("data"), uid="db")
OWNER = Deployment(metadata=WAITS.metadata, spec=DeploymentSpec(template=PodTemplateSpec(spec=WAITS.spec)))
RUNS = pod("db", node="n1", volumes=uses("data"), uid="db", phase="Running")


@pytest.mark.parametrize(
    ("objects", "listed", "expected"),
    [
        pytest.param([WAITS], (), ["PersistentVolumeClaim", "PersistentVolume"], id="nothing is said"),
        pytest.param([WAITS], (PersistentVolumeClaim,), [], id="all claims were listed"),
        pytest.param([WAITS, stored(claim("other")), storage_class()], (), [], id="there are others"),
        pytest.param(
            [HERE, WAITS, written(claim("other")), storage_class()],
            (),
            ["PersistentVolumeClaim", "PersistentVolume"],
            id="a manifest",
        ),
        pytest.param(
            [RUNS, stored(claim("other")), storage_class()],
            (),
            ["PersistentVolumeClaim", "PersistentVolume"],
            id="it runs with one",
        ),
        pytest.param(
            [pod("db", volumes=uses("data"), uid="db", conditions=[MISSING])], (), [], id="the scheduler says"
        ),
        pytest.param(
            [pod("db", volumes=uses("data"), uid="db", conditions=[NOT_MADE])], (), [], id="it waits for its controller"
        ),
        pytest.param(
            [pod("db", volumes=uses("data"), uid="db", conditions=[MISSING]), OWNER],
            (),
            [],
            id="the scheduler says, of what another names",
        ),
        pytest.param([WAITS, stored(claim("data", volume="pv"))], (), ["PersistentVolume"], id="a volume"),
        pytest.param([WAITS, stored(claim("data"))], (), ["StorageClass"], id="a class"),
        pytest.param([WAITS, stored(claim("data")), storage_class()], (), [], id="all are there"),
        pytest.param(
            [WAITS, stored(claim("data"))], (StorageClass, PersistentVolume), [], id="all classes were listed"
        ),
    ],
)
def test_what_stands_for_what_was_not_read(
    objects: list[KubernetesObject], listed: tuple[type[KubernetesObject], ...], expected: list[str]
) -> None:
    assert [kind for kind, _ in names(objects, *listed)] == expected


def test_a_volume_that_was_read_is_that_of_its_claim() -> None:
    volume = persistent_volume("there", reserved="data")
    found = [*taken_to_exist([WAITS, volume], [], ())]
    assert [(type(each), each.name) for each in found] == [(PersistentVolumeClaim, "data")]
    assert isinstance(found[0], PersistentVolumeClaim)
    assert found[0].volume_name == "there"
