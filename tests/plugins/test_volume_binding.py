from __future__ import annotations

from collections.abc import Sequence

import pytest

from kexplain.cluster import Cluster
from kexplain.framework.evidence.storage import (
    ClaimProblem,
    NotEnoughStorage,
    NoVolumeToBind,
    ProvisionedElsewhere,
    TopologyNotAllowed,
    Unfit,
    UnfitVolume,
    UnusableClaim,
    VolumeOutOfReach,
)
from kexplain.framework.features import Features
from kexplain.framework.plugin import SKIP, Skip
from kexplain.framework.status import Code, Status
from kexplain.objects.core import AWSElasticBlockStore, NodeSelectorTerm, Pod
from kexplain.objects.csi_migration import AWS_EBS
from kexplain.objects.meta import KubernetesObject, OwnerReference
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim
from kexplain.objects.well_known import ZONE
from kexplain.plugins.volume_binding import VolumeBinding
from tests.factories import HOSTNAME, cluster, in_, node, node_term, pod, selector
from tests.storage_factories import (
    DRIVER,
    capacity,
    claim,
    csi_driver,
    csi_node,
    persistent_volume,
    scratch,
    storage_class,
    uses,
)

from .asking import UNRESOLVABLE, filter_verdict, pre_filtered, rejection

OUT_OF_REACH = "node(s) didn't match PersistentVolume's node affinity"
NOTHING_TO_BIND = "node(s) didn't find available persistent volumes to bind"
NO_SPACE = "node(s) did not have enough free storage"
NO_VOLUME = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"
IN_A = node_term(in_(ZONE, "a"))
IN_B = node_term(in_(ZONE, "b"))
LOCAL = storage_class("wait", "kubernetes.io/no-provisioner")
#: The node asked about, and one in another zone.
NODES = (node("n1", zone="a"), node("n2", zone="b"))


def made(*objects: KubernetesObject) -> Cluster:
    return cluster(NODES, [], *objects)


def reasons(asking: Pod, in_cluster: Cluster, name: str = "n1") -> Sequence[str]:
    verdict = filter_verdict(VolumeBinding(), asking, in_cluster, name)
    return verdict.reasons if verdict else ()


# --------------------------------------------------------------------------------------------------- PreFilter

OWNER = OwnerReference(kind="Pod", name="p", uid="u", controller=True)


@pytest.mark.parametrize(
    ("objects", "reason", "evidence"),
    [
        pytest.param(
            [], 'persistentvolumeclaim "data" not found', UnusableClaim("default/data", ClaimProblem.MISSING),
            id="missing",
        ),
        pytest.param(
            [claim(phase="Lost", volume="gone")],
            'persistentvolumeclaim "data" bound to non-existent persistentvolume "gone"',
            UnusableClaim("default/data", ClaimProblem.LOST, volume="gone"), id="lost",
        ),
        pytest.param(
            [claim(deleting=True), storage_class()], 'persistentvolumeclaim "data" is being deleted',
            UnusableClaim("default/data", ClaimProblem.DELETING), id="deleting",
        ),
        pytest.param(
            [claim(), storage_class(mode="Immediate")], "pod has unbound immediate PersistentVolumeClaims",
            UnusableClaim("default/data", ClaimProblem.UNBOUND, class_name="wait"), id="immediate",
        ),
        pytest.param(
            [claim(volume="pv", bound=False), storage_class(), persistent_volume()],
            "pod has unbound immediate PersistentVolumeClaims",
            UnusableClaim("default/data", ClaimProblem.UNBOUND, volume="pv", class_name="wait"),
            id="names-a-volume-but-is-not-bound",
        ),
        pytest.param(
            [claim()], "pod has unbound immediate PersistentVolumeClaims",
            UnusableClaim("default/data", ClaimProblem.CLASS_MISSING, class_name="wait"), id="class-missing",
        ),
        pytest.param(
            [claim(storage_class=None)], "pod has unbound immediate PersistentVolumeClaims",
            UnusableClaim("default/data", ClaimProblem.NO_CLASS), id="no-class",
        ),
        pytest.param(
            [claim(beta_class=""), storage_class()], "pod has unbound immediate PersistentVolumeClaims",
            UnusableClaim("default/data", ClaimProblem.NO_CLASS), id="the-legacy-class-counts-first",
        ),
    ],
)  # fmt: skip
def test_rejected_as_a_whole(objects: list[KubernetesObject], reason: str, evidence: UnusableClaim) -> None:
    expected = rejection(UNRESOLVABLE, reason, evidence=[evidence])
    assert VolumeBinding().pre_filter(pod(volumes=uses("data")), made(*objects)) == expected


