"""Faults put into clusters on purpose, each with what somebody who knows the cluster would say first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kexplain.diagnosis.records import Kind
from kexplain.objects.core import Pod, PodResourceClaim
from kexplain.objects.meta import ObjectMeta
from kexplain.objects.node_pools import comes_along
from kexplain.objects.resource import ResourceClaimTemplate
from kexplain.objects.scheduling import RuntimeClass, Scheduling
from tests.factories import (
    HOSTNAME,
    ZONE,
    affinity,
    container,
    controlled_by,
    in_,
    node_affinity,
    node_term,
    pod,
    selector,
    spread,
    term,
    toleration,
)
from tests.storage_factories import DRIVER, attachment, claim, csi_node, persistent_volume, storage_class, uses

from .worlds import GPU, TAINTS, World, tolerating


class Fault(Struct, frozen=True):
    """The pod that is pending, what that is called, the nodes it is mostly about (None: any), and words it has."""

    asking: Pod
    kind: Kind
    nodes: Sequence[str] | None = None
    words: tuple[str, ...] = ()


FAULTS: dict[str, Callable[[World], Fault]] = {}


def fault(make: Callable[[World], Fault]) -> Callable[[World], Fault]:
    FAULTS[make.__name__] = make
    return make


def web(**more: Any) -> Pod:
    """A replica that waits."""
    more.setdefault("owner", controlled_by("ReplicaSet", "web"))
    return pod("web-new", **{"cpu": "500m", "labels": {"app": "web"}, **more})


# ------------------------------------------------------------------------------------------------ out of service


@fault
def disk_pressure(w: World) -> Fault:
    names = w.pool("general")
    w.lose(names, "disk-pressure", "DiskPressure", "True")
    return Fault(web(), Kind.POOL_OUT_OF_SERVICE, names, ("under disk pressure",))


@fault
def the_only_node_of_a_pool_is_lost(w: World) -> Fault:
    w.noise()
    name = w.add("memory", w.zones[0])
    w.lose([name])
    return Fault(web(node_selector={"workload": "memory"}), Kind.POOL_OUT_OF_SERVICE, [name], ("unreachable",))


@fault
def a_network_that_is_not_installed(w: World) -> Fault:
    names = w.pool("general")
    w.lose(names, "not-ready", "Ready", "False", "cni plugin not initialized")
    return Fault(web(), Kind.POOL_OUT_OF_SERVICE, names, ("not ready", "cni plugin not initialized"))


@fault
def not_ready_behind_a_cordon(w: World) -> Fault:
    names = w.pool("general")
    w.lose(names, "not-ready", "Ready", "False")
    w.cordon(names)
    return Fault(web(), Kind.POOL_OUT_OF_SERVICE, names, ("not ready",))


@fault
def startup_taints_stay(w: World) -> Fault:
    names = w.pool("general")
    w.taint(names, "node.cilium.io/agent-not-ready:NoExecute")
    return Fault(web(), Kind.POOL_OUT_OF_SERVICE, names)


@fault
def most_of_the_pool_is_lost(w: World) -> Fault:
    names = w.pool("general")
    w.lose(names[2:], "not-ready", "Ready", "False")
    w.fill(names[:2])
    return Fault(web(), Kind.POOL_PARTLY_OUT_OF_SERVICE, names, ("not ready",))


@fault
def new_nodes_of_a_full_pool_are_not_initialized(w: World) -> Fault:
    names = w.pool("general")
    w.fill(names)
    w.taint([w.add("general", w.zones[0])], "node.cloudprovider.kubernetes.io/uninitialized=true:NoSchedule")
    return Fault(web(), Kind.POOL_PARTLY_OUT_OF_SERVICE, names, ("not initialized yet", "uninitialized"))


# ------------------------------------------------------------------------------------------------ room


@fault
def a_volume_is_made_for_a_node_that_is_gone(w: World) -> Fault:
    w.objects += [storage_class("wait"), claim(bound=False, selected_node="n-gone")]
    return Fault(web(volumes=uses("data")), Kind.VOLUME_OUT_OF_REACH, None, ("n-gone, which does not exist",))


@fault
def less_important_pods_have_room_that_is_not_taken(w: World) -> Fault:
    names = w.pool("general")
    w.fill(names, priority=1)
    return Fault(
        web(priority=5, preemption_policy="Never"), Kind.NO_ROOM, names, ("less important", "preemptionPolicy Never")
    )


@fault
def cpu_is_used_up(w: World) -> Fault:
    w.noise()
    w.fill(w.pool("general"))
    return Fault(web(), Kind.NO_ROOM, w.pool("general"))


@fault
def a_reserved_pool_is_full(w: World) -> Fault:
    w.noise()
    w.fill(w.pool("gpu"), tolerations=tolerating("gpu"))
    asking = web(node_selector={"workload": "gpu"}, tolerations=tolerating("gpu"))
    return Fault(asking, Kind.NO_ROOM, w.pool("gpu"))


@fault
def ephemeral_storage_is_used_up(w: World) -> Fault:
    w.noise()
    for name in w.nodes:
        w.offer([name], {"ephemeral-storage": "100Gi"})
    for name in w.pool("general"):
        w.run("cache", name, 100, further={"ephemeral-storage": "90Gi"})
    asking = web(further={"ephemeral-storage": "20Gi"})
    return Fault(asking, Kind.NO_ROOM, w.pool("general"), ("no room for its ephemeral storage",))


@fault
def larger_than_any_node(w: World) -> Fault:
    w.noise()
    return Fault(web(memory="40Gi"), Kind.TOO_BIG, w.pool("general"), ("40Gi", "30Gi"))


@fault
def larger_than_a_node_beside_its_daemons(w: World) -> Fault:
    w.noise()
    return Fault(web(cpu="7900m"), Kind.TOO_BIG, w.pool("general"), ("DaemonSets",))


@fault
def only_large_nodes_would_do_and_they_are_full(w: World) -> Fault:
    w.noise()
    names = [w.add("memory", zone) for zone in w.zones]
    w.fill(names, 300)
    return Fault(web(memory="40Gi"), Kind.NO_ROOM, names)


@fault
def outranked(w: World) -> Fault:
    for name in w.pool("general"):
        w.fill([name], priority=1000)
    return Fault(web(priority=0), Kind.OUTRANKED, w.pool("general"), ("more important",))


@fault
def a_daemon_finds_its_node_full(w: World) -> Fault:
    w.noise()
    name = w.pool("general")[0]
    w.fill([name], 100)
    pin = node_affinity(node_term(fields=[in_("metadata.name", name)]))
    asking = pod("agent-x", cpu="200m", owner=controlled_by("DaemonSet", "agent"), affinity=affinity(node=pin))
    return Fault(asking, Kind.NO_ROOM, [name], (name,))


# ------------------------------------------------------------------------------------------------ wishes


@fault
def no_such_operating_system(w: World) -> Fault:
    w.noise()
    return Fault(web(node_selector={"kubernetes.io/os": "windows"}), Kind.SELECTOR_UNSATISFIED, w.pool("general"))


@fault
def the_pool_has_no_nodes(w: World) -> Fault:
    w.noise()
    key = w.pool_label or "workload"
    return Fault(web(node_selector={key: "batch"}), Kind.SELECTOR_UNSATISFIED, None, ("batch",))


@fault
def the_pool_was_renamed(w: World) -> Fault:
    w.noise()
    w.label(w.pool("general"), {"workload": "general-v2"})
    return Fault(web(node_selector={"workload": "general"}), Kind.SELECTOR_UNSATISFIED, w.pool("general"))


@fault
def the_type_of_gpu_is_wrong(w: World) -> Fault:
    w.noise()
    w.label(w.pool("gpu"), {"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB"})
    asking = web(
        node_selector={"nvidia.com/gpu.product": "NVIDIA-A100"}, further={GPU: "1"}, tolerations=tolerating("gpu")
    )
    return Fault(asking, Kind.SELECTOR_UNSATISFIED, w.pool("gpu"), ("NVIDIA-A100",))


@fault
def huge_pages_that_nobody_has(w: World) -> Fault:
    w.noise()
    return Fault(web(further={"hugepages-2Mi": "64Mi"}), Kind.RESOURCE_UNKNOWN, w.pool("general"), ("huge pages",))


@fault
def the_gpu_is_called_otherwise(w: World) -> Fault:
    w.noise()
    return Fault(web(further={"amd.com/gpu": "1"}), Kind.RESOURCE_UNKNOWN, None, ("amd.com/gpu", "nvidia.com/gpu"))


@fault
def a_gpu_where_there_are_none(w: World) -> Fault:
    w.noise()
    asking = web(further={GPU: "1"}, node_selector={"workload": "general"})
    return Fault(asking, Kind.WISHES_CONTRADICT, None, ("general", GPU))


@fault
def a_label_is_lost_on_half_the_pool(w: World) -> Fault:
    names = w.pool("general")
    w.label(names, {"disk": "ssd"})
    ssd = {"disk": "ssd"}
    for name in names:
        w.run("web", name, 100, node_selector=ssd)
    w.label(names[1:], {"disk": None})
    w.fill(names[:1])
    return Fault(web(node_selector=ssd), Kind.LABEL_LOST, names, ("disk=ssd",))


@fault
def a_label_that_rules_nodes_out_came_later(w: World) -> Fault:
    w.noise()
    names, apart = w.pool("general"), affinity(node=node_affinity(node_term(in_("isolated", operator="DoesNotExist"))))
    for name in names[:2]:
        w.run("web", name, 100, affinity=apart)
    w.label(names, {"isolated": "true"})
    return Fault(web(affinity=apart), Kind.LABEL_LOST, names[:2], ("gained the label isolated",))


@fault
def pods_hold_what_no_node_reports(w: World) -> Fault:
    w.noise()
    fuse = {"example.com/fuse": "1"}
    names = w.pool("general")[:2]
    for name in names:
        w.run("web", name, 100, further=fuse)
    return Fault(web(further=fuse), Kind.DEVICE_PLUGIN_DOWN, names, ("device plugin of example.com/fuse",))


@fault
def a_slice_of_a_gpu_that_nobody_has(w: World) -> Fault:
    w.noise()
    w.offer(w.pool("gpu"), {"nvidia.com/mig-1g.10gb": "7"})
    asking = web(further={"nvidia.com/mig-3g.20gb": "1"})
    return Fault(asking, Kind.RESOURCE_UNKNOWN, None, ("nvidia.com/mig-3g.20gb", "nvidia.com/mig-1g.10gb"))


@fault
def the_gpus_are_cut_into_slices(w: World) -> Fault:
    w.noise()
    w.run("inference", w.pool("gpu")[0], 100, tolerations=tolerating("gpu"), further={GPU: "1"})
    w.offer(w.pool("gpu"), {GPU: "0", "nvidia.com/mig-3g.20gb": "4"}, {GPU: "0"})
    return Fault(web(further={GPU: "1"}), Kind.RESOURCE_UNKNOWN, None, (f"no node offers {GPU}", "mig-3g.20gb"))


@fault
def the_gpus_are_scattered(w: World) -> Fault:
    w.noise()
    for name in w.pool("gpu"):
        w.run("inference", name, 100, tolerations=tolerating("gpu"), further={GPU: "1"})
    asking = web(further={GPU: "2"}, tolerations=tolerating("gpu"))
    return Fault(asking, Kind.NO_ROOM, w.pool("gpu"), (f"has 2 {GPU} free",))


@fault
def pods_without_a_gpu_fill_the_nodes_that_have_them(w: World) -> Fault:
    w.noise()
    w.fill(w.pool("gpu"), tolerations=tolerating("gpu"))
    train = controlled_by("ReplicaSet", "train")
    asking = web(cpu="4", further={GPU: "1"}, tolerations=tolerating("gpu"), owner=train)
    return Fault(asking, Kind.NO_ROOM, w.pool("gpu"), (f"{GPU} is free there", "pods that ask for none"))


@fault
def its_volumes_are_in_different_zones(w: World) -> Fault:
    w.noise()
    for number, zone in enumerate(w.zones[:2]):
        w.objects.append(claim(f"data-{number}", volume=f"pv-{number}"))
        w.objects.append(persistent_volume(f"pv-{number}", reach=[node_term(in_(ZONE, zone))]))
    asking = web(volumes=[*uses("data-0"), *uses("data-1")])
    words = [f"that of claim default/data-{number} in zone" for number in range(2)]
    return Fault(asking, Kind.VOLUME_OUT_OF_REACH, None, ("in different places", *words))


@fault
def the_zone_is_asked_for_by_its_old_label(w: World) -> Fault:
    w.noise()
    asking = web(node_selector={"failure-domain.beta.kubernetes.io/zone": w.zones[0]})
    return Fault(asking, Kind.SELECTOR_UNSATISFIED, None, (f"did you mean {ZONE}?",))


@fault
def a_runtime_class_asks_for_nodes_that_nobody_labelled(w: World) -> Fault:
    w.noise()
    where = Scheduling(node_selector={"runtime": "gvisor"})
    w.objects.append(RuntimeClass(metadata=ObjectMeta(name="gvisor"), handler="runsc", scheduling=where))
    asking = web(node_selector={"runtime": "gvisor"})
    asking = replace(asking, spec=replace(asking.spec, runtime_class_name="gvisor"))
    return Fault(asking, Kind.SELECTOR_UNSATISFIED, None, ("which RuntimeClass gvisor adds to each pod",))


@fault
def a_label_that_pods_of_others_ask_for_is_lost(w: World) -> Fault:
    w.noise()
    names = w.pool("general")[:3]
    for number, name in enumerate(names):
        w.run(f"vm{number}", name, 100, node_selector={"machines": "yes"})
    asking = web(node_selector={"machines": "yes"})
    return Fault(asking, Kind.LABEL_LOST, names, ("lost the label machines=yes", "3 pods still run without it"))


@fault
def an_init_container_is_too_large(w: World) -> Fault:
    w.noise()
    asking = web(init=[container("24", name="migrate")])
    return Fault(asking, Kind.TOO_BIG, w.pool("general"), ("init container migrate asks for 24 cpu, more than",))


@fault
def kubelets_that_keep_more_back(w: World) -> Fault:
    names = w.pool("general")
    for name in names[:2]:
        w.run("web", name, 7000)
    w.offer(names, {"cpu": "6500m"}, {"cpu": "8"})
    return Fault(web(cpu="7"), Kind.TOO_BIG, names, ("2 replicas that ask for as much run there",))


@fault
def room_that_is_made_already(w: World) -> Fault:
    names = w.pool("general")
    w.run("report", names[0], 5000, deleting=True)
    w.fill(names)
    return Fault(web(nominated=names[0]), Kind.NO_ROOM, names, (f"room is kept for it on {names[0]} once",))


@fault
def pods_that_do_not_end(w: World) -> Fault:
    names = w.pool("general")
    w.run("report", names[0], 5000, deleting=True)
    w.fill(names)
    return Fault(web(), Kind.NO_ROOM, names, ("1 pod there is being deleted",))


@fault
def the_toleration_has_another_key(w: World) -> Fault:
    w.noise()
    asking = web(node_selector={"workload": "gpu"}, tolerations=[toleration(f"{GPU}s", "present")])
    return Fault(asking, Kind.RESERVATION_NOT_TOLERATED, w.pool("gpu"), (f"did you mean {GPU}?",))


@fault
def the_template_of_its_claim_has_another_name(w: World) -> Fault:
    w.objects.append(ResourceClaimTemplate(metadata=ObjectMeta(name="train-gpu", namespace="default")))
    claims = (PodResourceClaim(name="gpu", resource_claim_template_name="train"),)
    asking = replace(web(), spec=replace(web().spec, resource_claims=claims))
    return Fault(asking, Kind.GATED, None, ("no ResourceClaimTemplate default/train", "did you mean train-gpu?"))


@fault
def a_zone_without_nodes_of_the_pool(w: World) -> Fault:
    w.noise()
    gone = w.in_zone("general", w.zones[1])
    for name in gone:
        w.label([name], {ZONE: w.zones[0]})
    w.label(w.pool("gpu")[:1], {ZONE: w.zones[1]})
    asking = web(node_selector={ZONE: w.zones[1]})
    return Fault(asking, Kind.SELECTOR_UNSATISFIED, None, (w.zones[1],))


@fault
def an_affinity_that_leaves_only_what_is_kept_for_others(w: World) -> Fault:
    rest = tuple(name for name in w.nodes if w.pool_of[name] not in TAINTS)
    avoiding = node_affinity(node_term(in_(HOSTNAME, *rest, operator="NotIn")))
    return Fault(web(affinity=affinity(node=avoiding)), Kind.SELECTOR_UNSATISFIED, rest, ("excludes",))


@fault
def the_node_it_names_is_gone(w: World) -> Fault:
    w.noise()
    pin = node_affinity(node_term(fields=[in_("metadata.name", "general-77")]))
    return Fault(web(affinity=affinity(node=pin)), Kind.NODE_MISSING, None, ("general-77",))


@fault
def the_hostname_it_asks_for_is_gone(w: World) -> Fault:
    w.noise()
    asking = web(node_selector={HOSTNAME: "general-77"})
    return Fault(asking, Kind.NODE_MISSING, w.pool("general"), ("general-77",))


# ------------------------------------------------------------------------------------------------ taints


@fault
def every_node_has_one_taint(w: World) -> Fault:
    for name in list(w.nodes):
        if w.pool_of[name] != "general":
            del w.nodes[name]
    w.pods = [each for each in w.pods if each.spec.node_name in w.nodes]
    w.taint(w.nodes, "company=acme:NoSchedule")
    team = [toleration("company", "acme", effect="NoSchedule")]
    for name in w.pool("general"):
        w.run("other", name, 100, tolerations=team)
    return Fault(web(owner=None), Kind.RESERVATION_NOT_TOLERATED, w.pool("general"), ("company=acme",))


@fault
def the_toleration_has_another_value(w: World) -> Fault:
    w.noise()
    asking = web(further={GPU: "1"}, tolerations=[toleration(GPU, "true", effect="NoSchedule")])
    return Fault(asking, Kind.RESERVATION_NOT_TOLERATED, w.pool("gpu"), (GPU,))


@fault
def a_taint_on_part_of_the_pool_and_the_rest_full(w: World) -> Fault:
    names = w.pool("general")
    w.taint(names[:2], "maintenance=true:NoSchedule")
    w.fill(names[2:])
    return Fault(web(), Kind.NO_ROOM, names)


@fault
def a_taint_that_evicts_came(w: World) -> Fault:
    names = w.pool("general")
    w.taint(names, "upgrade=now:NoExecute")
    w.pods = [each for each in w.pods if each.spec.node_name not in names or comes_along(each)]
    kinds = Kind.TAINT_ADDED
    return Fault(web(), kinds, names, ("upgrade=now",))


@fault
def the_new_template_lost_its_toleration(w: World) -> Fault:
    w.noise()
    name = w.pool("gpu")[0]
    w.run("web", name, 100, tolerations=tolerating("gpu"), node_selector={"workload": "gpu"})
    asking = web(node_selector={"workload": "gpu"})
    return Fault(asking, Kind.RESERVATION_NOT_TOLERATED, w.pool("gpu"), (GPU,))


@fault
def only_a_control_plane(w: World) -> Fault:
    name = w.pool("general")[0]
    w.nodes = {name: w.nodes[name]}
    w.label([name], {"node-role.kubernetes.io/control-plane": ""})
    w.taint([name], "node-role.kubernetes.io/control-plane:NoSchedule")
    w.pods = [each for each in w.pods if each.spec.node_name == name]
    return Fault(web(), Kind.RESERVATION_NOT_TOLERATED, [name], ("control-plane",))


# ------------------------------------------------------------------------------------------------ neighbours


@fault
def spread_over_a_label_that_no_node_has(w: World) -> Fault:
    w.noise()
    asking = web(spread=[spread("topology.kubernetes.io/rack", {"app": "web"})])
    return Fault(asking, Kind.SPREAD_UNSATISFIED, None, ("topology.kubernetes.io/rack",))


def one_a_zone(w: World) -> None:
    for zone in w.zones[:2]:
        w.run("spread", w.in_zone("general", zone)[0], 100)


@fault
def the_zone_that_is_due_is_full(w: World) -> Fault:
    one_a_zone(w)
    here = w.in_zone("general", w.zones[2])
    w.fill(here)
    asking = web(labels={"app": "spread"}, spread=[spread(ZONE, {"app": "spread"})])
    return Fault(asking, Kind.ZONE_FULL, here, (w.zones[2],))


@fault
def the_zone_that_is_due_is_lost(w: World) -> Fault:
    one_a_zone(w)
    w.lose(w.in_zone("general", w.zones[2]))
    asking = web(labels={"app": "spread"}, spread=[spread(ZONE, {"app": "spread"})])
    return Fault(asking, Kind.ZONE_OUT_OF_SERVICE, w.pool("general"), (w.zones[2], "unreachable"))


@fault
def spread_over_nodes_of_which_one_is_lost(w: World) -> Fault:
    names = w.pool("general")
    own = {"app": "spread"}
    for name in names[1:]:
        w.run("spread", name, 100)
    for pool in TAINTS:
        for name in w.pool(pool):
            w.run("spread", name, 100, tolerations=tolerating(pool))
    w.lose(names[:1])
    asking = web(labels=own, spread=[spread(HOSTNAME, own)])
    return Fault(asking, Kind.ZONE_OUT_OF_SERVICE, names, (names[0], "unreachable"))


@fault
def spread_over_nodes_that_are_for_others(w: World) -> Fault:
    own = {"app": "spread"}
    for name in w.pool("general"):
        w.run("spread", name, 100)
    asking = web(labels=own, spread=[spread(HOSTNAME, own)])
    return Fault(asking, Kind.SPREAD_UNSATISFIED, w.pool("general"), ("fewest",))


@fault
def others_keep_it_away(w: World) -> Fault:
    names = w.pool("general")
    for name in names:
        w.run("lonely", name, 100, affinity=affinity(far=[term({"app": "web"})]))
    return Fault(web(), Kind.ANTI_AFFINITY, names, ("lonely",))


@fault
def one_replica_a_zone(w: World) -> Fault:
    apart = affinity(far=[term({"app": "web"}, ZONE)])
    for zone in w.zones:
        w.run("web", w.in_zone("general", zone)[0], 100, affinity=apart)
    return Fault(web(affinity=apart), Kind.ANTI_AFFINITY, w.pool("general"), ("zone",))


@fault
def one_replica_a_node_and_some_nodes_are_full(w: World) -> Fault:
    names, apart = w.pool("general"), affinity(far=[term({"app": "web"}, HOSTNAME)])
    for name in names[2:]:
        w.run("web", name, 100, affinity=apart)
    w.fill(names[:2])
    return Fault(web(affinity=apart), Kind.NO_ROOM, names)


@fault
def near_pods_that_do_not_exist(w: World) -> Fault:
    w.noise()
    asking = web(affinity=affinity(near=[term({"app": "redis"}, ZONE)]))
    return Fault(asking, Kind.AFFINITY_UNSATISFIED, w.pool("general"), ("redis",))


@fault
def near_pods_on_nodes_for_others(w: World) -> Fault:
    w.noise()
    w.run("redis", w.pool("gpu")[0], 100, tolerations=tolerating("gpu"))
    asking = web(affinity=affinity(near=[term({"app": "redis"}, HOSTNAME)]))
    return Fault(asking, Kind.AFFINITY_UNSATISFIED, w.pool("gpu")[:1], ("redis", f"taint {GPU}=present"))


@fault
def host_port_taken(w: World) -> Fault:
    for name in w.pool("general"):
        w.run("proxy-2", name, 100, ports=["8443"])
    words = ("8443", "by deployment default/proxy-2")
    return Fault(web(ports=["8443"]), Kind.HOST_PORT_TAKEN, w.pool("general"), words)


# ------------------------------------------------------------------------------------------------ storage


def bind(w: World, key: str, value: str) -> None:
    """The claim `data` is bound to a volume that can be reached from there."""
    volume = persistent_volume("pv-1", reach=[node_term(in_(key, value))], reserved="data")
    w.objects += [claim(volume="pv-1"), volume]


@fault
def a_volume_in_a_zone_without_nodes(w: World) -> Fault:
    w.noise()
    bind(w, ZONE, "zone-z")
    return Fault(web(volumes=uses("data")), Kind.VOLUME_OUT_OF_REACH, w.pool("general"), ("zone-z",))


@fault
def a_volume_in_a_full_zone(w: World) -> Fault:
    here = w.in_zone("general", w.zones[1])
    w.fill(here)
    bind(w, ZONE, w.zones[1])
    return Fault(web(volumes=uses("data")), Kind.ZONE_FULL, here)


@fault
def replicas_that_share_a_local_volume(w: World) -> Fault:
    name, apart = w.pool("general")[0], affinity(far=[term({"app": "web"})])
    bind(w, HOSTNAME, name)
    w.run("web", name, 100, affinity=apart, volumes=uses("data"))
    asking = web(affinity=apart, volumes=uses("data"))
    return Fault(asking, Kind.ANTI_AFFINITY, [name], ("runs a replica already", "only there can its volume"))


@fault
def pods_of_the_new_template_ask_for_too_much(w: World) -> Fault:
    w.run("web", w.pool("general")[0], 200)
    return Fault(web(cpu="100"), Kind.REQUEST_SLIP, w.pool("general"))


@fault
def volume_limits(w: World) -> Fault:
    for name in w.pool("general"):
        w.drivers[name] = csi_node(name, {DRIVER: 2})
        w.objects += [attachment(f"{name}-{number}", f"other-{name}-{number}", name) for number in range(2)]
        for number in range(2):
            key = f"{name}-{number}"
            w.objects += [claim(key, volume=f"other-{key}"), persistent_volume(f"other-{key}", reserved=key)]
            w.run(f"holder-{number}", name, 100, volumes=uses(key))
    w.objects += [claim(volume="pv-1"), persistent_volume("pv-1", reserved="data")]
    return Fault(web(volumes=uses("data")), Kind.VOLUME_LIMIT, w.pool("general"))


@fault
def a_claim_that_is_used(w: World) -> Fault:
    w.noise()
    only = claim(volume="pv-1", modes=["ReadWriteOncePod"])
    w.objects += [only, persistent_volume("pv-1", modes=["ReadWriteOncePod"], reserved="data")]
    w.run("first", w.pool("general")[0], 100, volumes=uses("data"))
    return Fault(web(volumes=uses("data")), Kind.CLAIM_IN_USE, None, ("data", "first"))


@fault
def a_claim_that_waits_for_nobody(w: World) -> Fault:
    w.noise()
    w.objects += [storage_class("now", mode="Immediate"), claim(storage_class="now")]
    return Fault(web(volumes=uses("data")), Kind.CLAIM_UNBOUND, None, ("data",))


@fault
def volumes_that_are_too_small(w: World) -> Fault:
    w.noise()
    w.objects += [storage_class("local", "kubernetes.io/no-provisioner"), claim(storage_class="local", size="150Gi")]
    w.objects += [persistent_volume("pv-1", storage_class="local", size="100Gi")]
    return Fault(web(volumes=uses("data")), Kind.NO_VOLUME_FITS, w.pool("general"), ("150Gi", "100Gi"))


@fault
def a_volume_by_hand_is_too_small(w: World) -> Fault:
    w.noise()
    w.objects += [claim(storage_class="manual", size="20Gi"), persistent_volume(storage_class="manual", size="5Gi")]
    return Fault(web(volumes=uses("data")), Kind.NO_VOLUME_FITS, None, ("20Gi", "only 5Gi"))


@fault
def a_volume_by_hand_is_for_one_node(w: World) -> Fault:
    w.noise()
    w.objects += [claim(storage_class="", modes=["ReadWriteMany"]), persistent_volume(storage_class="")]
    return Fault(web(volumes=uses("data")), Kind.NO_VOLUME_FITS, None, ("ReadWriteMany", "only ReadWriteOnce"))


@fault
def a_volume_by_hand_is_not_freed(w: World) -> Fault:
    w.noise()
    released = persistent_volume(storage_class="manual", reserved="data", reserved_uid="older", phase="Released")
    w.objects += [claim(storage_class="manual"), released]
    return Fault(web(volumes=uses("data")), Kind.NO_VOLUME_FITS, None, ("Released", "claimRef"))


@fault
def a_local_volume_on_a_lost_node(w: World) -> Fault:
    name = w.pool("general")[1]
    w.lose([name])
    bind(w, HOSTNAME, name)
    kinds = Kind.ZONE_OUT_OF_SERVICE
    return Fault(web(volumes=uses("data")), kinds, [name], (name, "unreachable"))


@fault
def away_from_whoever_has_a_label(w: World) -> Fault:
    names = w.pool("general")
    for number, name in enumerate(names):
        w.run(f"service-{number}", name, 100)
    far = [term({"app": "web"}), term(selector(None, ("app", "Exists", ())))]
    return Fault(web(affinity=affinity(far=far)), Kind.ANTI_AFFINITY, names, ("a pod with a label app",))


# ------------------------------------------------------------------------------------------------ devices


@fault
def devices_of_one_node_are_broken(w: World) -> Fault:
    names = w.pool("gpu")
    w.offer(names[:1], {GPU: "0"}, {GPU: "2"})
    for name in names[1:]:
        w.run("train", name, 100, further={GPU: "2"}, tolerations=tolerating("gpu"))
    return Fault(web(further={GPU: "1"}, tolerations=tolerating("gpu")), Kind.DEVICE_PLUGIN_DOWN, names)


@fault
def gpus_are_shared_under_another_name(w: World) -> Fault:
    names = w.pool("gpu")
    w.offer(names, {GPU: "0", f"{GPU}.shared": "8"})
    w.run("inference", names[0], 100, further={GPU: "1"}, tolerations=tolerating("gpu"))
    asking = web(further={GPU: "1"}, tolerations=tolerating("gpu"), node_selector={"workload": "gpu"})
    return Fault(asking, Kind.RESOURCE_UNKNOWN, None, (f"did you mean {GPU}.shared?",))


@fault
def a_pod_from_before_the_taint_of_the_gpu_nodes(w: World) -> Fault:
    w.pods = [each for each in w.pods if each.labels.get("app") != "gpu-job"]
    w.run("old", w.pool("gpu")[0], 100, further={GPU: "1"})
    w.fill(w.pool("general"))
    return Fault(web(), Kind.NO_ROOM, w.pool("general"))


@fault
def a_kubelet_takes_no_pods(w: World) -> Fault:
    (name, *_) = w.pool("general")
    w.label([name], {"disk": "nvme"})
    w.offer([name], {"pods": "0"})
    return Fault(web(node_selector={"disk": "nvme"}), Kind.NO_POD_SLOT, [name], ("takes none at all",))


@fault
def new_nodes_wait_for_their_agent(w: World) -> Fault:
    names = w.pool("general")
    w.taint(names[2:], "node.cilium.io/agent-not-ready:NoSchedule")
    w.fill(names[:2])
    return Fault(web(), Kind.POOL_PARTLY_OUT_OF_SERVICE, names, ("taint node.cilium.io/agent-not-ready",))


@fault
def control_planes_have_another_label_now(w: World) -> Fault:
    (name, *_) = w.pool("general")
    w.label([name], {"node-role.kubernetes.io/control-plane": ""})
    asking = web(node_selector={"node-role.kubernetes.io/master": ""})
    return Fault(asking, Kind.SELECTOR_UNSATISFIED, [name], ("did you mean node-role.kubernetes.io/control-plane?",))


@fault
def near_pods_that_have_finished(w: World) -> Fault:
    w.objects.append(pod("warm-1", labels={"app": "warm"}, node=w.pool("general")[0], phase="Succeeded"))
    asking = web(affinity=affinity(near=[term(selector({"app": "warm"}))]))
    return Fault(asking, Kind.AFFINITY_UNSATISFIED, None, ("which have finished: default/warm-1",))


@fault
def near_pods_that_wait_as_well(w: World) -> Fault:
    w.objects.append(pod("db-1", labels={"app": "db"}))
    asking = web(affinity=affinity(near=[term(selector({"app": "db"}))]))
    return Fault(asking, Kind.AFFINITY_UNSATISFIED, None, ("which are pending, too: default/db-1",))


@fault
def near_pods_of_namespaces_that_no_selector_finds(w: World) -> Fault:
    w.run("queue", w.pool("general")[0], 100, namespace="data")
    near = term(selector({"app": "queue"}), namespace_selector=selector({"team": "platform"}))
    words = ("no namespace has these labels; data has some",)
    return Fault(web(affinity=affinity(near=[near])), Kind.AFFINITY_UNSATISFIED, None, words)


# ------------------------------------------------------------------------------------------------ two at once


@fault
def misspelt_and_full(w: World) -> Fault:
    w.fill(w.pool("general"))
    asking = web(node_selector={"workload": "genral"})
    return Fault(asking, Kind.SELECTOR_UNSATISFIED, w.pool("general"), ("genral",))


@fault
def claim_missing_and_full(w: World) -> Fault:
    w.fill(w.pool("general"))
    return Fault(web(volumes=uses("data")), Kind.CLAIM_MISSING, None, ("data",))


# ------------------------------------------------------------------------------------------------ other clusters


@fault
def one_node_and_no_room(w: World) -> Fault:
    name = w.pool("general")[0]
    w.nodes = {name: w.nodes[name]}
    w.label([name], {w.pool_label or "pool": None})
    w.pods = [each for each in w.pods if each.spec.node_name == name]
    w.fill([name])
    return Fault(web(), Kind.NO_ROOM, [name], (name,))


@fault
def other_scheduler(w: World) -> Fault:
    return Fault(web(scheduler_name="volcano"), Kind.OTHER_SCHEDULER, None, ("volcano",))


@fault
def gated(w: World) -> Fault:
    return Fault(web(gates=["kueue.x-k8s.io/admission"]), Kind.GATED, None, ("kueue.x-k8s.io/admission",))


@fault
def overhead_makes_it_too_big(w: World) -> Fault:
    asking = web(cpu="7", overhead={"cpu": "2"})
    asking = replace(asking, spec=replace(asking.spec, runtime_class_name="kata"))
    return Fault(asking, Kind.TOO_BIG, w.pool("general"), ("9 cpu with the overhead of RuntimeClass kata",))


@fault
def near_by_the_old_label_of_zones(w: World) -> Fault:
    near = affinity(near=[term(selector({"app": "web"}), "failure-domain.beta.kubernetes.io/zone")])
    w.run("web", w.pool("general")[0], 100)
    return Fault(web(affinity=near), Kind.AFFINITY_UNSATISFIED, words=(f"did you mean {ZONE}?",))


@fault
def huge_pages_that_no_node_has(w: World) -> Fault:
    w.offer(w.nodes, {"hugepages-2Mi": "0", "hugepages-1Gi": "0"})
    asking = web(further={"hugepages-2Mi": "64Mi"})
    return Fault(asking, Kind.RESOURCE_UNKNOWN, words=("no node offers huge pages of 2Mi",))


@fault
def new_nodes_without_a_label(w: World) -> Fault:
    names = w.pool("general")
    w.label(names, {"disk": "ssd"})
    w.fill(names)
    new = w.add("general", w.zones[0])
    words = ("1 more of the pool lacks disk=ssd",) if w.pool_label else ()
    assert new not in names
    return Fault(web(node_selector={"disk": "ssd"}), Kind.NO_ROOM, names, words)


@fault
def cpu_here_and_memory_there(w: World) -> Fault:
    names = w.pool("general")
    w.fill(names[1:], left=400)
    w.run("cache", names[0], 100, memory="29Gi")
    return Fault(web(cpu="1", memory="4Gi"), Kind.NO_ROOM, names, ("needs 1 cpu and 4Gi memory", " with enough "))


@fault
def another_model_of_gpu(w: World) -> Fault:
    w.label(w.pool("gpu"), {"nvidia.com/gpu.product": "NVIDIA-A10G"})
    asking = web(node_selector={"nvidia.com/gpu.product": "NVIDIA-A100"}, further={GPU: "1"})
    return Fault(asking, Kind.SELECTOR_UNSATISFIED, words=("nodes have nvidia.com/gpu.product=NVIDIA-A10G",))


@fault
def a_neighbour_that_wants_the_zones_for_itself(w: World) -> Fault:
    apart = affinity(far=[term(selector({"app": "web"}), ZONE)])
    for zone in w.zones:
        w.run("trading", w.in_zone("general", zone)[0], 100, affinity=apart)
    words = (
        "deployment default/trading must be away from pods with app=web, such as this one, and has pods on or near",
    )
    return Fault(web(), Kind.ANTI_AFFINITY, w.pool("general"), words)


@fault
def what_is_nominated_takes_the_room(w: World) -> Fault:
    names = w.pool("general")
    w.run("filler", names[0], 7000)
    w.pods.append(pod("first", cpu="600m", nominated=names[0]))
    w.fill(names[1:], left=100)
    said = f"room on {names[0]} is kept for default/first, which is nominated"
    return Fault(web(), Kind.NO_ROOM, names, (said,))
