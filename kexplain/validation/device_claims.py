"""Claims for devices, templates of such claims, and classes of devices.

Source: resource/validation, release 1.36 with its default feature gates. Upstream's limit on what an expression may
cost is not estimated.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from kexplain.cel.conditions import selector_problem
from kexplain.objects.json_values import shown
from kexplain.validation.field import Field
from kexplain.validation.names import c_identifier, dns_label, label_key
from kexplain.validation.resources import is_extended
from kexplain.validation.rows import judge

_MOST_EXPRESSION = 10 << 10
_MOST_PARAMETERS = 10 << 10
_ADMIN_LABEL = "resource.kubernetes.io/admin-access"


def check_admin_access(spec: Field, namespace_labels: Mapping[str, str]) -> None:
    """Devices that are in use can be claimed for administration in namespaces that a label opens for it.

    `spec` is that of the claim, or of what a template makes; an API server names the same field for both.
    """
    if namespace_labels.get(_ADMIN_LABEL) == "true":
        return
    for index, request in enumerate(spec.descend("devices", "requests").items()):
        access = request.descend("exactly", "adminAccess")
        if access.flag:
            at = access.written(f"spec.devices.requests[{index}].adminAccess")
            at.reject(f"needs a namespace with the label {_ADMIN_LABEL}: true")
            return


def _is_extended_resource(name: str) -> str | None:
    if label_key(name) or not is_extended(name):
        return "is not the name of an extended resource, such as example.com/gpu"
    return None


# --------------------------------------------------------------------------------------------------- requests


def _request_names(requests: Field) -> set[str]:
    """What constraints can refer to: requests, and alternatives as `request/alternative`."""
    names = set()
    for request in requests.items():
        name = request.child("name").string
        alternatives = [each.child("name").string for each in request.child("firstAvailable").items()]
        names |= {name, *(f"{name}/{alternative}" for alternative in alternatives)}
    return names


def _check_expression(expression: Field) -> None:
    if len(expression.string.encode()) > _MOST_EXPRESSION:
        expression.no_longer_than(_MOST_EXPRESSION)
    elif problem := selector_problem(expression.string):
        expression.reject(f"is not a CEL expression that a device can be asked: {problem}")


# ------------------------------------------------------------------------------- constraints and configurations


def _check_reference(name: Field) -> None:
    parts, devices = name.string.split("/"), name.holder().holder().holder().holder()
    for part in parts if len(parts) <= 2 else ():
        name.judge(part, dns_label)
    if name.string not in _request_names(devices.child("requests")):
        name.reject(f"{shown(name.string)} is not a request of this claim, nor request/alternative")


def check_qualified_name(name: str, at: Field) -> None:
    """Attributes and capacities: an identifier, after a driver's domain or not."""
    parts = name.split("/")
    if len(parts) == 2:
        if parts[0]:
            judge(at.with_value(parts[0]), "volumes.csi_driver")
        else:
            at.reject(f"{shown(name)} has an empty domain")
    # With more slashes, an API server looks no further.
    if len(parts) <= 2:
        at.judge(parts[-1], c_identifier)


def check_key(entry: Field) -> None:
    """The key of an entry of attributes or capacities."""
    check_qualified_name(str(entry.path[-1]), entry)


def check_full_name(name: Field) -> None:
    """The same, with a domain always."""
    check_qualified_name(name.string, name)
    name.reject_if("/" not in name.string, f"{shown(name.string)} needs a domain before it, such as example.com/model")


def _check_config_parameters(parameters: Field) -> None:
    if len(json.dumps(parameters.value, separators=(",", ":"))) > _MOST_PARAMETERS:
        parameters.reject(f"must be at most {_MOST_PARAMETERS} characters long")
    elif not isinstance(parameters.value, dict):
        parameters.reject("must be an object")