@pytest.mark.parametrize(
    ("objects", "reason"),
    [
        ([], 'waiting for ephemeral volume controller to create the persistentvolumeclaim "p-scratch"'),
        ([claim("p-scratch")], "PVC default/p-scratch was not created for pod default/p (pod is not owner)"),
        ([claim("p-scratch", owner=OWNER, storage_class=None)], "pod has unbound immediate PersistentVolumeClaims"),
    ],
    ids=["not-created", "not-owned", "unbound"],
)
def test_ephemeral(objects: list[KubernetesObject], reason: str) -> None:
    answer = VolumeBinding().pre_filter(pod("p", uid="u", volumes=[scratch()]), made(*objects))
    assert isinstance(answer, Status)
    assert (answer.code, answer.reasons) == (UNRESOLVABLE, (reason,))


def test_class_without_a_mode_is_an_error() -> None:
    answer = VolumeBinding().pre_filter(pod(volumes=uses("data")), made(claim(), storage_class(mode=None)))
    assert answer == rejection(Code.ERROR, 'VolumeBindingMode not set for StorageClass "wait"')


def test_skips_pods_without_claims() -> None:
    assert VolumeBinding().pre_filter(pod(), made()) is SKIP


ON = Features(storage_capacity_scoring=True)
OLD = Features(volume_capacity_priority=True)


WAIT = storage_class("wait", DRIVER)
LEFT = (capacity("1", selector({ZONE: "a"}), "100Gi"), capacity("2", selector({ZONE: "b"}), "50Gi"))
PUBLISHED = [WAIT, csi_driver(), *LEFT]
VOLUMES = [
    LOCAL,
    persistent_volume("one", size="20Gi", reach=[IN_A]),
    persistent_volume("two", size="50Gi", reach=[IN_B]),
]


@pytest.mark.parametrize(
    ("features", "objects", "claims", "scores"),
    [
        pytest.param(ON, PUBLISHED, [claim()], [90, 80], id="what-drivers-have-left"),
        pytest.param(ON, PUBLISHED, [claim(), claim("more", size="20Gi")], [70, 40], id="which-counts-once"),
        pytest.param(ON, [WAIT], [claim()], [0, 0], id="nothing-known"),
        pytest.param(ON, VOLUMES, [claim()], [50, 80], id="what-volumes-have"),
        pytest.param(ON, [], [], [0, 0], id="no-claims"),
        pytest.param(OLD, VOLUMES, [claim()], [50, 20], id="how-well-volumes-fit"),
        pytest.param(OLD, PUBLISHED, [claim()], None, id="no-volumes-yet"),
        pytest.param(Features(), VOLUMES, [claim()], None, id="off"),
    ],
)
def test_scores(
    features: Features, objects: list[KubernetesObject], claims: list[PersistentVolumeClaim], scores: list[int] | None
) -> None:
    there = made(*objects, *claims)
    asking = pod(volumes=uses(*(each.name for each in claims)))
    plugin = VolumeBinding(features)
    state = plugin.pre_score(asking, there, there.node_infos)
    if isinstance(state, Skip):
        assert scores is None
    else:
        assert [plugin.score(asking, state, each) for each in there.node_infos] == scores


def test_scores_nothing() -> None:
    in_cluster = made()
    assert VolumeBinding().pre_score(pod(), in_cluster, in_cluster.node_infos) is SKIP
    assert VolumeBinding().score(pod(), None, in_cluster.node_infos[0]) == 0


# ------------------------------------------------------------------------------------------------- bound claims


