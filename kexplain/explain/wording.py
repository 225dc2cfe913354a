"""Facts in words: one line with the numbers that matter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from kexplain.explain.device_records import AboutDevices
from kexplain.explain.device_wording import device_words
from kexplain.explain.policy_records import AboutPolicies
from kexplain.explain.policy_wording import policy_words
from kexplain.explain.records import (
    AffinityFact,
    AntiAffinityFact,
    AnyFact,
    CordonFact,
    ExistingAntiAffinityFact,
    LeftOutFact,
    NodeNameFact,
    NodeSelectorFact,
    PortFact,
    ResourceFact,
    SkewFact,
    TaintFact,
    TopologyLabelFact,
)
from kexplain.explain.storage_records import AboutStorage
from kexplain.explain.storage_wording import storage_words
from kexplain.objects import quantity
from kexplain.objects.requests import CPU, EPHEMERAL_STORAGE, HUGEPAGES_PREFIX, MEMORY, PODS
from kexplain.objects.selectors import EVERYTHING

LEFT_OUT = "left out of its answer without a reason"


def amount(resource: str, value: int, other: int | None = None) -> str:
    """An amount as people write it; with `other`, precise enough to tell the two apart."""
    if resource == CPU:
        return quantity.format_milli(value)
    if _is_bytes(resource):
        return quantity.format_bytes(value, other)
    return str(value)


def at_most(resource: str, value: int) -> str:
    """An amount that is never more than it: bytes are cut to whole mebibytes where there are any."""
    text = amount(resource, value)
    return f"{value >> 20}Mi" if _is_bytes(resource) and value >> 20 and quantity.value(text) > value else text


def _is_bytes(resource: str) -> bool:
    return resource in (MEMORY, EPHEMERAL_STORAGE) or resource.startswith(HUGEPAGES_PREFIX)


def a_pod(selector: str) -> str:
    """One of the pods that a selector is about."""
    return "any pod" if selector == str(EVERYTHING) else f"a pod {selector}"


def pods_of(selector: str) -> str:
    """The pods that a selector is about."""
    return "all pods" if selector == str(EVERYTHING) else f"pods {selector}"


def detail(facts: Sequence[AnyFact], reasons: Sequence[str]) -> str:
    """All facts in a line; upstream's reasons where there are none."""
    selector = [fact for fact in facts if isinstance(fact, NodeSelectorFact)]
    if selector:
        return _selector_detail(selector)
    return "; ".join(_words(fact) for fact in facts) or "; ".join(reasons)


def _words(fact: AnyFact) -> str:  # noqa: C901, PLR0912 - a branch a kind of fact
    match fact:
        case ResourceFact():
            return _resource(fact)
        case TaintFact():
            return f"untolerated {taint_text(fact)}{near_miss_text(fact)}"
        case CordonFact():
            return "cordoned"
        case NodeNameFact():
            return f"spec.nodeName is {fact.wanted}"
        case NodeSelectorFact():
            return _selector(fact)
        case PortFact():
            holders = f" by {', '.join(fact.held_by)}" if fact.held_by else ""
            return f"{port_text(fact)} taken{holders}"
        case TopologyLabelFact():
            return f"no label {fact.topology_key}"
        case SkewFact():
            return _skew(fact)
        case AffinityFact():
            where = f"in {fact.topology_key}={fact.domain}" if fact.domain is not None else "in reach"
            return f"lacks {a_pod(fact.selector)} {where}"
        case AntiAffinityFact():
            return f"{_pods(fact.pods, fact.matching)} ({pods_of(fact.selector)}) in {fact.topology_key}={fact.domain}"
        case ExistingAntiAffinityFact():
            return f"{_pods(fact.pods, fact.matching)} must be away from this pod in {fact.topology_key}={fact.domain}"
        case LeftOutFact():
            return LEFT_OUT
        case AboutStorage():
            return storage_words(fact)
        case AboutPolicies():
            return policy_words(fact)
        case AboutDevices():
            return device_words(fact)
        case _:
            assert_never(fact)


def _resource(fact: ResourceFact) -> str:
    name = fact.resource
    if name == PODS:
        return f"pods {fact.used} of {fact.allocatable} used"
    requested = amount(name, fact.requested, fact.free)
    free = amount(name, fact.free, fact.requested)
    whole = f"{amount(name, fact.allocatable)} allocatable − {amount(name, fact.used)} requested"
    return f"{name} {requested} > {free} free ({whole})"


def near_miss_text(fact: TaintFact) -> str:
    """What the pod tolerates that looks like the taint, if anything."""
    return f" (tolerated is only {fact.near_miss})" if fact.near_miss else ""


def taint_text(fact: TaintFact) -> str:
    """A taint as `kubectl taint` writes it."""
    return f"{fact.key}={fact.value}:{fact.effect}" if fact.value else f"{fact.key}:{fact.effect}"


def port_text(fact: PortFact) -> str:
    """A host port, with its address if it is bound to one."""
    address = "" if fact.host_ip == "0.0.0.0" else f"{fact.host_ip}:"  # noqa: S104 (compared, not bound)
    return f"hostPort {address}{fact.port}/{fact.protocol}"


def _selector(fact: NodeSelectorFact) -> str:
    if not fact.key:
        return fact.expression
    if fact.key == "metadata.name":
        return f"needs {fact.expression}"
    actual = "no such label" if fact.actual is None else f"has {fact.key}={fact.actual}"
    return f"needs {fact.expression}, {actual}"


def _selector_detail(facts: Sequence[NodeSelectorFact]) -> str:
    """Everything of the node selector, and the alternatives of the required terms one after the other."""
    by_term: dict[int, list[NodeSelectorFact]] = {}
    for fact in facts:
        by_term.setdefault(fact.term, []).append(fact)
    texts = ["; ".join(_selector(fact) for fact in by_term.pop(0))] if 0 in by_term else []
    terms = [" and ".join(_selector(fact) for fact in term) for term in by_term.values()]
    if terms:
        texts.append(" or ".join(f"({term})" if len(terms) > 1 else term for term in terms))
    return "; ".join(texts)


def minimum_text(fact: SkewFact) -> str:
    """The count that the skew is measured from, and where it comes from."""
    if fact.domains < fact.min_domains:
        return f"minimum 0 as only {fact.domains} of {fact.min_domains} minDomains exist"
    return f"minimum {fact.minimum}" + (f" in {fact.minimum_domain}" if fact.minimum_domain is not None else "")


def _skew(fact: SkewFact) -> str:
    minimum = minimum_text(fact)
    own = f" + {fact.self_match} (itself)" if fact.self_match else ""
    return (
        f"{fact.topology_key}={fact.domain}: {fact.matching} matching{own} − {minimum} "
        f"= skew {fact.skew} > maxSkew {fact.max_skew}"
    )


def _pods(names: Sequence[str], count: int) -> str:
    if not names:
        return f"{count} pods"
    more = f" and {count - len(names)} more" if count > len(names) else ""
    return f"{', '.join(names)}{more}"
