"""A manifest of a pod with what admission has changed in it, so that validation sees what an API server sees.

Records hold only what scheduling reads, manifests everything: changes are carried over from one to the other.
"""

from typing import Any

import msgspec

from kexplain.objects.core import Pod
from kexplain.objects.json_values import without_nulls
from kexplain.validation.scheduling import PREFERRED, REQUIRED


def with_changes(manifest: dict[str, Any], admitted: Pod) -> dict[str, Any]:
    """The manifest of a pod as it is once it is the admitted one; the manifest itself stays as it is."""
    own = manifest.get("spec", {})
    changed = without_nulls(msgspec.to_builtins(admitted.spec))
    # What has no default in the record but one in the manifest is left alone: absence must show.
    spec = {
        **own,
        **{name: changed[name] for name in _TAKEN_OVER if name in changed},
        **{
            name: _containers(own[name], changed.get(name, ()))
            for name in ("containers", "initContainers")
            if name in own
        },
    }
    if "resources" in own:
        spec["resources"] = _amounts(own["resources"], changed.get("resources", {}))
    if "affinity" in own:
        spec["affinity"] = _affinity(own["affinity"], changed.get("affinity", {}))
    if "topologySpreadConstraints" in own:
        constraints = changed.get("topologySpreadConstraints", ())
        spec["topologySpreadConstraints"] = _each(own["topologySpreadConstraints"], constraints, _selector)
    metadata = {**manifest.get("metadata", {}), "namespace": admitted.namespace}
    return {**manifest, "metadata": metadata, "spec": spec}


_TAKEN_OVER = ("nodeSelector", "tolerations", "overhead", "priority", "priorityClassName", "preemptionPolicy")


def _each(own: list[Any], changed: Any, change: Any) -> list[Any]:
    return [change(before, after) for before, after in zip(own, changed, strict=True)]


def _containers(own: list[Any], changed: Any) -> list[Any]:
    return _each(own, changed, _container)


def _container(own: dict[str, Any], changed: dict[str, Any]) -> dict[str, Any]:
    container = {**own}
    if "resources" in changed:
        container["resources"] = _amounts(own.get("resources", {}), changed["resources"])
    if "ports" in own:
        container["ports"] = _each(own["ports"], changed.get("ports", ()), _port)
    return container


def _port(own: dict[str, Any], changed: dict[str, Any]) -> dict[str, Any]:
    return {**own, **{name: changed[name] for name in ("hostPort", "protocol") if name in changed}}


def _amounts(own: dict[str, Any], changed: dict[str, Any]) -> dict[str, Any]:
    return {**own, **{name: changed[name] for name in ("requests", "limits") if changed.get(name)}}


def _affinity(own: dict[str, Any], changed: dict[str, Any]) -> dict[str, Any]:
    affinity = {**own}
    for name in ("podAffinity", "podAntiAffinity"):
        terms = own.get(name, {})
        after = changed.get(name, {})
        if REQUIRED in terms:
            affinity[name] = {**affinity[name], REQUIRED: _each(terms[REQUIRED], after.get(REQUIRED, ()), _selector)}
        if PREFERRED in terms:
            affinity[name] = {**affinity[name], PREFERRED: _each(terms[PREFERRED], after.get(PREFERRED, ()), _weighted)}
    return affinity


def _weighted(own: dict[str, Any], changed: dict[str, Any]) -> dict[str, Any]:
    if "podAffinityTerm" not in own:
        return own
    return {**own, "podAffinityTerm": _selector(own["podAffinityTerm"], changed.get("podAffinityTerm", {}))}


def _selector(own: dict[str, Any], changed: dict[str, Any]) -> dict[str, Any]:
    """A term or constraint with the expressions that its `matchLabelKeys` stand for."""
    selector = own.get("labelSelector")
    expressions = changed.get("labelSelector", {}).get("matchExpressions")
    return (
        own
        if selector is None or not expressions
        else {**own, "labelSelector": {**selector, "matchExpressions": expressions}}
    )