@pytest.mark.parametrize(
    ("volume", "reason"),
    [
        pytest.param(persistent_volume(), None, id="reached-from-anywhere"),
        pytest.param(persistent_volume(reach=[IN_A]), None, id="reached"),
        pytest.param(persistent_volume(reach=[IN_B, IN_A]), None, id="one-term-is-enough"),
        pytest.param(persistent_volume(reach=[IN_B]), OUT_OF_REACH, id="out-of-reach"),
        pytest.param(persistent_volume(reach=[]), OUT_OF_REACH, id="no-terms-reach-nothing"),
        pytest.param(persistent_volume(reach=[node_term()]), OUT_OF_REACH, id="an-empty-term-neither"),
        pytest.param(persistent_volume(reach=[node_term(in_(ZONE))]), OUT_OF_REACH, id="nor-one-that-makes-no-sense"),
        pytest.param(
            persistent_volume(reach=[node_term(in_(ZONE, "a"), fields=[in_("metadata.name", "n9")])]), None,
            id="fields-do-not-count",
        ),
        pytest.param(persistent_volume("other"), NO_VOLUME, id="volume-not-there"),
    ],
)  # fmt: skip
def test_bound(volume: PersistentVolume, reason: str | None) -> None:
    in_cluster = made(claim(volume="pv"), volume)
    assert reasons(pod(volumes=uses("data")), in_cluster) == ((reason,) if reason else ())


def test_evidence_names_every_volume_out_of_reach() -> None:
    volumes = [persistent_volume("one", reach=[IN_B]), persistent_volume("two", reach=[IN_B])]
    in_cluster = made(claim("a", volume="one"), claim("b", volume="two"), *volumes)
    verdict = filter_verdict(VolumeBinding(), pod(volumes=uses("a", "b")), in_cluster)
    assert verdict is not None
    assert verdict.reasons == (OUT_OF_REACH,)
    found = [(e.claim, e.volume) for e in verdict.evidence if isinstance(e, VolumeOutOfReach)]
    assert found == [("default/a", "one"), ("default/b", "two")]


def test_only_the_first_problem_of_bound_claims_is_a_reason() -> None:
    in_cluster = made(claim("a", volume="one"), claim("b", volume="gone"), persistent_volume("one", reach=[IN_B]))
    assert reasons(pod(volumes=uses("a", "b")), in_cluster) == (OUT_OF_REACH,)
    assert reasons(pod(volumes=uses("b", "a")), in_cluster) == (NO_VOLUME,)


def test_reasons_come_in_upstreams_order() -> None:
    in_cluster = made(claim("a", volume="gone"), claim("b"), LOCAL)
    assert reasons(pod(volumes=uses("a", "b")), in_cluster) == (NOTHING_TO_BIND, NO_VOLUME)


def test_migrated_volumes_are_reached_by_the_labels_of_their_driver() -> None:
    disk = AWSElasticBlockStore(volume_id="vol-1")
    volume = persistent_volume(labels={ZONE: "a"}, aws_elastic_block_store=disk)
    objects = [claim(volume="pv"), volume]
    asking = pod(volumes=uses("data"))
    assert reasons(asking, made(*objects)) == ()
    assert reasons(asking, made(*objects, csi_node("n1", migrated="kubernetes.io/other"))) == ()
    migrated = csi_node("n1", migrated=f"kubernetes.io/other,{AWS_EBS.name}")
    assert reasons(asking, made(*objects, migrated)) == (OUT_OF_REACH,)
    labelled = cluster([node("n1", labels={AWS_EBS.topology_key: "a"})], [], *objects, migrated)
    assert reasons(asking, labelled) == ()


def test_volume_that_cannot_be_migrated_is_an_error() -> None:
    volume = persistent_volume(aws_elastic_block_store=AWSElasticBlockStore(volume_id="aws://x"))
    in_cluster = made(claim(volume="pv"), volume, csi_node("n1", migrated=AWS_EBS.name))
    verdict = filter_verdict(VolumeBinding(), pod(volumes=uses("data")), in_cluster)
    reason = (
        "could not translate pv: failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume "
        "(aws://x)"
    )
    assert verdict == rejection(Code.ERROR, reason)


# ---------------------------------------------------------------------------------------------- existing volumes


