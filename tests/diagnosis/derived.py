"""What a dump says of the clauses of a report, worked out in plain Python, without the program."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

Json = dict[str, Any]
_SUFFIXES = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "Ei": 6}
_REPELLING = ("NoSchedule", "NoExecute")
_LOST = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")


def amount(written: object) -> Decimal:
    """A quantity as a number."""
    match = re.fullmatch(r"([-+0-9.]+(?:[eE][-+]?\d+)?)([a-zA-Z]*)", str(written))
    assert match, written
    number, suffix = Decimal(match[1]), match[2]
    return number * 1024 ** _BINARY[suffix] if suffix in _BINARY else number.scaleb(_SUFFIXES[suffix])


def in_units(resource: str, value: Decimal) -> int:
    """As facts have it: CPUs in thousandths."""
    return int(value * 1000 if resource == "cpu" else value)


class Dump:
    """The objects of a cluster, and what each node has left."""

    def __init__(self, objects: Sequence[Json]) -> None:
        self.objects = objects
        self.nodes = {each["metadata"]["name"]: each for each in self.of("Node")}
        self.pods = [pod for pod in self.of("Pod") if pod.get("status", {}).get("phase") not in ("Succeeded", "Failed")]

    def of(self, kind: str) -> Iterator[Json]:
        return (each for each in self.objects if each["kind"] == kind)

    def one(self, kind: str, namespace: str, name: str) -> Json | None:
        for each in self.of(kind):
            if (each["metadata"].get("namespace", ""), each["metadata"]["name"]) == (namespace, name):
                return each
        return None

    def on(self, node: str) -> list[Json]:
        return [pod for pod in self.pods if pod["spec"].get("nodeName") == node]

    def allocatable(self, node: str, resource: str) -> int:
        return in_units(resource, amount(self.nodes[node]["status"]["allocatable"].get(resource, 0)))

    def requested(self, node: str, resource: str) -> int:
        pods = self.on(node)
        return len(pods) if resource == "pods" else sum(request(pod["spec"], resource) for pod in pods)

    def free(self, node: str, resource: str) -> int:
        return self.allocatable(node, resource) - self.requested(node, resource)

    def ready(self, node: str) -> str:
        conditions = self.nodes[node].get("status", {}).get("conditions") or []
        return next((str(each["status"]) for each in conditions if each["type"] == "Ready"), "True")

    def taints(self, node: str) -> list[Json]:
        return self.nodes[node]["spec"].get("taints") or []

    def labels(self, node: str) -> Json:
        labels: Json = self.nodes[node]["metadata"].get("labels") or {}
        return labels


def request(spec: Json, resource: str) -> int:
    """What a pod requests: its containers, or the most that an init container does beside those that stay."""

    def asks(container: Json) -> int:
        resources = container.get("resources") or {}
        written = {**(resources.get("limits") or {}), **(resources.get("requests") or {})}
        return in_units(resource, amount(written.get(resource, 0)))

    stay, most = 0, 0
    for each in spec.get("initContainers") or []:
        most = max(most, stay + asks(each))
        stay += asks(each) if each.get("restartPolicy") == "Always" else 0
    total = max(most, stay + sum(map(asks, spec["containers"])))
    return total + in_units(resource, amount((spec.get("overhead") or {}).get(resource, 0)))


def taint_text(taint: Json) -> str:
    value = f"={taint['value']}" if taint.get("value") else ""
    return f"{taint['key']}{value}:{taint['effect']}"


def tolerates(spec: Json, taint: Json) -> bool:
    for each in spec.get("tolerations") or []:
        is_of_key = each.get("key") in (None, "", taint["key"]) and each.get("effect") in (None, "", taint["effect"])
        is_equal = each.get("operator", "Equal") == "Exists" or each.get("value", "") == taint.get("value", "")
        if is_of_key and is_equal:
            return True
    return False


class Derived:
    """What is wrong with the clauses of a diagnosis, by what the dump says: nothing, if all is well."""

    def __init__(self, dump: Dump, finding: Json, spec: Json | None, circles: Json | None) -> None:
        self.dump, self.finding, self.spec, self.circles = dump, finding, spec, circles
        self.false: list[str] = []
        self.types: set[str] = set()

    def check(self) -> list[str]:
        self._names()
        for sign in self.finding["evidence"]:
            self._sign(sign)
        if self.circles is not None:
            self._circles(self.circles)
        for fact in statements(self.finding["facts"]):
            self.types.add(fact["type"])
            if derive := getattr(self, "_of_" + fact["type"].replace("-", "_"), None):
                derive(fact)
            for place in (value for value in fact.values() if isinstance(value, dict) and _is_place(value)):
                self._place(place)
        return self.false

    def _is(self, holds: object, clause: str) -> None:
        if not holds:
            self.false.append(f"{clause}: {self.finding['text']} | {self.finding['detail']}")

    # ------------------------------------------------------------------------------------------------- of all clauses

    def _names(self) -> None:
        """Every object of the dump that the words name stands in the fields, too."""
        fields = json.dumps({**self.finding, "text": "", "amounts": "", "detail": ""})
        said = f"{self.finding['text']} {self.finding['amounts']}"
        words = set(re.findall(r"[a-z0-9][-a-z0-9.]*[a-z0-9]", said))
        names = {each["metadata"]["name"] for each in self.dump.objects if len(each["metadata"]["name"]) > 6}
        self._is(not [name for name in words & names if name not in fields], "named without evidence")

    def _sign(self, sign: Json) -> None:
        for name in sign["nodes"]:
            if sign["taint"]:
                self._is(sign["taint"] in map(taint_text, self.dump.taints(name)), f"{name} has taint {sign['taint']}")
        by_key = {f"{p['metadata']['namespace']}/{p['metadata']['name']}": p for p in self.dump.pods}
        for key in sign["pods"]:
            self._is(key in by_key, f"pod {key} exists")
            if sign["nodes"] and key in by_key and sign["taint"]:
                self._is(by_key[key]["spec"].get("nodeName") in sign["nodes"], f"{key} runs there")

    def _circles(self, circles: Json) -> None:
        every = [name for part in circles.values() for name in part]
        self._is(sorted(every) == sorted(self.dump.nodes), "each node is in one circle")
        for name in circles.get("outOfService", ()):
            taints = self.dump.taints(name)
            ails = self.dump.nodes[name]["spec"].get("unschedulable") or self.dump.ready(name) != "True" or taints
            ails = ails or not self.dump.allocatable(name, "pods")
            self._is(ails, f"{name} is out of service")
        for count, what in re.findall(
            r"(\d+)(?: nodes?)? (?:is|are) (reserved|out of service)", self.finding["detail"]
        ):
            part = "reserved" if what == "reserved" else "outOfService"
            left = set(circles.get(part, ()))
            self._is(int(count) in (len(left), len(left - {*self.finding["nodes"]})), f"{count} are {what}")

    def _place(self, place: Json) -> None:
        names = place.get("nodes") or []
        self._is(not names or len(names) == place["count"], "as many nodes as are counted")
        self._is(all(name in self.dump.nodes for name in names), "its nodes exist")
        if place.get("whole"):
            self._is(place["count"] == len(self.dump.nodes), "these are all nodes")
        zones = {self.dump.labels(name).get("topology.kubernetes.io/zone") for name in names if place.get("zone")}
        self._is(zones <= {place.get("zone")}, "they are in that zone")
        for pool in place.get("pools") or []:
            members = [name for name in self.dump.nodes if pool in self.dump.labels(name).values()]
            self._is(members, f"pool {pool} has a node")

    # ------------------------------------------------------------------------------------------------------- of room

    def _of_no_room(self, fact: Json) -> None:
        if self.spec and fact["resource"] != "pods":
            needed = request(self.spec, fact["resource"])
            self._is(needed == fact["needed"], f"it needs {needed} {fact['resource']}")

    def _of_shortage(self, fact: Json) -> None:
        names = self.finding["nodes"]
        for each in fact["amounts"]:
            resource = each["resource"]
            free = max(self.dump.free(fact["best"], resource), 0)
            self._is(free == each["free"], f"{fact['best']} has {free} {resource} free")
            if self.spec:
                self._is(request(self.spec, resource) == each["needed"], f"{each['needed']} {resource} is needed")
        first = fact["amounts"][0]
        if fact.get("inAll") is not None and fact["nodes"] == len(names):
            in_all = sum(max(self.dump.free(name, first["resource"]), 0) for name in names)
            self._is(in_all == fact["inAll"], f"{in_all} in all")

    def _of_no_slots(self, fact: Json) -> None:
        slots = self.dump.allocatable(fact["best"], "pods")
        self._is(slots in fact["slots"] and self.dump.requested(fact["best"], "pods") >= slots, "no slot is free")

    def _of_overcommitted(self, fact: Json) -> None:
        for name in fact["nodes"]["names"]:
            self._is(self.dump.free(name, fact["resource"]) < 0, f"{name} is overcommitted")
        pairs = [
            (self.dump.allocatable(n, fact["resource"]), self.dump.requested(n, fact["resource"]))
            for n in self.dump.nodes
        ]
        self._is((fact["allocatable"], fact["requested"]) in pairs, "such a node there is")

    def _of_partly_lost(self, fact: Json) -> None:
        self._is(sum(fact["ailments"]["nodesByTrouble"].values()) == fact["nodes"]["count"], "each ails")
        rest = fact["of"] - fact["nodes"]["count"] - fact["left"]["count"]
        self._is(rest == 0 if fact["isRest"] else rest > 0, "those lost and those left are all, or not")
        for name in fact["left"]["names"]:
            self._is(self.dump.ready(name) == "True", f"{name} is in service")
        for name in fact["nodes"]["names"]:
            self._is(self._ails(name), f"{name} is out of service")

    def _ails(self, name: str) -> bool:
        spec = self.dump.nodes[name]["spec"]
        return bool(spec.get("unschedulable") or spec.get("taints") or self.dump.ready(name) != "True")

    def _of_out_of_service(self, fact: Json) -> None:
        counts = fact["ailments"]["nodesByTrouble"]
        self._is(sum(counts.values()) == fact["place"]["count"], "each of them ails")
        names = [name for name in self.finding["nodes"] if name in self.dump.nodes]
        if len(counts) == 1 and "cordoned" in counts:
            self._is(all(self.dump.nodes[name]["spec"].get("unschedulable") for name in names), "they are cordoned")
        keys = {taint["key"] for name in names for taint in self.dump.taints(name)}
        self._is({*fact["ailments"]["taints"]} <= keys, "they have these taints")
        if {*counts} <= {"unreachable", "not ready"}:
            self._is(all(self.dump.ready(n) != "True" or keys & {*_LOST} for n in names), "they are lost")

    def _of_too_big(self, fact: Json) -> None:
        most = max(self.dump.allocatable(name, fact["resource"]) for name in self.finding["nodes"])
        self._is(most >= fact.get("most", 0), f"the largest has {most}")
        self._is(fact["needed"] > fact.get("most", 0), "no node is that large")

    # -------------------------------------------------------------------------------------------- of labels and taints

    def _of_labels_unmet(self, fact: Json) -> None:
        for label in fact["labels"]:
            if match := re.fullmatch(r"(\S+)=(\S+)", label):
                self._is(not self._with(match[1], match[2]), f"no node has {label}")
            elif match := re.fullmatch(r"a label (\S+)", label):
                self._is(not [n for n in self.dump.nodes if match[1] in self.dump.labels(n)], f"no node has {label}")
        keys = {key for name in self.dump.nodes for key in self.dump.labels(name)}
        values = {str(value) for name in self.dump.nodes for value in self.dump.labels(name).values()}
        self._is(all({*each.split("=")} <= keys | values for each in fact.get("meant", ())), "what is meant exists")

    def _of_labels_not_renewed(self, fact: Json) -> None:
        self._of_labels_unmet(fact)
        made = [self.dump.nodes[name]["metadata"]["creationTimestamp"] for name in self.finding["nodes"]]
        self._is(min(made) == fact["since"], f"the oldest was made at {min(made)}")

    def _with(self, key: str, value: str) -> list[str]:
        return [name for name in self.dump.nodes if self.dump.labels(name).get(key) == value]

    def _of_taint_not_tolerated(self, fact: Json) -> None:
        for name in self.finding["nodes"]:
            here = {taint_text(each): each for each in self.dump.taints(name)}
            repelling = [text for text, each in here.items() if self.spec and not tolerates(self.spec, each)]
            self._is({*fact["taints"]} & {*repelling}, f"{name} has a taint that is not tolerated")

    def _of_taint_added(self, fact: Json) -> None:
        for name in self.finding["nodes"]:
            self._is(fact["taint"] in map(taint_text, self.dump.taints(name)), f"{name} has taint {fact['taint']}")

    def _of_label_lost(self, fact: Json) -> None:
        key, _, value = fact["label"].partition("=")
        for name in fact["nodes"]["names"] if value else ():
            self._is((self.dump.labels(name).get(key) == value) is fact["gained"], f"{name} has not {fact['label']}")

    def _of_device_plugin_down(self, fact: Json) -> None:
        resource = fact["resource"]
        for name in self.finding["nodes"]:
            self._is(not self.dump.allocatable(name, resource), f"{name} has no {resource} to give")

    def _of_outranked(self, fact: Json) -> None:
        own = (self.spec or {}).get("priority", 0)
        self._is(self.spec is None or own == fact["priority"], f"its priority is {own}")
        others = {
            f"{p['metadata']['namespace']}/{p['metadata']['name']}": p["spec"].get("priority", 0)
            for p in self.dump.pods
        }
        self._is(others.get(fact["pod"], 0) >= fact["least"] > fact["priority"], "the others are more important")

    def _of_near_nobody(self, fact: Json) -> None:
        key, _, value = fact["selector"].partition("=")
        for namespace in fact["namespaces"] if value and re.fullmatch(r"[^=,! ]+=[^=,! ]+", fact["selector"]) else ():
            pods = [
                p for p in self.dump.pods if p["metadata"].get("namespace") == namespace and p["spec"].get("nodeName")
            ]
            self._is(value not in [p["metadata"].get("labels", {}).get(key) for p in pods], "no pod is labelled so")

    # ------------------------------------------------------------------------------------------- of volumes and claims

    def _of_objected(self, fact: Json) -> None:
        if match := re.match(r"claim (\S+)/(\S+) does not exist", fact["objection"]):
            self._is(self.dump.one("PersistentVolumeClaim", match[1], match[2]) is None, "there is no such claim")
        if match := re.search(r"volume (\S+) is (Released|Failed)", fact["objection"]):
            volume = self.dump.one("PersistentVolume", "", match[1])
            self._is(volume and volume["status"]["phase"] == match[2], f"the volume is {match[2]}")
        if match := re.match(r"claim (\S+)/(\S+) \((\S+), (\S+)\) is not bound", fact["objection"]):
            claim = self.dump.one("PersistentVolumeClaim", match[1], match[2])
            self._is(claim and claim["status"].get("phase") != "Bound", "the claim is not bound")

    def _of_volume_elsewhere(self, fact: Json) -> None:
        namespace, _, name = fact["claim"].partition("/")
        claim = self.dump.one("PersistentVolumeClaim", namespace, name)
        volume = self.dump.one("PersistentVolume", "", claim["spec"]["volumeName"]) if claim else None
        there = fact["volume"]
        affinity = json.dumps(volume["spec"].get("nodeAffinity", {})) if volume else ""
        self._is(there["key"] in affinity and there["value"] in affinity, "the volume is there")
        if there["exists"] is False and there["key"].endswith("hostname"):
            self._is(not self._with(there["key"], there["value"]), "no node has that label")

    def _of_used_elsewhere(self, fact: Json) -> None:
        users = [pod for pod in self.dump.pods if fact["claim"] in json.dumps(pod["spec"].get("volumes") or [])]
        here = [(pod["metadata"]["name"], pod["spec"].get("nodeName")) for pod in users]
        self._is((fact["pod"], fact["node"]) in here, "the other pod has the volume")

    # -------------------------------------------------------------------------------------------------------- of others

    def _of_port_taken(self, fact: Json) -> None:
        for name in self.finding["nodes"]:
            ports = {
                p.get("hostPort")
                for pod in self.dump.on(name)
                for c in pod["spec"]["containers"]
                for p in c.get("ports") or ()
            }
            self._is({*fact["ports"]} & ports, f"a port of them is taken on {name}")

    def _of_away_from_others(self, fact: Json) -> None:
        key, _, value = fact["selector"].partition("=")
        for name in self.finding["nodes"] if fact["key"].endswith("/hostname") and value else ():
            here = [pod["metadata"].get("labels", {}).get(key) for pod in self.dump.on(name)]
            self._is(value in here, f"{name} runs such a pod")

    def _of_quota_use(self, fact: Json) -> None:
        quotas = [each for each in self.dump.of("ResourceQuota") if each["metadata"]["name"] == fact["quota"]]
        found = [each["status"] for each in quotas if fact["resource"] in each["status"].get("hard", {})]
        pairs = [(amount(each["used"][fact["resource"]]), amount(each["hard"][fact["resource"]])) for each in found]
        used, allowed, asked = map(amount, (fact["used"], fact["allowed"], fact["asked"]))
        self._is((used, allowed) in pairs, f"{used} of {allowed} is used")
        self._is(used + asked > allowed, "the next pod is too much")

    def _of_unconfirmed(self, fact: Json) -> None:
        self._is(self.dump.ready(fact["node"]) == "Unknown" or self.dump.taints(fact["node"]), "the node is lost")

    def _of_still_terminating(self, fact: Json) -> None:
        going = [p["metadata"]["name"] for p in self.dump.of("Pod") if p["metadata"].get("deletionTimestamp")]
        self._is(fact["pod"] in going, f"{fact['pod']} is being deleted")

    def _of_component(self, fact: Json) -> None:
        if fact["kind"] != "Pod":
            self._is(self.dump.one(fact["kind"], fact["namespace"], fact["name"]), "the component is there")

    def _pods_of(self, fact: Json) -> list[Json]:
        who = fact["who"]
        return [
            pod
            for pod in self.dump.pods
            if pod["metadata"]["namespace"] == who["namespace"] and pod["metadata"]["name"].startswith(who["name"])
        ]

    def _of_fails(self, fact: Json) -> None:
        pods = [pod for pod in self._pods_of(fact) if fact.get("node") in (None, pod["spec"].get("nodeName"))]
        self._is(any(f'"{fact["reason"]}"' in json.dumps(pod["status"]) for pod in pods), "one of its pods fails so")
        said = str(fact.get("says") or "").removesuffix(" …")
        self._is(any(said in " ".join(_texts(pod["status"])) for pod in pods), "its container said so when it ended")

    def _of_is_pending(self, fact: Json) -> None:
        pods = [pod for pod in self._pods_of(fact) if pod["metadata"]["name"] == fact["pod"]]
        self._is(pods and not pods[0]["spec"].get("nodeName"), "its pod has no node")

    def _of_runs(self, fact: Json) -> None:
        pods = [pod for pod in self._pods_of(fact) if pod["metadata"]["name"] == fact["pod"]]
        self._is(pods and pods[0]["status"]["phase"] == "Running", "its pod runs")

    def _of_is_absent(self, fact: Json) -> None:
        self._is(not self.finding["certain"], "what is not in a dump is only probably not there")


def statements(facts: object) -> Iterator[Json]:
    """All statements in the facts of a finding."""
    if isinstance(facts, Mapping):
        if "type" in facts:
            yield dict(facts)
        for each in facts.values():
            yield from statements(each)
    elif isinstance(facts, list):
        for each in facts:
            yield from statements(each)


def _is_place(value: Json) -> bool:
    return "count" in value and "names" not in value


def derivations() -> Counter[str]:
    """The types of statements that are derived again."""
    return Counter(name.removeprefix("_of_").replace("_", "-") for name in vars(Derived) if name.startswith("_of_"))


def false_clauses(objects: Sequence[Json], report: Json, seen: Callable[[str], object] = str) -> list[str]:
    """The clauses of a report that its dump does not bear out."""
    dump, false = Dump(objects), []
    for each in [*report["pods"], *report.get("workloads", ())]:
        finding = each.get("diagnosis")
        if not finding:
            continue
        of = each.get("pod") or {}
        pod = dump.one("Pod", of.get("namespace", ""), of.get("name", "")) if of else None
        derived = Derived(dump, finding, pod["spec"] if pod else None, each.get("circles"))
        false += derived.check()
        [*map(seen, derived.types)]
    return false


def _texts(value: Any) -> Iterator[str]:
    """All texts within, each with single spaces."""
    if isinstance(value, str):
        yield " ".join(value.split())
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(each)
