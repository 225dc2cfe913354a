"""Amounts and selectors in words."""

from kexplain.objects import quantity
from kexplain.objects.requests import CPU, EPHEMERAL_STORAGE, HUGEPAGES_PREFIX, MEMORY
from kexplain.objects.selectors import EVERYTHING


def amount(resource: str, value: int, other: int | None = None) -> str:
    """An amount as people write it; with `other`, precise enough to tell the two apart."""
    if resource == CPU:
        return quantity.format_milli(value)
    return quantity.format_bytes(value, other) if _is_bytes(resource) else str(value)


def at_most(resource: str, value: int) -> str:
    """An amount that is never more than it: bytes are cut to whole mebibytes where there are any."""
    text = amount(resource, value)
    return f"{value >> 20}Mi" if _is_bytes(resource) and value >> 20 and quantity.value(text) > value else text


def _is_bytes(resource: str) -> bool:
    return resource in (MEMORY, EPHEMERAL_STORAGE) or resource.startswith(HUGEPAGES_PREFIX)


def a_pod(selector: str) -> str:
    """One of the pods that a selector is about."""
    return "any pod" if selector == str(EVERYTHING) else f"a pod {_labels(selector)}"


def pods_of(selector: str) -> str:
    """The pods that a selector is about."""
    return "all pods" if selector == str(EVERYTHING) else f"pods {_labels(selector)}"


def _labels(selector: str) -> str:
    """A selector after a noun; a bare key would read as part of it."""
    if "=" in selector or " " in selector or "," in selector:
        return selector
    return f"without a label {selector[1:]}" if selector.startswith("!") else f"with a label {selector}"