@pytest.mark.parametrize(
    ("wanted", "volume", "unfit"),
    [
        pytest.param(claim(), persistent_volume(), None, id="fits"),
        pytest.param(claim(size="11Gi"), persistent_volume(), (Unfit.TOO_SMALL, "10Gi"), id="too-small"),
        pytest.param(claim(size="10240Mi"), persistent_volume(), None, id="sizes-are-compared-as-amounts"),
        pytest.param(claim(size=None), persistent_volume(size=None), None, id="no-sizes"),
        pytest.param(claim(), persistent_volume(size=None), (Unfit.TOO_SMALL, "no capacity"), id="no-capacity"),
        pytest.param(claim(mode="Block"), persistent_volume(), (Unfit.MODE, "Filesystem"), id="mode"),
        pytest.param(claim(mode="Filesystem"), persistent_volume(), None, id="file-system-goes-without-saying"),
        pytest.param(
            claim(attributes_class="fast"), persistent_volume(), (Unfit.ATTRIBUTES_CLASS, ""), id="attributes-class",
        ),
        pytest.param(claim(), persistent_volume(deleting=True), (Unfit.DELETING, ""), id="deleting"),
        pytest.param(claim(), persistent_volume(phase="Released"), (Unfit.NOT_AVAILABLE, "Released"), id="released"),
        pytest.param(
            claim(selector=selector({"tier": "a"})), persistent_volume(labels={"tier": "b"}),
            (Unfit.SELECTOR, "tier=a"), id="selector",
        ),
        pytest.param(
            claim(selector=selector({"tier": "a"})), persistent_volume(labels={"tier": "a"}), None, id="selected",
        ),
        pytest.param(
            claim(modes=["ReadWriteMany"]), persistent_volume(), (Unfit.ACCESS_MODES, "ReadWriteOnce"),
            id="access-modes",
        ),
        pytest.param(
            claim(), persistent_volume(modes=["ReadOnlyMany", "ReadWriteOnce"]), None, id="more-access-modes",
        ),
        pytest.param(claim(), persistent_volume(storage_class="slow"), (Unfit.CLASS, "slow"), id="class"),
        pytest.param(claim(), persistent_volume(beta_class="slow"), (Unfit.CLASS, "slow"), id="legacy-class"),
        pytest.param(claim(), persistent_volume(reach=[IN_B]), (Unfit.NODE, f"{ZONE}=b"), id="node"),
        pytest.param(
            claim(), persistent_volume(reserved="other"), (Unfit.CLAIMED, "default/other"), id="claimed",
        ),
        pytest.param(
            claim(), persistent_volume(reserved="data", reserved_uid="another"), (Unfit.CLAIMED, "default/data"),
            id="claimed-by-a-claim-that-is-gone",
        ),
        pytest.param(
            claim(), persistent_volume(reserved="data", phase="Bound", modes=()), None,
            id="reserved-need-not-be-available",
        ),
        pytest.param(
            claim(), persistent_volume(reserved="data", size="1Gi"), (Unfit.TOO_SMALL, "1Gi"),
            id="reserved-but-too-small",
        ),
        pytest.param(
            claim(), persistent_volume(reserved="data", reach=[IN_B]), (Unfit.NODE, f"{ZONE}=b"),
            id="reserved-but-out-of-reach",
        ),
    ],
)  # fmt: skip
def test_existing_volume(
    wanted: PersistentVolumeClaim, volume: PersistentVolume, unfit: tuple[Unfit, str] | None
) -> None:
    verdict = filter_verdict(VolumeBinding(), pod(volumes=uses("data")), made(wanted, volume, LOCAL))
    if unfit is None:
        assert verdict is None
        return
    assert verdict is not None
    assert (verdict.code, verdict.reasons) == (UNRESOLVABLE, (NOTHING_TO_BIND,))
    evidence = verdict.evidence[0]
    assert isinstance(evidence, NoVolumeToBind)
    assert evidence.unfit == (UnfitVolume("pv", *unfit),)


def chosen(in_cluster: Cluster, asking: Pod, name: str = "n1") -> dict[str, str]:
    """The claims that are assumed to be bound on that node, by the volumes reserved for them."""
    plugin = VolumeBinding()
    reserved = plugin.reserve(asking, pre_filtered(plugin, asking, in_cluster).state, in_cluster, name)
    volumes = reserved.listers.every(PersistentVolume)
    return {volume.name: volume.spec.claim_ref.name for volume in volumes if volume.spec.claim_ref}


def test_the_smallest_that_fits_is_taken() -> None:
    sizes = {"large": "100Gi", "small": "1Gi", "medium": "20Gi", "twin": "20Gi"}
    volumes = [persistent_volume(name, size=size) for name, size in sizes.items()]
    assert chosen(made(claim(), *volumes, LOCAL), pod(volumes=uses("data"))) == {"medium": "data"}


def test_what_is_reserved_for_the_claim_goes_first() -> None:
    volumes = [persistent_volume("small"), persistent_volume("own", size="50Gi", reserved="data")]
    assert chosen(made(claim(), *volumes, LOCAL), pod(volumes=uses("data"))) == {"own": "data"}


