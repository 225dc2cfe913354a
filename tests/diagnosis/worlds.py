"""Clusters as one meets them, healthy but for what every cluster has: pools, zones, daemons, workloads, a node gone."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from kexplain.cluster import Cluster
from kexplain.objects.core import Node, NodeCondition, Pod, Toleration
from kexplain.objects.meta import KubernetesObject, Labels, ResourceList
from kexplain.objects.storage import CSINode
from tests.factories import REGION, ZONE, cluster, controlled_by, node, pod, taint, toleration
from tests.storage_factories import DRIVER, csi_driver, csi_node, storage_class

#: By kind of cluster: the label of pools, empty where nodes have none, and the zones.
CLOUDS: Mapping[str, tuple[str, Sequence[str]]] = {
    "eks": ("eks.amazonaws.com/nodegroup", ("eu-west-1a", "eu-west-1b", "eu-west-1c")),
    "gke": ("cloud.google.com/gke-nodepool", ("europe-west4-a", "europe-west4-b", "europe-west4-c")),
    "karpenter": ("karpenter.sh/nodepool", ("us-east-1a", "us-east-1b", "us-east-1c")),
    "capi": ("topology.cluster.x-k8s.io/deployment-name", ("az1", "az2", "az3")),
    "metal": ("", ("rack1", "rack2", "rack3")),
}
GPU = "nvidia.com/gpu"
#: The taint of each pool that has one, and what its nodes offer: CPU, memory in GiB, GPUs.
TAINTS: Mapping[str, tuple[str, str]] = {
    "spot": ("spot", "true"), "gpu": (GPU, "present"), "infra": ("dedicated", "infra"),
}  # fmt: skip
SHAPES: Mapping[str, tuple[int, int, int]] = {
    "general": (8, 30, 0), "spot": (8, 14, 0), "gpu": (16, 60, 2), "infra": (4, 14, 0), "memory": (8, 60, 0),
}  # fmt: skip


class World:
    """A cluster while it is put together; `nodes` are by name, and `pool_of` says which pool each was made for."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)  # noqa: S311 - the same world again
        self.cloud = self.rng.choice(list(CLOUDS))
        self.pool_label, self.zones = CLOUDS[self.cloud]
        self.nodes: dict[str, Node] = {}
        self.pool_of: dict[str, str] = {}
        self.pods: list[Pod] = []
        self.objects: list[KubernetesObject] = [storage_class(), csi_driver()]
        self.drivers: dict[str, CSINode] = {}
        self._free: dict[str, int] = {}
        for pool in ("general", "gpu", *self.rng.sample(["spot", "infra"], self.rng.randint(0, 2))):
            for number in range(self.rng.randint(5, 9) if pool == "general" else self.rng.randint(2, 4)):
                self.add(pool, self.zones[number % 3])
        for pool in TAINTS:
            for name in self.pool(pool)[:2]:
                self.run(f"{pool}-job", name, 500, tolerations=tolerating(pool))

    # ---------------------------------------------------------------------------------------------- making it

    def add(self, pool: str, zone: str) -> str:
        """A node of the pool with its daemons."""
        cpu, memory, gpus = SHAPES[pool]
        name = f"{pool}-{len(self.nodes)}"
        own: Labels = {self.pool_label: pool} if self.pool_label else {}
        own |= {"workload": pool, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64", REGION: "eu"}
        taints = [f"{'='.join(TAINTS[pool])}:NoSchedule"] if pool in TAINTS else []
        offers: ResourceList = {GPU: str(gpus)} if gpus else {}
        self.nodes[name] = node(
            name, cpu=cpu, memory=f"{memory}Gi", pods=58, zone=zone, labels=own, taints=taints, further=offers
        )
        self.pool_of[name] = pool
        self.drivers[name] = csi_node(name, {DRIVER: 25})
        self._free[name] = 1000 * cpu
        everything = [Toleration(operator="Exists")]
        for daemon in ("cni", "proxy"):
            self.run(daemon, name, 100, kind="DaemonSet", tolerations=everything, priority=2_000_001_000)
        return name

    def pool(self, pool: str) -> list[str]:
        """The nodes that were made for a pool."""
        return [name for name, own in self.pool_of.items() if own == pool]

    def in_zone(self, pool: str, zone: str) -> list[str]:
        """Those of them in a zone."""
        return [name for name in self.pool(pool) if self.nodes[name].labels[ZONE] == zone]

    def run(self, workload: str, on: str, cpu: int, *, kind: str = "ReplicaSet", **more: Any) -> Pod:
        """A pod of the workload on the node, of so many thousandths of a CPU."""
        name = f"{workload}-{len(self.pods)}"
        more.setdefault("labels", {"app": workload})
        made = pod(name, node=on, cpu=f"{cpu}m", owner=controlled_by(kind, workload), **more)
        self.pods.append(made)
        self._free[on] -= cpu
        return made

    def fill(self, names: Iterable[str], left: int = 300, **more: Any) -> None:
        """Others take all but so much of the CPU of these nodes."""
        for name in names:
            if self._free[name] > left:
                self.run("filler", name, self._free[name] - self.rng.randint(left // 2, left), **more)

    def noise(self) -> None:
        """A cordoned node, or a lost one, of a pool that has enough of them."""
        general = self.pool("general")
        if self.rng.random() < 0.5:
            self.cordon(general[-1:])
        elif self.rng.random() < 0.5:
            self.lose(general[-1:])
        for _ in range(3):
            self.run("web", self.rng.choice(general[:-1]), 200)

    # ------------------------------------------------------------------------------------------ changing nodes

    def taint(self, names: Iterable[str], *taints: str) -> None:
        """Give nodes further taints."""
        for name in names:
            spec = self.nodes[name].spec
            new = (*(spec.taints or ()), *map(taint, taints))
            self.nodes[name] = replace(self.nodes[name], spec=replace(spec, taints=new))

    def cordon(self, names: Iterable[str]) -> None:
        """As kubectl does."""
        for name in names:
            self.taint([name], "node.kubernetes.io/unschedulable:NoSchedule")
            spec = replace(self.nodes[name].spec, unschedulable=True)
            self.nodes[name] = replace(self.nodes[name], spec=spec)

    def lose(
        self,
        names: Iterable[str],
        key: str = "unreachable",
        condition: str = "Ready",
        status: str = "Unknown",
        message: str = "",
    ) -> None:
        """As the node lifecycle controller does once a condition says so."""
        for name in names:
            self.taint([name], f"node.kubernetes.io/{key}:NoSchedule")
            found = NodeCondition(type=condition, status=status, message=message)
            state = replace(self.nodes[name].status, conditions=(found,))
            self.nodes[name] = replace(self.nodes[name], status=state)

    def label(self, names: Iterable[str], labels: Mapping[str, str | None]) -> None:
        """Change labels; None takes one away."""
        for name in names:
            kept = {key: value for key, value in self.nodes[name].labels.items() if key not in labels}
            kept |= {key: value for key, value in labels.items() if value is not None}
            self.nodes[name] = replace(self.nodes[name], metadata=replace(self.nodes[name].metadata, labels=kept))

    def offer(self, names: Iterable[str], amounts: Labels, capacity: Labels | None = None) -> None:
        """Change what nodes offer, and what they have."""
        for name in names:
            state = self.nodes[name].status
            offers, has = {**(state.allocatable or {}), **amounts}, {**(state.allocatable or {}), **(capacity or {})}
            self.nodes[name] = replace(self.nodes[name], status=replace(state, allocatable=offers, capacity=has))

    def cluster(self) -> Cluster:
        """What it has become."""
        return cluster(self.nodes.values(), self.pods, *self.objects, *self.drivers.values())


def tolerating(pool: str) -> list[Toleration]:
    """What pods of the pool tolerate."""
    key, value = TAINTS[pool]
    return [toleration(key, value, effect="NoSchedule")]
