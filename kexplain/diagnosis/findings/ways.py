"""How facts read in statements: selectors, domains, amounts, what may have been meant, and what an API server says."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from kexplain.cluster.placed_pods import Maker
from kexplain.cluster.resource import is_scalar_resource_name
from kexplain.diagnosis.findings.place import VolumePlace
from kexplain.explain.wording import a_pod, amount, pods_of
from kexplain.grouping import grouped
from kexplain.objects.requests import HUGEPAGES_PREFIX
from kexplain.objects.well_known import HOSTNAME, ZONE
from kexplain.words import ask, clauses, joined, plural, shortened, some, verb

#: What people call the domains of well-known labels.
_CALLED = {ZONE: "zone", HOSTNAME: "node"}
#: The most of an API server's words that the first line has; the detail has them all.
_MOST = 200


def domain(key: str, value: str) -> str:
    """A domain: `zone eu-1a`."""
    return f"{_CALLED[key]} {value}" if key in _CALLED else f"{key}={value}"


def _called(key: str) -> str:
    return _CALLED.get(key, key)


def _domains(key: str) -> str:
    return f"{_CALLED[key]}s" if key in _CALLED else key


def workload(made_by: Maker | None) -> str:
    """A workload by its kind and key: `deployment shop/web`; empty for none."""
    if made_by is None:
        return ""
    namespace, kind, name = made_by
    return f"{'deployment' if kind == 'ReplicaSet' else str(kind).lower()} {namespace}/{name}"


def _device(resource: str) -> str:
    is_page = resource.startswith(HUGEPAGES_PREFIX)
    return f"huge pages of {resource.removeprefix(HUGEPAGES_PREFIX)}" if is_page else resource


def amounts(by_resource: Mapping[str, int]) -> str:
    """`4 cpu and 16Gi memory`"""
    return joined([f"{amount(resource, value)} {resource}" for resource, value in by_resource.items()])


def _total(resource: str, values: Mapping[str, int]) -> str:
    return amount(resource, sum(values.values()))


def _apart(volumes: Iterable[VolumePlace]) -> str:
    found = grouped((str(each), each.claim) for each in volumes).items()
    return joined([f"{'those of claims' if who[1:] else 'that of claim'} {joined(who)} {at}" for at, who in found])


def _early(classes: Sequence[str]) -> str:
    which = f"class {classes[0]} makes" if len(classes) == 1 else f"classes {joined(classes)} make"
    return f"{which} each volume at once (volumeBindingMode: Immediate), in whatever zone"


def _lacking(nodes_by_labels: Mapping[str, int]) -> str:
    found = nodes_by_labels.items()
    return joined([f"{count} more of the pool {verb(count, 'lacks')} {labels}" for labels, count in found])


class Needed(Struct, frozen=True):
    """What a pod needs of a resource, and what the best of its nodes has free."""

    resource: str
    needed: int
    free: int


def _shortage(
    best: str, nodes: int, amounts: Sequence[Needed], others: int, others_lack: Sequence[str], in_all: int | None
) -> str:
    """Of so many nodes, that which lacks least; what all have together, and how many others lack something else."""
    needs = joined([f"{amount(each.resource, each.needed)} {each.resource}" for each in amounts])
    free = [amount(each.resource, each.free, each.needed) for each in amounts]
    several = [f"{text} {each.resource}" for text, each in zip(free, amounts, strict=True)]
    has, first = joined(several) if several[1:] else free[0], amounts[0].resource
    which, has = ("none", "any") if has == "0" and nodes > 1 else ("the best", "none" if has == "0" else has)
    who = best if nodes == 1 else f"{which} of its {nodes} nodes in service"
    unit = f" {first}" if several[1:] else ""
    total = "" if in_all is None else f", all of them together {amount(first, in_all)}{unit}"
    lacking = f"{others} with enough {first} {verb(others, 'lacks')} {joined(others_lack, 'or')}" if others else ""
    return clauses(f"needs {needs}; {who} has {has} free{total}", lacking)


def _fields(fields: Sequence[Any], more: int) -> str:
    """`requests.cpu must be at most 2, and requests.memory would be refused, too`"""
    others = {each.about["field"]: None for each in fields[1:]}.keys() - {"", fields[0].about["field"]}
    named = f"{joined(sorted(others))} would be refused, too"
    rest = named if len(others) == more else f"{plural(more, 'more field')} would be refused"
    return f"{fields[0]}, and {rest}" if more else str(fields[0])


def _quotas(resources: Iterable[Any]) -> str:
    """`quota team is`, of how much is used of each resource."""
    names = list(dict.fromkeys(each.about["quota"] for each in resources))
    return f"quota {names[0]} is" if len(names) == 1 else f"quotas {joined(names)} are"


def _names(shown: Callable[[Sequence[str]], str]) -> Callable[[Iterable[object] | None], str]:
    return lambda things: shown([*map(str, things or ())])


#: The ways in which a template can show a fact, some of them together with other facts.
WAYS: Mapping[str, Callable[..., str]] = {
    "or": _names(lambda names: joined(names, "or")),
    "some": _names(lambda names: some(names, 4)),
    "clauses": _names(lambda names: clauses(*names)),
    "ask": _names(lambda names: ask(*names)),
    "is": lambda noun: verb(not noun.endswith("s"), "is"),
    "less": lambda count, other: str(count - other),
    "amount": amount,
    "total": _total,
    "amounts": amounts,
    "pods_of": pods_of,
    "a_pod": a_pod,
    "called": _called,
    "domains": _domains,
    "domain": domain,
    "device": _device,
    "apart": _apart,
    "early": _early,
    "lacking": _lacking,
    "scalar": lambda resource: resource if is_scalar_resource_name(resource) else "",
    "shortage": _shortage,
    "fields": _fields,
    "messages": lambda fields: clauses(*(each.about["message"] for each in fields)),
    "quotas": _quotas,
    "short": lambda text: shortened(text, _MOST),
}
