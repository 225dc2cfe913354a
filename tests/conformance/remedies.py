"""Every remedy that claims to have been tried, tried again: its changes are applied to the recorded objects by a JSON
Patch library of somebody else's, and the pod is decided from scratch.

    python -m tests.conformance.remedies [--corpus FOLDER] [--each N] [--jobs N] [AREA...]

No subset of the changes may be enough, but for those of nodes that are changed alike, and
validation finds nothing wrong with what they make of the objects.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import jsonpatch

from kexplain.case.case_builder import Contents
from kexplain.cluster import Cluster
from kexplain.cluster.departing import given_back
from kexplain.config.scheduler_settings import build_scheduler
from kexplain.explanation import ExplainOptions, explain
from kexplain.framework.trace import Outcome
from kexplain.load import Loaded, load
from kexplain.load.record_types import API_VERSIONS
from kexplain.objects.changes import Change
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim
from kexplain.objects.resource import ResourceClaim
from kexplain.remedies.records import Remedy
from kexplain.remedies.steps import as_json
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.scheduling_queue import place
from kexplain.validation.check import check
from kexplain.world.edited_cluster import EditedCluster
from kexplain.world.sources import ReadObjects
from kexplain.world.world import World

from .corpora import DEFAULT, Area, Corpus
from .scenario import Scenario
from .scheduling import _scheduler, cluster_of, read

RELEASE = "v1.36"
#: For this share of the pods that fit nowhere, something is to be tried that helps.
ENOUGH = 0.95
#: What is done by the scheduler itself once the pod is important enough.
PREEMPTING = "raise-priority"


@dataclass(frozen=True, slots=True)
class Case:
    """A recorded pod that does not fit: the objects as they stood then, as JSON, and what is said to help."""

    name: str
    scheduler: Scheduler
    objects: Sequence[dict[str, Any]]
    pod: str
    start_index: int
    remedies: Sequence[Remedy]

    def faults(self) -> Iterator[str]:
        """What is not as a tried remedy claims."""
        for remedy in self.remedies:
            if remedy.tried:
                if not self._fits(remedy.changes, remedy):
                    yield f"{self.name} {self.pod}: does not fit with: {remedy.text}"
                if not self._fits_what_if(remedy):
                    yield f"{self.name} {self.pod}: does not fit, if one asks what if: {remedy.text}"
                for problem in _refusals(self.objects, remedy.changes):
                    yield f"{self.name} {self.pod}: an API server refuses: {remedy.text}: {problem}"
                changes = self._counted(remedy)
                for size in range(1, len(changes)):
                    for fewer in combinations(changes, size):
                        if self._fits(fewer, remedy):
                            yield f"{self.name} {self.pod}: {size} changes are enough of: {remedy.text}"

    def _fits_what_if(self, remedy: Remedy) -> bool:
        """Whether the pod lands where it is said to once the changes are followed until nothing moves any more."""
        items = [obj for obj in self.objects if not _waits(obj) or _is_nominated(obj) or _key(obj) == self._key]
        dump = json.dumps({"apiVersion": "v1", "kind": "List", "items": items})
        loaded = load(["-"], stdin=io.BytesIO(dump.encode()))
        contents = Contents(loaded, loaded.objects, self.scheduler)

        def edit(cluster: EditedCluster) -> None:
            for each in remedy.changes:
                cluster.apply(each)

        placed = World(ReadObjects(contents)).after([edit]).settled(start_index=self.start_index).settled.placed
        node = placed.get(self.pod, "")
        # Pods for which room is kept are tried before it: where they land elsewhere, it may, too.
        return node in remedy.nodes or (bool(node) and any(map(_is_nominated, self.objects)))

    @property
    def _key(self) -> tuple[str, str, str]:
        namespace, _, name = self.pod.partition("/")
        return "Pod", namespace, name

    def _counted(self, remedy: Remedy) -> list[Change]:
        """The changes of which each is needed; of nodes that are changed alike, or for a while, fewer may be enough."""
        patched = [each.target for each in remedy.changes if each.verb == "patch"]
        if remedy.bundle or len(patched) > len(set(patched)):
            return []
        waiting = {_key(obj) for obj in self.objects if _waits(obj)}
        keys = ((each.target.kind, each.target.namespace, each.target.name) for each in remedy.changes)
        counted = [each for each, key in zip(remedy.changes, keys, strict=True) if key not in waiting or each.patch]
        # What a new node has, and a class that an API server wants to know, are no changes of their own.
        return [each for each in counted if each.target.kind not in ("CSINode", "ResourceSlice", "PriorityClass")]

    def _fits(self, changes: Sequence[Change], remedy: Remedy) -> bool:
        objects = self._once_gone(read(json.dumps(_changed(self.objects, changes)).encode()))
        pod = next(obj for obj in objects if isinstance(obj, Pod) and obj.key == self.pod)
        cluster = cluster_of(objects, self.scheduler)
        start = self.start_index % max(len(cluster.node_infos), 1)
        if remedy.action == PREEMPTING:
            return place(self.scheduler, cluster, pod, start)[-1].decision.host in remedy.nodes
        return self.scheduler.schedule(pod, cluster, start).host in remedy.nodes

    def _once_gone(self, objects: Sequence[KubernetesObject]) -> list[KubernetesObject]:
        """The objects with claims as they are once pods have left that were there."""
        there = {obj.key for obj in objects if isinstance(obj, Pod)}
        before = read(json.dumps([*self.objects]).encode())
        gone = [obj for obj in before if isinstance(obj, Pod) and obj.key not in there]
        freed = {(type(obj), obj.key): obj for obj in given_back(objects, gone)}
        return [freed.get((type(obj), obj.key), obj) for obj in objects]


def _changed(objects: Sequence[dict[str, Any]], changes: Sequence[Change]) -> list[dict[str, Any]]:
    by_key = {_key(obj): obj for obj in objects}
    for change in changes:
        target = change.target
        key = (target.kind, target.namespace, target.name)
        match change.verb:
            case "delete" if key[0] == "Pod" and not by_key[key]["spec"].get("nodeName"):
                # What makes it makes it anew.
                pass
            case "patch" if key not in by_key:
                by_key |= _made_anew(by_key.values(), change)
            case "delete":
                del by_key[key]
            case "create":
                assert change.object is not None
                by_key[key] = change.object
            case _:
                by_key[key] = jsonpatch.apply_patch(by_key[key], json.dumps(change.patch))
    return list(by_key.values())


def _waits(obj: dict[str, Any]) -> bool:
    """Whether it is a pod without a node."""
    return obj["kind"] == "Pod" and not obj["spec"].get("nodeName")


def _is_nominated(pod: dict[str, Any]) -> bool:
    """Whether room on a node is kept for it."""
    return bool(pod.get("status", {}).get("nominatedNodeName"))


def _made_anew(objects: Iterable[dict[str, Any]], change: Change) -> dict[tuple[str, str, str], dict[str, Any]]:
    """The pods of a workload that was not recorded, once it is changed."""
    every = read(json.dumps([*objects]).encode())
    edited = EditedCluster(ReadObjects(Contents(Loaded(), every, build_scheduler(), change.target.namespace)))
    edited.apply(change)
    made = (obj for _, obj in edited.differences if obj is not None)
    plain = ({"apiVersion": API_VERSIONS[type(obj)][0], "kind": type(obj).__name__, **as_json(obj)} for obj in made)
    return {_key(obj): obj for obj in plain}


def _refusals(objects: Sequence[dict[str, Any]], changes: Sequence[Change]) -> Iterator[str]:
    """What an API server would find wrong with changed objects, and not with any of their kind as it was recorded."""
    before = {_key(obj): obj for obj in objects}
    changed = [obj for obj in _changed(objects, changes) if obj is not before.get(_key(obj))]
    kinds = {obj["kind"] for obj in changed}
    known = {problem for obj in objects if obj["kind"] in kinds for problem in _problems(obj)}
    yield from (f"{_key(obj)}: {problem}" for obj in changed for problem in sorted(_problems(obj) - known))


def _problems(obj: dict[str, Any]) -> set[str]:
    return {f"{each.field}: {each.message}" for each in check(_unstored(obj))}


def _unstored(obj: dict[str, Any]) -> dict[str, Any]:
    """The object as it is created: what an API server alone sets is left out, and who owns what others make."""
    metadata = {key: value for key, value in obj["metadata"].items() if key != "ownerReferences"}
    kept = {key: value for key, value in obj.items() if key != "status" or obj["kind"] == "Node"}
    return {**kept, "metadata": metadata}


def _key(obj: dict[str, Any]) -> tuple[str, str, str]:
    metadata = obj["metadata"]
    return obj["kind"], metadata.get("namespace", ""), metadata["name"]


def cases(area: Area, most: int | None = None) -> Iterator[Case]:
    """Every decision of an area that a pod fits nowhere, or the first few."""
    count = 0
    for scenario in area.rows(Scenario):
        for case in _cases(area.corpus, scenario):
            count += 1
            yield case
            if most is not None and count >= most:
                return


def _cases(corpus: Corpus, scenario: Scenario) -> Iterator[Case]:
    scheduler = _scheduler(corpus, scenario)
    objects = read(scenario.objects)
    pod_by_key = {obj.key: obj for obj in objects if isinstance(obj, Pod)}
    first = cluster = cluster_of(objects, scheduler)
    start_index = scenario.start_node_index
    plain = {_key(obj): obj for obj in json.loads(bytes(scenario.objects))}
    for recorded in scenario.expected.results:
        pod = pod_by_key[recorded.pod]
        decision = scheduler.schedule(pod, cluster, start_index)
        if decision.outcome is Outcome.UNSCHEDULABLE:
            explained = explain(decision, ExplainOptions(scheduler=scheduler, last_resorts=True))
            objects_then = {**plain, **_reserved(first, cluster)}
            yield Case(scenario.id, scheduler, [*objects_then.values()], pod.key, start_index, explained.remedies)
        start_index = decision.sampling.next_start_index
        if recorded.host:
            is_placed = decision.outcome is Outcome.SCHEDULED
            cluster = scheduler.assume(decision, recorded.host) if is_placed else cluster.assume(pod, recorded.host)
            key = ("Pod", pod.namespace, pod.name)
            plain[key] = {**plain[key], "spec": {**plain[key]["spec"], "nodeName": recorded.host}}


def _reserved(first: Cluster, cluster: Cluster) -> dict[tuple[str, str, str], dict[str, Any]]:
    """Claims and volumes that earlier pods have taken since, as they stand now."""
    taken = (
        obj
        for kind in (PersistentVolume, PersistentVolumeClaim, ResourceClaim)
        for obj in cluster.listers.every(kind)
        if first.listers.get(kind, obj.name, obj.namespace) is not obj
    )
    plain = ({"apiVersion": API_VERSIONS[type(obj)][0], "kind": type(obj).__name__, **as_json(obj)} for obj in taken)
    return {_key(obj): obj for obj in plain}


def areas(names: Sequence[str] = (), folder: Path = DEFAULT / RELEASE) -> list[Area]:
    """The areas of the corpus in a folder, or those of these names."""
    corpus = Corpus.of(folder)
    assert corpus is not None
    files = {path.name.partition(".")[0]: path for path in sorted(folder.glob("*.jsonl*"))}
    return [Area(corpus, name, path) for name, path in files.items() if not names or name in names]


def run(areas: Sequence[Area], each: int | None, jobs: int) -> Counter[str]:
    """Print every fault and the counts by area, of so many cases of each area or of all; the counts of all areas."""
    total: Counter[str] = Counter()
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for area, (counts, faults) in zip(areas, pool.map(partial(_counted, each=each), areas), strict=True):
            sys.stdout.write("".join(f"{line}\n" for line in (*faults, f"{area.name}: {_in_words(counts)}")))
            total.update(counts)
    sys.stdout.write(f"all: {_in_words(total)}\n")
    return total


def _counted(area: Area, each: int | None) -> tuple[Counter[str], list[str]]:
    """The counts of an area, and every fault."""
    counts: Counter[str] = Counter()
    faults: list[str] = []
    for case in cases(area, each):
        found = [*case.faults()]
        faults += found
        counts["cases"] += 1
        counts["cases with one tried"] += any(remedy.tried for remedy in case.remedies)
        counts["remedies"] += len(case.remedies)
        counts["remedies tried"] += sum(remedy.tried for remedy in case.remedies)
        counts["cases with faults"] += bool(found)
    return counts, faults


def _in_words(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {what}" for what, count in counts.items())


def main() -> int:
    """1 if there is a fault, or too little is tried."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("areas", nargs="*")
    corpus_help = "a folder of recordings named like v1.36; default is the corpus of this repository"
    parser.add_argument("--corpus", type=Path, default=DEFAULT / RELEASE, metavar="FOLDER", help=corpus_help)
    parser.add_argument("--each", type=int, help="how many cases of each area; default is all")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="run in N processes")
    options = parser.parse_args()
    total = run(areas(options.areas, options.corpus), options.each, options.jobs)
    return int(bool(total["cases with faults"]) or total["cases with one tried"] < ENOUGH * total["cases"])


if __name__ == "__main__":
    sys.exit(main())
