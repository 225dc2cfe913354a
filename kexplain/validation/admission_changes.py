"""A manifest of a pod with what admission has changed in it, so that validation sees what an API server sees.

Records hold only what scheduling reads, manifests everything: changes are carried over from one to the other.
"""

from typing import Any

import msgspec

from kexplain.objects.core import Pod
from kexplain.objects.json_values import without_nulls

#: What admission decides as a whole.
_TAKEN_OVER = ("nodeSelector", "tolerations", "overhead", "priority", "priorityClassName", "preemptionPolicy")
_CHANGED_WITHIN = ("containers", "initContainers", "resources", "affinity", "topologySpreadConstraints")
#: What is decided as a whole within these, and what is filled in where the manifest has none.
_DECIDED = ("requests", "limits", "hostPort", "protocol")
_FILLED_IN = (*_DECIDED, "resources", "matchExpressions")


def with_changes(manifest: dict[str, Any], admitted: Pod) -> dict[str, Any]:
    """The manifest of a pod as it is once it is the admitted one; the manifest itself stays as it is."""
    own = manifest.get("spec", {})
    changed = without_nulls(msgspec.to_builtins(admitted.spec))
    # What has no default in the record but one in the manifest is left alone: absence must show.
    taken_over = {name: changed[name] for name in _TAKEN_OVER if name in changed}
    within = {name: _changed(own[name], changed[name]) for name in _CHANGED_WITHIN if name in own and name in changed}
    metadata = {**manifest.get("metadata", {}), "namespace": admitted.namespace}
    return {**manifest, "metadata": metadata, "spec": {**own, **taken_over, **within}}


def _changed(own: Any, changed: Any) -> Any:
    """A value with what has changed in it; lists may have grown at their ends."""
    if isinstance(own, list):
        return [*map(_changed, own, changed), *changed[len(own) :]]
    if not isinstance(own, dict):
        return own
    result = {**own}
    for name, inner in changed.items():
        if name in own and name not in _DECIDED:
            result[name] = _changed(own[name], inner)
        elif name in own or (name in _FILLED_IN and inner):
            result[name] = inner
    return result
