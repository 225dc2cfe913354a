"""Cluster dumps of any size, as wide as what `kubectl get nodes,pods -A -o json` prints: about 6 KB an object.

Everything that scheduling does not read is there too, since most of the cost of a dump is passing over it.
The same size always gives the same dump.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

Json = dict[str, Any]

SEED = 20
ZONES = ("eu-west-1a", "eu-west-1b", "eu-west-1c")
TEAMS = ("checkout", "search", "billing")
REGISTRY = "602401143452.dkr.ecr.eu-west-1.amazonaws.com"
#: The label that pods of one service share, and that selectors ask for.
APP = "app.kubernetes.io/name"
PODS_PER_SERVICE = 60
IMAGES = 400
IMAGES_PER_NODE = 40
#: Every node offers as much CPU, so that one pod can be too big for all of them.
NODE_CPU = "7910m"
MEMORY_BY_TYPE = {
    "m5.2xlarge": "31482284Ki",
    "c5.2xlarge": "15268320Ki",
    "r5.2xlarge": "63546444Ki",
    "g5.2xlarge": "31482284Ki",
}
TYPE_WEIGHTS = (60, 20, 15, 5)
GPU_TYPE = "g5.2xlarge"
NODE_CRITICAL = 2_000_001_000
CREATED = "2026-10-01T10:00:00Z"


@dataclass(frozen=True, slots=True)
class Size:
    """How many nodes and pods."""

    nodes: int
    pods: int

    @classmethod
    def parse(cls, text: str) -> Size:
        """The size that `NODESxPODS` names. Raises ValueError on anything else."""
        nodes, _, pods = text.partition("x")
        return cls(int(nodes), int(pods))

    def __str__(self) -> str:
        return f"{self.nodes}x{self.pods}"


@dataclass(frozen=True, slots=True)
class Service:
    """What all replicas of a service have in common."""

    name: str
    namespace: str
    image: str
    cpu: str
    memory: str
    priority: int
    has_sidecar: bool
    affinity: Json | None


def cached(size: Size, directory: Path) -> Path:
    """The dump of this size in a directory, written on first use or once this module has changed."""
    return written(directory / f"cluster-{size}-{edition(__file__)}.json", objects(size))


def cached_budgets(size: Size, directory: Path) -> Path:
    """A disruption budget for each service of the dump of this size."""
    return written(
        directory / f"budgets-{size}-{edition(__file__)}.json", map(_budget, services_for(size, repeatable()))
    )


def edition(*modules: str) -> str:
    """Changes whenever one of the modules does that a dump comes from."""
    return hashlib.sha256(b"".join(Path(module).read_bytes() for module in modules)).hexdigest()[:12]


def repeatable() -> random.Random:
    """Draws the same in every run."""
    return random.Random(SEED)  # noqa: S311 (to be repeated, not to be secret)


def written(path: Path, items: Iterator[Json]) -> Path:
    """The file, complete whenever it is there at all; never held in memory as a whole."""
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as file:
        file.write(b'{\n"apiVersion": "v1",\n"kind": "List",\n"items": [')
        for index, each in enumerate(items):
            file.write(b",\n" if index else b"\n")
            file.write(msgspec.json.format(msgspec.json.encode(each), indent=1))
        file.write(b"\n]\n}\n")
    unfinished.replace(path)
    return path


def objects(size: Size) -> Iterator[Json]:
    draw = repeatable()
    services = services_for(size, draw)
    names = [host_name(number) for number in range(size.nodes)]
    for number, name in enumerate(names):
        yield node(number, name, draw)
    for number in range(size.pods):
        # Dealt out in rounds: no node stays empty. The first round is a DaemonSet.
        if number % size.nodes == 0 and number:
            draw.shuffle(names)
        is_agent = number < size.nodes
        yield pod(number, AGENT if is_agent else draw.choice(services), names[number % size.nodes], draw)


# -------------------------------------------------------------------------------------------------------- nodes


def host_name(number: int) -> str:
    """The name of a node."""
    return f"ip-10-{number >> 16}-{number >> 8 & 255}-{number & 255}.eu-west-1.compute.internal"


def node(number: int, name: str, draw: random.Random) -> Json:
    """A node, with as many labels, images and conditions as nodes have."""
    instance_type = draw.choices(tuple(MEMORY_BY_TYPE), TYPE_WEIGHTS)[0]
    zone = draw.choice(ZONES)
    taints = _taints(instance_type, draw)
    spec: Json = {"providerID": f"aws:///{zone}/i-{number:017x}"}
    if taints:
        spec["taints"] = taints
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": _node_metadata(number, name, instance_type, zone, draw),
        "spec": spec,
        "status": _node_status(number, name, instance_type, draw),
    }


def _taints(instance_type: str, draw: random.Random) -> list[Json]:
    taints: list[Json] = []
    if instance_type == GPU_TYPE:
        taints.append({"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"})
    if draw.random() < 0.02:
        taints.append({"key": "node.kubernetes.io/unreachable", "effect": "NoSchedule", "timeAdded": CREATED})
    return taints


def _node_metadata(number: int, name: str, instance_type: str, zone: str, draw: random.Random) -> Json:
    """With the labels that nodes carry under their old names and their new ones."""
    return {
        "annotations": {
            "csi.volume.kubernetes.io/nodeid": f'{{"ebs.csi.aws.com":"i-{number:017x}"}}',
            "node.alpha.kubernetes.io/ttl": "0",
            "volumes.kubernetes.io/controller-managed-attach-detach": "true",
        },
        "creationTimestamp": CREATED,
        "labels": {
            "beta.kubernetes.io/arch": "amd64",
            "beta.kubernetes.io/instance-type": instance_type,
            "beta.kubernetes.io/os": "linux",
            "eks.amazonaws.com/nodegroup": f"workers-{instance_type}",
            "failure-domain.beta.kubernetes.io/region": "eu-west-1",
            "failure-domain.beta.kubernetes.io/zone": zone,
            "kubernetes.io/arch": "amd64",
            "kubernetes.io/hostname": name,
            "kubernetes.io/os": "linux",
            "node.kubernetes.io/instance-type": instance_type,
            "team": draw.choice(TEAMS),
            "topology.kubernetes.io/region": "eu-west-1",
            "topology.kubernetes.io/zone": zone,
        },
        "name": name,
        "resourceVersion": str(1_000_000 + number),
        "uid": uid("node", number),
    }


def _node_status(number: int, name: str, instance_type: str, draw: random.Random) -> Json:
    resources = {
        "cpu": NODE_CPU,
        "ephemeral-storage": "95551679124",
        "hugepages-1Gi": "0",
        "hugepages-2Mi": "0",
        "memory": MEMORY_BY_TYPE[instance_type],
        "pods": "110",
    }
    if instance_type == GPU_TYPE:
        resources["nvidia.com/gpu"] = "1"
    address = f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"
    return {
        "addresses": [
            {"address": address, "type": "InternalIP"},
            {"address": name, "type": "InternalDNS"},
            {"address": name, "type": "Hostname"},
        ],
        "allocatable": resources,
        "capacity": resources | {"cpu": "8"},
        "conditions": [_node_condition(kind) for kind in ("MemoryPressure", "DiskPressure", "PIDPressure", "Ready")],
        "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}},
        "images": [_node_image(image) for image in draw.sample(range(IMAGES), IMAGES_PER_NODE)],
        "nodeInfo": {
            "architecture": "amd64",
            "bootID": uid("boot", number),
            "containerRuntimeVersion": "containerd://1.7.22",
            "kernelVersion": "6.1.112-122.189.amzn2023.x86_64",
            "kubeProxyVersion": "v1.36.1",
            "kubeletVersion": "v1.36.1",
            "machineID": digest("machine", number)[:32],
            "operatingSystem": "linux",
            "osImage": "Amazon Linux 2023.6.20241010",
            "systemUUID": uid("system", number),
        },
    }


def _node_condition(kind: str) -> Json:
    return {
        "lastHeartbeatTime": "2026-11-01T10:00:00Z",
        "lastTransitionTime": CREATED,
        "message": f"kubelet has reported on {kind}",
        "reason": f"Kubelet{kind}",
        "status": "True" if kind == "Ready" else "False",
        "type": kind,
    }


def _image(number: int) -> str:
    return f"{REGISTRY}/team/app-{number}:v{number % 17}.{number % 5}"


def _node_image(number: int) -> Json:
    pinned = f"{REGISTRY}/team/app-{number}@sha256:{digest('image', number)}"
    return {"names": [pinned, _image(number)], "sizeBytes": 10_000_000 + number * 1_234_567}


# --------------------------------------------------------------------------------------------------------- pods


#: The DaemonSet that every node runs.
AGENT = Service(
    "node-agent", "kube-system", _image(0), "100m", "256Mi", NODE_CRITICAL, has_sidecar=False, affinity=None
)


def agent_pod() -> tuple[str, str]:
    """Namespace and name of the first pod of every dump."""
    return AGENT.namespace, _pod_name(AGENT, 0)


def _pod_name(service: Service, number: int) -> str:
    return f"{service.name}-{_revision(service)}-{number:05x}"


def _revision(service: Service) -> str:
    return digest("revision", service.name)[:9]


def service_name(number: int) -> str:
    """The name of a service, which is the value of its pods' label too."""
    return f"service-{number}"


