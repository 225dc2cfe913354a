"""Changes that were made to a real cluster: what became of each of its workloads, and of those that were in the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from msgspec import Raw

from kexplain.case import Inputs
from kexplain.case.loading import load_contents
from kexplain.case.own_pods import CONTROLLERS, Key, above, key_of
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.world.edit_options import edit_of
from kexplain.world.members import Rollout
from kexplain.world.sources import ReadObjects
from kexplain.world.world import Followed, World

from .corpora import Area
from .scenario import Recorded
from .tally import Case, Tally

_NO_CONDITION = "no condition"


class Workload(Recorded, kw_only=True):
    """How far a workload got; `waiting` has the texts of pods without a node, each with their number.

    With `tie` its pods might as well be on other nodes, and with `text_varies` texts might be others.
    """

    desired: int
    ready: int
    placed: int
    pending: int
    not_created: int
    nodes: list[str]
    revision: int
    rollout_complete: bool
    waiting: dict[str, int]
    tie: bool = False
    text_varies: bool = False


class End(Recorded, kw_only=True):
    """What became of the workloads, by namespace, kind and name; whose pods were preempted, and what was refused."""

    workloads: dict[str, Workload]
    evicted: dict[str, int]
    create_errors: dict[str, list[str]]


class Changed(Recorded, kw_only=True):
    """A cluster, a change of it, and the end; `story`, `target` and `label` say what the generator was after."""

    id: str
    version: str
    story: str
    target: str
    label: str
    change: Raw
    objects: Raw
    expected: End
    twice: bool = False


def run(area: Area, tally: Tally) -> None:
    """Make every change anew, and follow it until nothing moves any more."""
    for recorded in area.rows(Changed):
        with tally.decision(recorded.id) as case, TemporaryDirectory() as folder:
            state, changes = Path(folder) / "state.json", Path(folder) / "changes.json"
            state.write_bytes(b'{"apiVersion":"v1","kind":"List","items":%b}' % bytes(recorded.objects))
            changes.write_bytes(bytes(recorded.change))
            contents = load_contents(Inputs([str(state)]))
            followed = World(ReadObjects(contents)).after([edit_of("changes", str(changes))]).settled()
            _compare(recorded, _Ends.of(followed, contents.objects), case)


def _compare(recorded: Changed, found: _Ends, case: Case) -> None:
    for name, wanted in recorded.expected.workloads.items():
        end = found.of_workload(name, wanted)
        for field in ("placed", "pending", "not_created", "rollout_complete", "revision"):
            case.compare(field, {name: getattr(wanted, field)}, {name: end[field]})
        if not (wanted.tie or name in found.drawn):
            case.compare("nodes", {name: wanted.nodes}, {name: end["nodes"]})
        if not wanted.text_varies:
            case.compare("waiting", {name: wanted.waiting}, {name: end["waiting"]})
    case.compare("evicted", recorded.expected.evicted, dict(found.evicted))
    # Of what is as it was before nothing is said, and stateful sets say in events alone what is refused.
    refused = {*recorded.expected.create_errors} & {*found.rollouts}
    got = {name for name, each in found.rollouts.items() if each.refusals and each.kind != "StatefulSet"}
    case.compare("createErrors", sorted(refused), sorted(got))


class _Ends(msgspec.Struct, frozen=True):
    """Whose pods are where at the end, by namespace, kind and name of the topmost controller."""

    pods: Mapping[str, Sequence[tuple[Pod, str]]]
    texts: Mapping[str, Mapping[str, int]]
    rollouts: Mapping[str, Rollout]
    evicted: Counter[str]
    #: Workloads of which some pod might as well be on another node.
    drawn: frozenset[str]

    @classmethod
    def of(cls, followed: Followed, before: Iterable[KubernetesObject]) -> _Ends:
        objects = {key_of(each, ""): each for each in before if isinstance(each, CONTROLLERS)}
        pods: dict[str, list[tuple[Pod, str]]] = {}
        for info in followed.cluster.node_infos:
            for each in info.pods:
                if not each.pod.metadata.deletion_timestamp:
                    pods.setdefault(_name(each.pod, objects), []).append((each.pod, info.name))
        texts: dict[str, Counter[str]] = {}
        for waiting in followed.settled.waiting:
            name = _name(waiting.pod, objects)
            pods.setdefault(name, []).append((waiting.pod, ""))
            # All that wait were tried anew in the end.
            tried = followed.scheduler.schedule(waiting.pod, followed.cluster).message if waiting.message else ""
            texts.setdefault(name, Counter())[tried or _NO_CONDITION] += 1
        rollouts = {f"{each.namespace}/{each.kind}/{each.name}": each for each in followed.rollouts}
        evicted = Counter(_name(pod, objects) for pod in followed.settled.evicted)
        landed = (each.decision for each in followed.settled.attempts if len(each.decision.best) > 1)
        return cls(pods, texts, rollouts, evicted, frozenset(_name(each.pod, objects) for each in landed))

    def of_workload(self, name: str, wanted: Workload) -> dict[str, Any]:
        """The same of one workload; where nothing is said of its rollout, it is as it was."""
        pods, rollout = self.pods.get(name, ()), self.rollouts.get(name)
        placed = sum(bool(node) for _, node in pods)
        missing = max(wanted.desired - len(pods), 0)
        return {
            "placed": placed,
            "pending": len(pods) - placed,
            "not_created": missing,
            "rollout_complete": rollout.complete if rollout else wanted.rollout_complete,
            "revision": rollout.placed + rollout.pending - rollout.old if rollout else wanted.revision,
            "nodes": sorted(node for _, node in pods if node),
            "waiting": dict(self.texts.get(name, {})),
        }


def _name(pod: Pod, objects: Mapping[Key, KubernetesObject]) -> str:
    """The topmost controller of a pod, or the pod itself."""
    known = (key for key in above(pod, "", objects.get) if key in objects)
    kind, namespace, name = [("Pod", pod.namespace, pod.name), *known][-1]
    return f"{namespace}/{kind}/{name}"