def test_claims_are_served_by_size_and_do_not_share() -> None:
    volumes = [persistent_volume("one", size="10Gi"), persistent_volume("two", size="20Gi")]
    objects = [claim("large", size="8Gi"), claim("small", size="5Gi"), *volumes, LOCAL]
    assert chosen(made(*objects), pod(volumes=uses("large", "small"))) == {"one": "small", "two": "large"}
    three = made(*objects, claim("third"))
    verdict = filter_verdict(VolumeBinding(), pod(volumes=uses("large", "small", "third")), three)
    assert verdict is not None
    assert isinstance(verdict.evidence[0], NoVolumeToBind)
    assert verdict.evidence[0].taken == {"one", "two"}


def test_local_volumes_are_found_by_node() -> None:
    volumes = [persistent_volume(f"pv-{name}", reach=[node_term(in_(HOSTNAME, name))]) for name in ("n1", "n2", "n9")]
    in_cluster = made(claim(), *volumes, persistent_volume("any", size="50Gi"), LOCAL)
    assert chosen(in_cluster, pod(volumes=uses("data")), "n1") == {"pv-n1": "data"}
    assert chosen(in_cluster, pod(volumes=uses("data")), "n2") == {"pv-n2": "data"}


def test_selector_that_makes_no_sense_is_an_error() -> None:
    wanted = claim(selector=selector(None, ("tier", "Sometimes", ())))
    verdict = filter_verdict(VolumeBinding(), pod(volumes=uses("data")), made(wanted, LOCAL))
    assert verdict is not None
    assert verdict.code is Code.ERROR
    assert verdict.reasons[0].startswith("error creating internal label selector for claim: default/data: ")


# --------------------------------------------------------------------------------------------------- new volumes


def test_volumes_are_made_where_none_exists() -> None:
    in_cluster = made(claim(), storage_class())
    plugin, asking = VolumeBinding(), pod(volumes=uses("data"))
    assert reasons(asking, in_cluster) == ()
    state = pre_filtered(plugin, asking, in_cluster).state
    reserved = plugin.reserve(asking, state, in_cluster, "n2")
    marked = reserved.listers.get(PersistentVolumeClaim, "data", "default")
    assert marked is not None
    assert marked.annotations.selected_node == "n2"
    # The next pod with the same claim can only go to the same node.
    verdict = filter_verdict(plugin, asking, reserved, "n1")
    assert verdict == rejection(UNRESOLVABLE, NOTHING_TO_BIND, evidence=[ProvisionedElsewhere("default/data", "n2")])
    assert filter_verdict(plugin, asking, reserved, "n2") is None


def test_reserve_leaves_bound_claims_alone() -> None:
    in_cluster = made(claim(volume="pv"), persistent_volume())
    assert chosen(in_cluster, pod(volumes=uses("data"))) == {}


@pytest.mark.parametrize(
    ("topologies", "fits"),
    [
        pytest.param([], True, id="none"),
        pytest.param([{ZONE: "a"}], True, id="own"),
        pytest.param([{ZONE: "bc"}], False, id="others"),
        pytest.param([{ZONE: "b"}, {ZONE: "a"}], True, id="one-term-is-enough"),
        pytest.param([{ZONE: "a", "rack": "1"}], False, id="all-labels-must-fit"),
        pytest.param([{}], False, id="an-empty-term-fits-nothing"),
        pytest.param([{ZONE: ""}], False, id="no-values"),
    ],
)
def test_topologies(topologies: list[dict[str, str]], fits: bool) -> None:
    terms = [{key: tuple(values) for key, values in term.items()} for term in topologies]
    in_cluster = made(claim(), storage_class(topologies=terms))
    verdict = filter_verdict(VolumeBinding(), pod(volumes=uses("data")), in_cluster)
    if fits:
        assert verdict is None
        return
    allowed = tuple(tuple((key, values) for key, values in term.items()) for term in terms)
    evidence = [TopologyNotAllowed("default/data", "wait", allowed)]
    assert verdict == rejection(UNRESOLVABLE, NOTHING_TO_BIND, evidence=evidence)


HERE, ELSEWHERE = selector({ZONE: "a"}), selector({ZONE: "b"})


