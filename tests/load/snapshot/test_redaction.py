"""A redacted cluster: other names, the same decisions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from kexplain.api import schedule
from kexplain.case import load_case
from kexplain.cluster import Cluster
from kexplain.config.scheduler_settings import build_scheduler
from kexplain.errors import InputError, UsageError
from kexplain.framework.trace import Decision, Outcome
from kexplain.load import Loaded, load
from kexplain.load.loaded import Nowhere, Segment
from kexplain.load.snapshot.new_names import Names
from kexplain.load.snapshot.redaction import _FURTHER, redacted
from kexplain.load.snapshot.snapshot_file import encode_snapshot
from kexplain.objects.apps import StatefulSet, StatefulSetSpec
from kexplain.objects.core import (
    EphemeralVolume,
    Node,
    NodeCondition,
    PersistentVolumeClaimTemplate,
    Pod,
    PodStatus,
    ResourceQuota,
    Volume,
)
from kexplain.objects.meta import Condition, KubernetesObject, ObjectMeta, Record
from kexplain.objects.persistent_volumes import ClaimMeta, PersistentVolume, PersistentVolumeClaim, VolumeMeta
from kexplain.objects.resource import (
    AllocatedDeviceStatus,
    Device,
    ResourceClaim,
    ResourceClaimMeta,
    ResourceClaimStatus,
    ResourceSlice,
    ResourceSliceSpec,
)
from kexplain.objects.storage import StorageClass
from kexplain.tables import sections
from tests.conformance.corpora import Area, Corpus, Kind
from tests.conformance.scenario import Scenario
from tests.factories import affinity, in_, node, node_affinity, node_term, pod, toleration
from tests.load.live.cluster import objects
from tests.sampling import some
from tests.scenarios import FIXTURES, loaded_scenarios


def _loaded(*objs: KubernetesObject) -> Loaded:
    loaded = Loaded()
    loaded.add(Segment("test", Nowhere(), list(objs)))
    return loaded


def _decisions(loaded: Loaded, path: Path) -> list[Decision]:
    path.write_bytes(encode_snapshot(loaded, taken_at=""))
    return list(schedule(load_case([str(path)])))


def _shape(decision: Decision) -> Iterator[Any]:
    """Everything about a decision but names: nodes stand for themselves by their place."""
    place = {info.name: number for number, info in enumerate(decision.cluster.node_infos)}
    yield decision.outcome
    yield decision.sampling
    yield place.get(decision.host), [place[name] for name in decision.feasible], [place[name] for name in decision.best]
    for name, status in sorted(decision.statuses.by_node.items(), key=lambda item: place[item[0]]):
        yield place[name], status.plugin, status.code, len(status.reasons), len(status.evidence)
    for score in decision.scores:
        yield place[score.node_name], list(score.by_plugin.items()), score.total
    if decision.preemption is not None:
        yield [
            (place[each.node_name], len(each.victims), each.pdb_violations) for each in decision.preemption.candidates
        ]
        yield [place[name] for name in decision.preemption.best]


def test_every_scenario_is_decided_as_before(tmp_path: Path) -> None:
    compared = 0
    for folder, loaded in loaded_scenarios():
        try:
            before = _decisions(loaded, tmp_path / "before")
        except (InputError, UsageError):
            # It holds nothing to place.
            continue
        after = _decisions(redacted(loaded), tmp_path / "after")
        assert [list(_shape(each)) for each in after] == [list(_shape(each)) for each in before], folder
        compared += 1
    assert compared > 150


_RECORDED = sorted(FIXTURES.glob("conformance/v1.36/*.jsonl.gz"))


def _decided(objs: Sequence[KubernetesObject], places: list[int]) -> list[list[Any]]:
    """Decisions on the pods at these places, each seeing those before it."""
    pods = [obj for obj in objs if isinstance(obj, Pod)]
    cluster = Cluster.of([obj for obj in objs if isinstance(obj, Node)], pods, objs)
    scheduler = build_scheduler()
    shapes = []
    for place in places:
        decision = scheduler.schedule(pods[place], cluster, 0)
        shapes.append(list(_shape(decision)))
        if decision.host:
            cluster = scheduler.assume(decision, decision.host)
    return shapes


@pytest.mark.slow
@pytest.mark.parametrize("path", _RECORDED, ids=lambda path: path.name.partition(".")[0])
def test_every_recorded_cluster_is_decided_as_before(path: Path) -> None:
    corpus = Corpus("v1.36", Kind.SCHEDULING, "1.36")
    for scenario in some(Area(corpus, path.name, path).rows(Scenario), 5):
        text = b'{"apiVersion":"v1","kind":"List","items":%s}' % bytes(scenario.objects)
        loaded = load(["-"], stdin=BytesIO(text))
        keys = [obj.key for obj in loaded.objects if isinstance(obj, Pod)]
        places = [keys.index(key) for key in scenario.pods]
        assert _decided(redacted(loaded).objects, places) == _decided(loaded.objects, places), scenario.id


def test_no_name_is_left(tmp_path: Path) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(msgspec.json.encode({"apiVersion": "v1", "kind": "List", "items": objects()}))
    text = msgspec.json.encode([*redacted(load([str(path)])).objects]).decode()
    own = (
        "worker",
        "shop",
        "web",
        "api-",
        "blue",
        "registry.example/shop",
        "pv-1",
        "handle-1",
        "important",
        "batch",
        "team",
    )
    assert [word for word in own if word in text] == []
    assert "topology.kubernetes.io/zone" in text


def test_notes_are_not_kept() -> None:
    loaded = _loaded(node("n1"))
    loaded.notes.append("https://joe:the-token@git.example/shop is not fetched")
    assert redacted(loaded).notes == ["1 note on what was read left out, as they may hold names"]
    assert redacted(_loaded()).notes == []


def test_conditions_of_ones_own_are_renamed() -> None:
    conditions = (
        NodeCondition(type="Ready", status="True"),
        NodeCondition(type="AcmePaymentsHealthy", status="True"),
        NodeCondition(type="acme.example/Drained", status="False"),
    )
    waiting = Condition(type="PodScheduled", status="False", reason="AcmeSaysNo")
    failing = Condition(type="DisruptionTarget", status="True", reason="PreemptionByScheduler")
    node_of_acme = replace(node("n1"), status=replace(node("n1").status, conditions=conditions))
    pod_of_acme = replace(pod("p"), status=PodStatus(conditions=(waiting, failing)))
    text = msgspec.json.encode([*redacted(_loaded(node_of_acme, pod_of_acme)).objects]).decode()
    assert "cme" not in text
    assert all(word in text for word in ("Ready", "PodScheduled", "DisruptionTarget", "PreemptionByScheduler"))


def test_a_device_waits_for_the_condition_that_it_has() -> None:
    path = "example.com/acme-ready"
    device = Device(name="d", binding_conditions=(path,), binding_failure_conditions=("acme.example/broken",))
    slices = ResourceSlice(metadata=ObjectMeta(name="s"), spec=ResourceSliceSpec(driver="x", devices=(device,)))
    allocated = AllocatedDeviceStatus(conditions=(Condition(type=path, status="True"),))
    claim = ResourceClaim(metadata=ResourceClaimMeta(name="c"), status=ResourceClaimStatus(devices=(allocated,)))
    new_slice, new_claim = redacted(_loaded(slices, claim)).objects
    assert isinstance(new_slice, ResourceSlice)
    assert isinstance(new_claim, ResourceClaim)
    wanted = [type_ for each in new_slice.spec.devices or () for type_ in each.binding_conditions or ()]
    status = new_claim.status.devices or ()
    assert wanted == [condition.type for each in status for condition in each.conditions or ()]
    assert "acme" not in wanted[0]


@pytest.mark.parametrize(
    ("key", "new"),
    [
        ("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/control-plane"),
        ("node-role.kubernetes.io/acme-payments", "node-role.kubernetes.io/key-1"),
        ("node.kubernetes.io/acme", "node.kubernetes.io/key-1"),
        ("kubernetes.io/hostname", "kubernetes.io/hostname"),
        ("acme.k8s.io/rack", "key-1"),
        ("acme.kubernetes.io/rack", "key-1"),
        ("karpenter.sh/nodepool", "karpenter.sh/nodepool"),
        ("ToBeDeletedByClusterAutoscaler", "ToBeDeletedByClusterAutoscaler"),
    ],
)
def test_keys_of_ones_own_are_renamed_wherever_they_stand(key: str, new: str) -> None:
    tainted = node("n1", labels={key: "true"}, taints=[f"{key}:NoSchedule"])
    tolerant = pod("p", tolerations=[toleration(key)], node_selector={key: "true"})
    new_node, new_pod = redacted(_loaded(tainted, tolerant)).objects
    assert isinstance(new_node, Node)
    assert isinstance(new_pod, Pod)
    assert new in new_node.labels
    assert [each.key for each in new_node.spec.taints or ()] == [new]
    assert [*(new_pod.spec.node_selector or ())] == [new]
    assert [each.key for each in new_pod.spec.tolerations or ()] == [new]


def test_what_is_equal_stays_equal_and_what_differs_differs() -> None:
    one, other, third = (
        node(name, labels={"rack": rack, "kubernetes.io/hostname": name})
        for name, rack in (("b", "x"), ("a", "x"), ("c", "y"))
    )
    new = redacted(_loaded(one, other, third)).objects
    racks = [next(value for key, value in each.labels.items() if key.startswith("key-")) for each in new]
    assert racks[0] == racks[1] != racks[2]
    assert [each.labels["kubernetes.io/hostname"] for each in new] == [each.name for each in new]
    # Order is kept: a before b before c.
    assert sorted(each.name for each in new) == [new[1].name, new[0].name, new[2].name]


def test_whole_numbers_keep_their_order(tmp_path: Path) -> None:
    nodes = [node(f"n{size}", labels={"size": size}) for size in ("8", "16", "100", "-3", "007")]
    wants = pod("p", affinity=affinity(node=node_affinity(node_term(in_("size", "9", operator="Gt")))))
    before = _loaded(*nodes, wants)
    placed = [_decisions(each, tmp_path / "x")[0].feasible for each in (before, redacted(before))]
    assert len(placed[0]) == 2
    names = {old.name: new.name for old, new in zip(nodes, redacted(before).objects, strict=False)}
    assert [names[name] for name in placed[0]] == list(placed[1])


@pytest.mark.parametrize(
    ("kept", "where"),
    [
        ("linux", {"kubernetes.io/os": "linux"}),
        ("us-central1-a", {"topology.kubernetes.io/zone": "us-central1-a"}),
        ("us-central1-a__us-central1-b", {"topology.kubernetes.io/zone": "us-central1-a__us-central1-b"}),
        ("", {"node-role.kubernetes.io/control-plane": ""}),
    ],
)
def test_values_that_mean_something_to_the_scheduler_stay(kept: str, where: dict[str, str]) -> None:
    [new] = redacted(_loaded(node("n", hostname=False, labels=where))).objects
    assert new.labels == where
    assert kept in new.labels.values()


def test_zones_that_stand_together_are_the_zones_that_stand_alone() -> None:
    there = node("n", hostname=False, zone="cellar")
    volume = PersistentVolume(metadata=VolumeMeta(name="v", labels={"topology.kubernetes.io/zone": "attic__cellar"}))
    new_node, new_volume = redacted(_loaded(there, volume)).objects
    [zone], [zones] = new_node.labels.values(), new_volume.labels.values()
    assert zone != "cellar"
    assert zones.split("__")[1] == zone


def test_fields_that_nobody_thought_of_are_redacted() -> None:
    """Every text that is left as it is was left on purpose: it is a word of the API, or one that vendors chose."""
    loaded = Loaded()
    for _, scenario in loaded_scenarios():
        loaded += scenario
    text = msgspec.json.encode([obj for obj in redacted(loaded).objects if isinstance(obj, Node)]).decode()
    values = set(re.findall(r'"(?:name|value|nodeName)":"([^"]*)"', text))
    assert values
    assert [
        value
        for value in values
        if not re.fullmatch(r"(?:vol-)?[a-z]+-\d+|\d*|true|false|windows|kube-\w+|default", value)
        for value in values
        if not re.fullmatch(r"(?:vol-)?[a-z]+-\d+|\d*|true|false|windows|kube-\w+|default", value)
    ] == []


def test_names_that_controllers_put_together_are_put_together_anew() -> None:
    runs = pod("db-0")
    runs = replace(runs, spec=replace(runs.spec, volumes=(Volume(name="scratch", ephemeral=EphemeralVolume()),)))
    template = PersistentVolumeClaimTemplate(metadata=ObjectMeta(name="data"))
    owner = StatefulSet(metadata=ObjectMeta(name="db"), spec=StatefulSetSpec(volume_claim_templates=(template,)))
    claims = [PersistentVolumeClaim(metadata=ClaimMeta(name=name)) for name in ("data-db-0", "db-0-scratch", "other")]
    new = redacted(_loaded(runs, owner, *claims)).objects
    assert isinstance(new[0], Pod)
    assert isinstance(new[1], StatefulSet)
    [scratch] = new[0].spec.volumes or ()
    [data] = new[1].spec.volume_claim_templates or ()
    assert new[0].name == f"{new[1].name}-0"
    assert [each.name for each in new[2:4]] == [
        f"{data.metadata.name}-{new[1].name}-0",
        f"{new[0].name}-{scratch.name}",
    ]
    assert not {"db", "data", "scratch"} & {part for each in new for part in each.name.split("-")}


def test_tolerations_still_tolerate(tmp_path: Path) -> None:
    tainted = node("n", taints=["owner=joe:NoSchedule"])
    loaded = _loaded(tainted, pod("p", tolerations=[toleration("owner", "joe", effect="NoSchedule")]))
    assert _decisions(redacted(loaded), tmp_path / "x")[0].host


_OWN_WORDS = """
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {nodeInfo: {kubeletVersion: v1.36.1-acme.7+secret}, allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: q, namespace: default}
spec: {hard: {acme-fast.storageclass.storage.k8s.io/requests.storage: 1Gi, requests.cpu: "1"}}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: acme-fast}
provisioner: ebs.csi.aws.com
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: gpu.nvidia.com
  nodeName: n1
  pool: {name: n1, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    attributes:
      serialNumber: {string: ACME12345}
      productName: {string: H100}
      id: {string: GPU-12345678-1234-1234-1234-123456789012}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: default}
