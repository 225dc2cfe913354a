"""What differs between two trees of Kubernetes in what this project follows, and where each difference belongs here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from kexplain.config.releases.release import OTHER_GATES
from kexplain.framework.traits import GATES
from kexplain.messages.message import parse_message, unknown_parts

from .tree import read

_PLUGIN = re.compile(r"pkg/scheduler/framework/plugins/(\w+)/")
_OUR_PLUGINS = Path("kexplain/plugins")
#: A directory of upstream's whose module here is not simply named alike.
_NAMED_OTHERWISE: Mapping[str, str] = {
    "noderesources": "kexplain/plugins/node_resources_*.py",
    "nodevolumelimits": "kexplain/plugins/node_volume_limits.py, volume_counting.py",
    "volumebinding": "kexplain/plugins/volume_*.py",
    "dynamicresources": "kexplain/plugins/dynamic_resources.py, devices/",
    "queuesort": "kexplain/plugins/priority_sort.py",
    "topologyaware": "kexplain/plugins/topology_placement_generator.py, pod_group_pods_count.py",
    "podgrouppodscount": "kexplain/plugins/pod_group_pods_count.py",
    "helper": "whichever plugin uses it",
    "names": "kexplain/plugins/registry.py",
    "feature": "kexplain/framework/features.py",
}
#: Where other files of the scheduler belong, by how their paths begin.
_ROOMS: tuple[tuple[str, str], ...] = (
    ("pkg/scheduler/framework/preemption/", "kexplain/plugins/default_preemption.py, victims.py"),
    ("pkg/scheduler/framework/plugins/", "kexplain/plugins/registry.py"),
    ("pkg/scheduler/framework/", "kexplain/framework"),
    ("pkg/scheduler/apis/config/validation", "kexplain/config/component/validation.py"),
    ("pkg/scheduler/apis/config/", "kexplain/config/component"),
    ("pkg/scheduler/backend/queue/", "kexplain/scheduler/scheduling_queue.py"),
    ("pkg/scheduler/internal/queue/", "kexplain/scheduler/scheduling_queue.py"),
    ("pkg/scheduler/backend/", "kexplain/cluster"),
    ("pkg/scheduler/extender", "kexplain/extenders"),
    ("pkg/scheduler/schedule_one", "kexplain/scheduler"),
    ("pkg/scheduler/", "kexplain/scheduler"),
)


class Difference(NamedTuple):
    """One thing that differs: what it was, what it is, and where that belongs here."""

    subject: str
    name: str
    old: str
    new: str
    belongs: str


def differences(old: Path, new: Path) -> Iterator[Difference]:
    """All of them, by subject. Raises FileNotFoundError."""
    before, after = read(old), read(new)
    for subject, here in _SUBJECTS.items():
        was, now = getattr(before, subject), getattr(after, subject)
        for name in sorted(was.keys() | now.keys()):
            if was.get(name) != now.get(name):
                found = Difference(subject, name, was.get(name, ""), now.get(name, ""), "")
                yield found._replace(belongs=here(found))


def lines(found: Iterator[Difference]) -> Iterator[str]:
    """A heading for each subject, and a line for each difference."""
    subject = ""
    for each in found:
        if each.subject != subject:
            subject = each.subject
            yield f"\n{subject}"
        yield f"  {each.name}: {_words(each)} → {each.belongs}"


def _words(each: Difference) -> str:
    if each.subject in {"files", "points", "reasons"}:
        return "new" if not each.old else "gone" if not each.new else "changed"
    return f"{each.old or 'not there'} ⇒ {each.new or 'gone'}"


def _of_gate(each: Difference) -> str:
    if each.name in OTHER_GATES:
        return "kexplain/tables/inert-gates.txt has it: still without bearing?"
    gate = next((gate for gate in GATES if gate.name == each.name), None)
    if gate is None:
        return "kexplain/tables/gates.json or inert-gates.txt: not known"
    last = each.new.rpartition(", ")[2].partition(" ")[0]
    has_it = not each.new or last in {stage.release for stage in gate.stages}
    return f"kexplain/tables/gates.json{': has it' if has_it else ': a stage is missing'}"


def _of_reason(each: Difference) -> str:
    table = "kexplain/messages/tables/scheduler-*.txt"
    said = re.sub(r"%[+#]?[a-z]", "x", each.name.replace('\\"', '"'))
    is_known = not unknown_parts(said) and bool(parse_message(said).parts)
    return f"{table}{': has it' if is_known else ''}{', until' if is_known and not each.new else ''}"


def _of_file(each: Difference) -> str:
    if plugin := _PLUGIN.match(each.name):
        return _module(plugin[1])
    return next(room for beginning, room in _ROOMS if each.name.startswith(beginning))


def _module(folder: str) -> str:
    if folder in _NAMED_OTHERWISE:
        return _NAMED_OTHERWISE[folder]
    alike = (file for file in sorted(_OUR_PLUGINS.glob("*.py")) if file.stem.replace("_", "") == folder)
    return next((file.as_posix() for file in alike), "kexplain/plugins: a new module, and registry.py")


_SUBJECTS = {
    "gates": _of_gate,
    "defaults": lambda _: "kexplain/tables/default-plugins.json",
    "arguments": lambda _: "kexplain/config/component/plugin_args.py",
    "points": lambda _: "kexplain/framework/plugin.py",
    "reasons": _of_reason,
    "files": _of_file,
}
