from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.admission import default_class, ephemeral_claims, pods_of, stored
from kexplain.objects.apps import StatefulSet, StatefulSetSpec
from kexplain.objects.core import (
    EphemeralVolume,
    PersistentVolumeClaimSpec,
    PersistentVolumeClaimTemplate,
    PodTemplateSpec,
    Volume,
)
from kexplain.objects.meta import ObjectMeta
from kexplain.objects.persistent_volumes import (
    BETA_STORAGE_CLASS,
    ClaimAnnotations,
    ClaimMeta,
    PersistentVolume,
    PersistentVolumeClaim,
)
from kexplain.objects.pod_claims import is_for_pod
from kexplain.objects.storage import ClassAnnotations, ClassMeta, StorageClass
from tests.factories import pod

TEMPLATE = PersistentVolumeClaimTemplate(
    metadata=ObjectMeta(name="data"), spec=PersistentVolumeClaimSpec(storage_class_name="fast")
)


def default(name: str, *, created: str | None = None, legacy: bool = False, value: str = "true") -> StorageClass:
    annotations = ClassAnnotations(is_beta_default=value) if legacy else ClassAnnotations(is_default=value)
    return StorageClass(metadata=ClassMeta(name=name, creation_timestamp=created, annotations=annotations))


@pytest.mark.parametrize(
    ("classes", "name"),
    [
        ([], None),
        ([default("a", value="false"), StorageClass(metadata=ClassMeta(name="b"))], None),
        ([default("a")], "a"),
        ([default("a", legacy=True)], "a"),
        ([default("b", created="2025"), default("a", created="2024")], "b"),
        ([default("b"), default("a")], "a"),
    ],
    ids=["none", "none-is-default", "one", "legacy", "newest", "first-by-name"],
)
def test_default_class(classes: list[StorageClass], name: str | None) -> None:
    assert default_class(classes) == name


def test_claims_that_name_no_class_get_the_default_one() -> None:
    bare = PersistentVolumeClaim(metadata=ClaimMeta(name="c"))
    made = stored(bare, "standard")
    assert isinstance(made, PersistentVolumeClaim)
    assert (made.class_name, made.status.phase) == ("standard", "Pending")
    none = replace(bare, spec=PersistentVolumeClaimSpec(storage_class_name=""))
    assert stored(none, "standard") == replace(made, spec=none.spec)
    legacy = replace(bare, metadata=ClaimMeta(name="c", annotations=ClaimAnnotations(beta_storage_class="old")))
    kept = stored(legacy, "standard")
    assert isinstance(kept, PersistentVolumeClaim)
    assert kept.spec.storage_class_name is None
    assert kept.class_name == "old"
    assert BETA_STORAGE_CLASS == "volume.beta.kubernetes.io/storage-class"


def test_what_manifests_leave_out() -> None:
    bound_at_once = stored(StorageClass(metadata=ClassMeta(name="k")), None)
    assert isinstance(bound_at_once, StorageClass)
    assert bound_at_once.volume_binding_mode == "Immediate"
    volume = stored(PersistentVolume(), None)
    assert isinstance(volume, PersistentVolume)
    assert volume.status.phase == "Available"


def test_what_comes_from_a_cluster_stays() -> None:
    for obj in (
        StorageClass(metadata=ClassMeta(name="k", uid="1")),
        PersistentVolumeClaim(metadata=ClaimMeta(name="c", creation_timestamp="2025")),
        pod(),
    ):
        assert stored(obj, "standard") is obj


def test_claims_of_ephemeral_volumes_belong_to_the_pod() -> None:
    template = EphemeralVolume(volume_claim_template=TEMPLATE)
    made = pod("p", uid="u", volumes=[Volume(name="scratch", ephemeral=template), Volume(name="config")])
    (claim,) = ephemeral_claims(made)
    assert claim.key == "default/p-scratch"
    assert claim.class_name == "fast"
    assert is_for_pod(claim, made)
    assert not is_for_pod(claim, pod("p", uid="another"))


def test_claims_of_stateful_sets() -> None:
    spec = StatefulSetSpec(template=PodTemplateSpec(), volume_claim_templates=(TEMPLATE,))
    made = pods_of(StatefulSet(metadata=ObjectMeta(name="web", namespace="ns"), spec=spec), 2)
    claims = [obj for obj in made.created if isinstance(obj, PersistentVolumeClaim)]
    assert [claim.key for claim in claims] == ["ns/data-web-0", "ns/data-web-1"]
    assert {claim.class_name for claim in claims} == {"fast"}