spec:
  devices:
    requests:
    - name: acme-gpu
      exactly:
        deviceClassName: gpu
        selectors: [{cel: {expression: 'device.attributes["gpu.nvidia.com"].serialNumber == "ACME12345"'}}]
    constraints: [{requests: [acme-gpu], matchAttribute: gpu.nvidia.com/productName}]
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {selectors: [{cel: {expression: device.driver == "gpu.nvidia.com"}}]}
---
apiVersion: v1
kind: Pod
metadata:
  name: p
  namespace: default
  ownerReferences: [{apiVersion: acme.example/v1, kind: AcmeTrainer, name: t, uid: u, controller: true}]
spec:
  resourceClaims: [{name: d, resourceClaimName: c}]
  containers: [{name: m, image: m, resources: {claims: [{name: d, request: acme-gpu}]}}]
"""


def test_words_within_keys_attributes_owners_and_versions_are_renamed(tmp_path: Path) -> None:
    before = load(["-"], stdin=BytesIO(_OWN_WORDS.encode()))
    after = redacted(before)
    text = msgspec.json.encode([*after.objects]).decode()
    assert "acme" not in text.casefold()
    assert "12345678-" not in text
    assert '"kubeletVersion":"v1.36.1"' in text
    assert "H100" in text
    quota = next(obj for obj in after.objects if isinstance(obj, ResourceQuota))
    own_class = next(obj for obj in after.objects if isinstance(obj, StorageClass))
    assert f"{own_class.name}.storageclass.storage.k8s.io/requests.storage" in (quota.spec.hard or {})
    shapes = [[list(_shape(each)) for each in _decisions(each, tmp_path / "x")] for each in (before, after)]
    assert shapes[0] == shapes[1]
    assert shapes[0][0][0] == Outcome.SCHEDULED


def test_every_field_of_the_table_is_one_of_a_record() -> None:
    def below(record: type[Record]) -> Iterator[type[Record]]:
        for each in record.__subclasses__():
            yield each
            yield from below(each)

    records = {each.__name__: each.__struct_fields__ for each in below(Record)}
    known = {field for fields in records.values() for field in fields}
    known |= {f"{name}.{field}" for name, fields in records.items() for field in fields}
    for how, fields in sections("redacted-fields").items():
        assert set(fields) <= known, how
        assert how in ("", "kept") or how in _FURTHER or hasattr(Names, how)