def services_for(size: Size, draw: random.Random) -> list[Service]:
    """The services that the pods of a dump of this size are replicas of."""
    return [_service(number, draw) for number in range(max(size.pods // PODS_PER_SERVICE, 2))]


def _service(number: int, draw: random.Random) -> Service:
    return Service(
        name=service_name(number),
        namespace=f"team-{number % 40}",
        image=_image(draw.randrange(IMAGES)),
        cpu=draw.choice(("100m", "250m", "500m", "1")),
        memory=draw.choice(("128Mi", "256Mi", "512Mi", "1Gi")),
        priority=draw.choice((0, 0, 0, 1000)),
        has_sidecar=draw.random() < 0.2,
        affinity=_affinity(service_name(number), draw),
    )


def _affinity(name: str, draw: random.Random) -> Json | None:
    """On one service in five: away from its like, a node or a zone each, or near one another."""
    chance = draw.random()
    if chance < 0.05:
        return {"podAntiAffinity": _required(_term(name, "kubernetes.io/hostname"))}
    if chance < 0.15:
        return {"podAntiAffinity": _preferred(_term(name, "topology.kubernetes.io/zone"))}
    if chance < 0.2:
        return {"podAffinity": _required(_term(name, "topology.kubernetes.io/zone"))}
    return None


def _term(name: str, topology_key: str) -> Json:
    return {"labelSelector": {"matchLabels": {APP: name}}, "topologyKey": topology_key}


def _required(term: Json) -> Json:
    return {"requiredDuringSchedulingIgnoredDuringExecution": [term]}


def _preferred(term: Json) -> Json:
    return {"preferredDuringSchedulingIgnoredDuringExecution": [{"podAffinityTerm": term, "weight": 100}]}


def pod(number: int, service: Service, node_name: str, draw: random.Random) -> Json:
    """A replica of a service that runs on that node."""
    started = f"2026-10-{1 + draw.randrange(28):02d}T{draw.randrange(24):02d}:{draw.randrange(60):02d}:00Z"
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": _pod_metadata(number, service, started),
        "spec": _pod_spec(service, node_name),
        "status": _pod_status(number, service, started),
    }


def _pod_metadata(number: int, service: Service, started: str) -> Json:
    revision = _revision(service)
    return {
        "annotations": {"checksum/config": digest("config", service.name), "prometheus.io/scrape": "true"},
        "creationTimestamp": started,
        "generateName": f"{service.name}-{revision}-",
        "labels": {
            APP: service.name,
            "app.kubernetes.io/managed-by": "Helm",
            "pod-template-hash": revision,
            "team": service.namespace,
        },
        "name": _pod_name(service, number),
        "namespace": service.namespace,
        "ownerReferences": [
            {
                "apiVersion": "apps/v1",
                "blockOwnerDeletion": True,
                "controller": True,
                "kind": "DaemonSet" if service is AGENT else "ReplicaSet",
                "name": f"{service.name}-{revision}",
                "uid": uid("owner", service.name),
            }
        ],
        "resourceVersion": str(2_000_000 + number),
        "uid": uid("pod", number),
    }


def _containers(service: Service) -> list[Json]:
    main = _container("main", service.image, service.cpu, service.memory)
    return [main, _container("proxy", _image(1), "10m", "40Mi")] if service.has_sidecar else [main]


def _pod_spec(service: Service, node_name: str) -> Json:
    spec: Json = {
        "containers": _containers(service),
        "dnsPolicy": "ClusterFirst",
        "enableServiceLinks": True,
        "nodeName": node_name,
        "preemptionPolicy": "PreemptLowerPriority",
        "priority": service.priority,
        "restartPolicy": "Always",
        "schedulerName": "default-scheduler",
        "securityContext": {"runAsNonRoot": True, "runAsUser": 1000},
        "serviceAccount": service.name,
        "serviceAccountName": service.name,
        "terminationGracePeriodSeconds": 30,
        "tolerations": [_toleration("not-ready"), _toleration("unreachable")],
        "volumes": [{"configMap": {"defaultMode": 420, "name": service.name}, "name": "config"}, _token_volume()],
    }
    if service.affinity:
        spec["affinity"] = service.affinity
    return spec


def _container(name: str, image: str, cpu: str, memory: str) -> Json:
    return {
        "env": [{"name": f"SETTING_{number}", "value": f"a value of some length {number}"} for number in range(4)],
        "image": image,
        "imagePullPolicy": "IfNotPresent",
        "livenessProbe": _probe("/live"),
        "name": name,
        "ports": [{"containerPort": 8080, "name": "http", "protocol": "TCP"}],
        "readinessProbe": _probe("/ready"),
        "resources": {"limits": {"memory": memory}, "requests": {"cpu": cpu, "memory": memory}},
        "terminationMessagePath": "/dev/termination-log",
        "terminationMessagePolicy": "File",
        "volumeMounts": [
            {"mountPath": "/etc/service", "name": "config", "readOnly": True},
            {"mountPath": "/var/run/secrets/kubernetes.io/serviceaccount", "name": "token", "readOnly": True},
        ],
    }


def _probe(path: str) -> Json:
    return {
        "failureThreshold": 3,
        "httpGet": {"path": path, "port": 8080, "scheme": "HTTP"},
        "periodSeconds": 10,
        "successThreshold": 1,
        "timeoutSeconds": 1,
    }


def _toleration(condition: str) -> Json:
    return {
        "effect": "NoExecute",
        "key": f"node.kubernetes.io/{condition}",
        "operator": "Exists",
        "tolerationSeconds": 300,
    }


def _token_volume() -> Json:
    sources = [
        {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
        {"configMap": {"items": [{"key": "ca.crt", "path": "ca.crt"}], "name": "kube-root-ca.crt"}},
    ]
    return {"name": "token", "projected": {"defaultMode": 420, "sources": sources}}


def _pod_status(number: int, service: Service, started: str) -> Json:
    address = f"100.{number >> 16}.{number >> 8 & 255}.{number & 255}"
    containers = _containers(service)
    return {
        "conditions": [
            {"lastProbeTime": None, "lastTransitionTime": started, "status": "True", "type": kind}
            for kind in ("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled")
        ],
        "containerStatuses": [_container_status(number, container, started) for container in containers],
        "hostIP": "10.0.0.1",
        "phase": "Running",
        "podIP": address,
        "podIPs": [{"ip": address}],
        "qosClass": "Burstable",
        "startTime": started,
    }


def _container_status(number: int, container: Json, started: str) -> Json:
    """With the resources that were given, which clusters tell since 1.33."""
    identity = f"{container['name']} {number}"
    return {
        "allocatedResources": container["resources"]["requests"],
        "containerID": f"containerd://{digest('container', identity)}",
        "image": container["image"],
        "imageID": f"{REGISTRY}/team/app@sha256:{digest('image', container['image'])}",
        "lastState": {},
        "name": container["name"],
        "ready": True,
        "resources": container["resources"],
        "restartCount": 0,
        "started": True,
        "state": {"running": {"startedAt": started}},
        "user": {"linux": {"gid": 1000, "supplementalGroups": [1000], "uid": 1000}},
    }


def _budget(service: Service) -> Json:
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": service.name, "namespace": service.namespace},
        "spec": {"maxUnavailable": 1, "selector": {"matchLabels": {APP: service.name}}},
        "status": {"currentHealthy": 60, "desiredHealthy": 59, "disruptionsAllowed": 1, "expectedPods": 60},
    }


def digest(kind: str, of: int | str) -> str:
    """Something that looks random, and is the same for the same thing."""
    return hashlib.sha256(f"{kind} {of}".encode()).hexdigest()


def uid(kind: str, of: int | str) -> str:
    """The uid of an object, and the same for the same object."""
    text = digest(kind, of)
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:32]}"
