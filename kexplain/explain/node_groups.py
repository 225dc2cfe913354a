"""The node groups of cluster-autoscaler, as its status ConfigMap has them: YAML since release 1.30, text before.

Source: cluster-autoscaler `clusterstate/api/types.go`, `clusterstate/utils/status.go`.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from kexplain.cluster import Listers
from kexplain.explain.autoscaling import GroupTrouble, NodeGroup
from kexplain.load.text.yaml import parse
from kexplain.load.text.yaml_builder import YamlError
from kexplain.objects.cluster_autoscaler import ConfigMap
from kexplain.objects.untrusted import at, entries, number, text
from kexplain.patterns import regex
from kexplain.words import clauses

_GROUP = regex(r"\s*Name:\s+(?P<name>\S+)\s*")
_STATE = regex(r"\s*(?P<what>Health|ScaleUp|ScaleDown):\s+(?P<status>\w+)(?P<rest>.*)")
_AS_OF = regex(r"(?:^time:|status at) (?P<day>\S+) (?P<time>\d\d:\d\d:\d\d)")
_NUMBER = regex(r"(?P<key>\w+)=(?P<value>\d+)")
_SINCE = regex(r"\s*LastTransitionTime:\s+(?P<since>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d).*")


def node_groups(listers: Listers) -> tuple[NodeGroup, ...]:
    """Those of every status that was read; none where there is no such status."""
    return () if not any(kind is ConfigMap for kind in listers.kinds) else listers.derived(_node_groups, ConfigMap)


def _node_groups(listers: Listers) -> tuple[NodeGroup, ...]:
    return tuple(group for each in listers.every(ConfigMap) for group in _dated(each.status))


def _dated(status: str) -> Iterator[NodeGroup]:
    found = _AS_OF.search(status)
    yield from (replace(each, as_of=f"{found['day']}T{found['time']}Z" if found else "") for each in _read(status))


def _read(status: str) -> Iterable[NodeGroup]:
    try:
        values = parse(status.encode()).value
    except YamlError:
        values = None
    if isinstance(values, dict) and ("nodeGroups" in values or "clusterWide" in values):
        return [_of_yaml(each) for each in entries(values, "nodeGroups")]
    return list(_of_text(status))


def of_pool(groups: Iterable[NodeGroup], pool: str, pools: Iterable[str]) -> list[NodeGroup]:
    """The groups that add nodes to a pool, by their names: there may be one for each zone.

    A group belongs to the pool with the longest name that stands in its own between dashes, or at its ends.
    """
    names = sorted(pools, key=len, reverse=True)
    return [group for group in groups if next((one for one in names if f"-{one}-" in f"-{group.base}-"), None) == pool]


# ----------------------------------------------------------------------------------------------------------- YAML


def _of_yaml(value: Mapping[str, Any]) -> NodeGroup:
    fields = {"target": "cloudProviderTarget", "least": "minSize", "most": "maxSize"}
    ready = number(value, "health", "nodeCounts", "registered", "ready")
    counts = {"ready": ready, **{name: number(value, "health", field) for name, field in fields.items()}}
    backoff = at(value, "scaleUp", "backoffInfo")
    why = clauses(*filter(None, (text(backoff, "errorCode"), text(backoff, "errorMessage"))))
    health, growth = text(value, "health", "status"), text(value, "scaleUp", "status")
    since, late = text(value, "scaleUp", "lastTransitionTime"), number(value, "health", "nodeCounts", _LATE) or 0
    return _group(text(value, "name"), counts, health, growth, why, since, late)


# ----------------------------------------------------------------------------------------------------------- text


_LATE = "longUnregistered"
_COUNTS = {"ready": "ready", "target": "cloudProviderTarget", "least": "minSize", "most": "maxSize"}


def _of_text(status: str) -> Iterator[NodeGroup]:
    """Group by group: a name, then a line each for health and growth, with numbers in brackets."""
    _, _, listed = status.partition("NodeGroups:")
    name, states, numbers, since, last = "", dict[str, str](), dict[str, int](), "", ""
    for line in [*listed.splitlines(), "  Name: -"]:
        if match := _GROUP.fullmatch(line):
            if name:
                counts = {ours: numbers.get(theirs) for ours, theirs in _COUNTS.items()}
                health, growth = states.get("Health", ""), states.get("ScaleUp", "")
                yield _group(name, counts, health, growth, "", since, numbers.get(_LATE, 0))
            name, states, numbers, since = match["name"], {}, {}, ""
        elif match := _STATE.fullmatch(line):
            last = match["what"]
            states[last] = match["status"]
            if last == "Health":
                numbers = {each["key"]: int(each["value"]) for each in _NUMBER.finditer(match["rest"])}
        elif (match := _SINCE.fullmatch(line)) and last == "ScaleUp":
            since = match["since"]


# ------------------------------------------------------------------------------------------------------- both forms


def _group(
    name: str, counts: Mapping[str, Any], health: str, growth: str, why: str, since: str, late: int
) -> NodeGroup:
    target, most = counts["target"], counts["most"]
    troubles, words = [], []
    if target is not None and most is not None and target >= most:
        troubles.append(GroupTrouble.AT_MAXIMUM)
        words.append(f"it has its maximum of {most} nodes")
    if growth == "Backoff":
        troubles.append(GroupTrouble.BACKED_OFF)
        when = f" since {since}" if since else ""
        words.append(f"it is backed off{when}, as it failed to grow" + (f" ({why})" if why else ""))
    if health == "Unhealthy":
        troubles.append(GroupTrouble.UNHEALTHY)
        lacks = f"{late} of its machines have not registered" if late else "too many of its nodes are not ready"
        words.append(f"it is unhealthy, as {lacks}")
    return NodeGroup(name=name, **counts, troubles=tuple(troubles), text=clauses(*words))
