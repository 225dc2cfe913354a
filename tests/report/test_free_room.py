from __future__ import annotations

from kexplain.report.free_room import Room, rooms
from tests.factories import cluster, node, pod


def by_resource(*found: Room) -> dict[str, Room]:
    return {room.resource: room for room in found}


def test_free_largest_and_unusable() -> None:
    nodes = [node("n1", cpu="4", memory="8Gi"), node("n2", cpu="4", memory="8Gi")]
    # Pods that run ask for 2Gi a core; n1 has cores without memory beside them.
    pods = [pod("a", node="n1", cpu="1", memory="6Gi"), pod("b", node="n2", cpu="2", memory="0")]
    found = by_resource(*rooms(cluster(nodes, pods)))
    cpu, memory = found["cpu"], found["memory"]
    assert (cpu.allocatable, cpu.free, cpu.largest, cpu.largest_on) == (8000, 5000, 3000, "n1")
    assert (cpu.unusable, cpu.counterpart) == (2000, "memory")
    assert (memory.free, memory.unusable, memory.counterpart) == (10 << 30, 0, "")
    assert cpu.per_unit == (6 << 30) / 3000


def test_without_pods_nothing_is_unusable() -> None:
    (cpu, memory) = rooms(cluster([node("n1", cpu="4", memory="8Gi")]))
    assert (cpu.unusable, memory.unusable, cpu.per_unit) == (0, 0, None)


def test_a_node_without_a_slot_leaves_nothing_usable() -> None:
    full = cluster([node("n1", cpu="4", memory="8Gi", pods=1)], [pod("a", node="n1", cpu="1", memory="1Gi")])
    assert [(room.unusable == room.free, room.counterpart) for room in rooms(full)] == [(True, "pods")] * 2


def test_cordoned_ailing_and_overcommitted_nodes_have_nothing_free() -> None:
    lost = node("n3", cpu="4", taints=["node.kubernetes.io/unreachable:NoSchedule"])
    nodes = [node("n1", cpu="4", cordoned=True), node("n2", cpu="1"), lost]
    found = by_resource(*rooms(cluster(nodes, [pod("a", node="n2", cpu="2")])))
    assert sum(room.free for room in found.values() if room.resource == "cpu") == 0


def test_a_room_for_each_pool() -> None:
    nodes = [node("n1", labels={"agentpool": "a"}), node("n2", labels={"agentpool": "b"})]
    assert [room.pool for room in rooms(cluster(nodes)) if room.resource == "cpu"] == ["a", "b"]