@pytest.mark.parametrize(
    ("objects", "largest"),
    [
        pytest.param([], None, id="nothing-reported"),
        pytest.param([capacity("1", HERE, "10Gi")], "fits", id="enough"),
        pytest.param([capacity("1", HERE, "9Gi"), capacity("2", HERE, "5Gi")], 9 << 30, id="too-little"),
        pytest.param([capacity("1", HERE, "5Gi"), capacity("2", HERE, "50Gi")], "fits", id="one-is-enough"),
        pytest.param([capacity("1", ELSEWHERE, "50Gi")], None, id="elsewhere"),
        pytest.param([capacity("1", None, "50Gi")], None, id="nowhere"),
        pytest.param([capacity("1", HERE, "50Gi", storage_class="x")], None, id="another-class"),
        pytest.param([capacity("1", HERE, "50Gi", largest="5Gi")], 5 << 30, id="the-largest-volume-counts-first"),
        pytest.param([capacity("1", HERE, "5Gi", largest="50Gi")], "fits", id="even-if-it-is-more"),
        pytest.param([capacity("1", HERE, None)], None, id="unknown"),
    ],
)
def test_capacity(objects: list[KubernetesObject], largest: int | str | None) -> None:
    in_cluster = made(claim(), storage_class(), csi_driver(), *objects)
    verdict = filter_verdict(VolumeBinding(), pod(volumes=uses("data")), in_cluster)
    evidence = [NotEnoughStorage("default/data", "wait", 10 << 30, largest if isinstance(largest, int) else None)]
    assert verdict == (None if largest == "fits" else rejection(UNRESOLVABLE, NO_SPACE, evidence=evidence))


@pytest.mark.parametrize(
    "objects",
    [[claim()], [claim(), csi_driver(tracks_capacity=None)], [claim(size=None), csi_driver()]],
    ids=["no-driver", "driver-that-does-not-say", "no-size"],
)
def test_capacity_that_is_not_looked_at(objects: list[KubernetesObject]) -> None:
    assert reasons(pod(volumes=uses("data")), made(storage_class(provisioner=DRIVER), *objects)) == ()


# ---------------------------------------------------------------------------------------------- older releases


@pytest.mark.parametrize(
    ("is_new", "reason"),
    [(True, OUT_OF_REACH), (False, "node(s) had volume node affinity conflict")],
    ids=["since-1.33", "before"],
)
def test_message_of_a_volume_out_of_reach(is_new: bool, reason: str) -> None:
    plugin = VolumeBinding(Features(volume_conflict_is_named_affinity=is_new))
    in_cluster = made(claim(volume="pv"), persistent_volume(reach=[IN_B], reserved="data"))
    verdict = filter_verdict(plugin, pod(volumes=uses("data")), in_cluster)
    assert verdict is not None
    assert verdict.reasons == (reason,)


@pytest.mark.parametrize(
    ("reaches", "names"),
    [
        pytest.param([[node_term(in_(HOSTNAME, "n1", "n2"))]], {"n1", "n2"}, id="one-volume"),
        pytest.param([[node_term(in_(HOSTNAME, "n1"))], [node_term(in_(HOSTNAME, "n1", "n2"))]], {"n1"}, id="common"),
        pytest.param([[node_term(in_(HOSTNAME, "n1")), node_term(in_(HOSTNAME, "n2"))]], {"n1", "n2"}, id="any-term"),
        pytest.param([[node_term(in_(HOSTNAME, "n1"))], [IN_A]], {"n1"}, id="others-do-not-matter"),
        pytest.param([[IN_A]], None, id="none-that-names-nodes"),
    ],
)
def test_nodes_of_local_volumes_up_to_1_31(reaches: list[list[NodeSelectorTerm]], names: set[str] | None) -> None:
    objects: list[KubernetesObject] = []
    for index, reach in enumerate(reaches):
        objects += [claim(f"c{index}", volume=f"v{index}"), persistent_volume(f"v{index}", reach=reach)]
    asking = pod(volumes=uses(*(f"c{index}" for index in range(len(reaches)))))
    older = pre_filtered(VolumeBinding(Features(local_volumes_narrow=True)), asking, made(*objects))
    assert older.node_names == (names if names is None else frozenset(names))
    assert pre_filtered(VolumeBinding(), asking, made(*objects)).node_names is None


@pytest.mark.parametrize(("gate", "fits"), [(True, False), (False, True)], ids=["on", "off"])
def test_gate_of_volume_attributes_classes(gate: bool, fits: bool) -> None:
    in_cluster = made(claim(bound=False, attributes_class="gold"), LOCAL, persistent_volume())
    plugin = VolumeBinding(Features(volume_attributes_classes=gate))
    assert (filter_verdict(plugin, pod(volumes=uses("data")), in_cluster) is None) is fits
