"""Claims for devices, templates of such claims, and classes of devices.

Source: resource/validation, release 1.36 with its default feature gates. Upstream's limit on what an expression may
cost is not estimated.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from kexplain.cel.conditions import selector_problem
from kexplain.validation.metadata import check_metadata, check_template_metadata
from kexplain.validation.names import c_identifier, dns_label, dns_subdomain, label_key, label_value
from kexplain.validation.problem import Field, reject_repeated, shown
from kexplain.validation.resources import is_extended
from kexplain.validation.volumes import check_csi_driver

_MOST_REQUESTS = 32
_MOST_CONSTRAINTS = 32
_MOST_CONFIGS = 32
_MOST_SELECTORS = 32
_MOST_ALTERNATIVES = 8
_MOST_EXPRESSION = 10 << 10
_MOST_PARAMETERS = 10 << 10
_ALLOCATION_MODES = ("ExactCount", "All")
_OPERATORS = ("Equal", "Exists")
_ADMIN_LABEL = "resource.kubernetes.io/admin-access"
DEVICE_EFFECTS = ("NoSchedule", "NoExecute", "None")


def check_resource_claim(claim: Field) -> None:
    """A claim."""
    check_metadata(claim.child("metadata"))
    _check_devices(claim.descend("spec", "devices"))


def check_resource_claim_template(template: Field) -> None:
    """What claims are made of; of their metadata it can set labels and annotations."""
    check_metadata(template.child("metadata"))
    check_template_metadata(template.descend("spec", "metadata"))
    _check_devices(template.descend("spec", "spec", "devices"))


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


def check_device_class(device_class: Field) -> None:
    """A class of devices."""
    check_metadata(device_class.child("metadata"))
    spec = device_class.child("spec")
    _check_selectors(spec.child("selectors"))
    if spec.child("config").no_more_than(_MOST_CONFIGS):
        for config in spec.child("config").items():
            _check_config(config)
    resource = spec.child("extendedResourceName")
    if resource.is_set and (label_key(resource.string) or not is_extended(resource.string)):
        resource.reject(f"{shown(resource.string)} is not the name of an extended resource, such as example.com/gpu")


# --------------------------------------------------------------------------------------------------- requests


def _check_devices(devices: Field) -> None:
    requests, constraints, configs = (devices.child(name) for name in ("requests", "constraints", "config"))
    known = _request_names(requests)
    if requests.no_more_than(_MOST_REQUESTS):
        for request in requests.items():
            _check_request(request)
        reject_repeated((request.child("name").string, request) for request in requests.items())
    if constraints.no_more_than(_MOST_CONSTRAINTS):
        for constraint in constraints.items():
            _check_constraint(constraint, known)
    if configs.no_more_than(_MOST_CONFIGS):
        for config in configs.items():
            _check_references(config.child("requests"), known)
            _check_config(config)


def _request_names(requests: Field) -> set[str]:
    """What constraints can refer to: requests, and alternatives as `request/alternative`."""
    names = set()
    for request in requests.items():
        name = request.child("name").string
        alternatives = [each.child("name").string for each in request.child("firstAvailable").items()]
        names |= {name, *(f"{name}/{alternative}" for alternative in alternatives)}
    return names


def _check_request(request: Field) -> None:
    request.child("name").obey(dns_label)
    exactly, alternatives = request.child("exactly"), request.child("firstAvailable")
    if exactly.is_set == bool(alternatives.items()):
        request.reject("takes either exactly or firstAvailable")
    elif exactly.is_set:
        _check_wanted(exactly)
    elif alternatives.no_more_than(_MOST_ALTERNATIVES):
        for alternative in alternatives.items():
            alternative.child("name").obey(dns_label)
            _check_wanted(alternative)
        reject_repeated((alternative.child("name").string, alternative) for alternative in alternatives.items())


def _check_wanted(wanted: Field) -> None:
    """Which devices, and how many."""
    class_name = wanted.child("deviceClassName")
    if class_name.require():
        class_name.obey(dns_subdomain)
    _check_selectors(wanted.child("selectors"))
    mode, count = wanted.child("allocationMode"), wanted.child("count")
    if mode.value == "All":
        if count.number():
            count.reject("must be left out where allocationMode is All")
    elif mode.string in ("", "ExactCount"):
        # A count of 0 becomes 1.
        count.not_negative()
    else:
        mode.one_of(_ALLOCATION_MODES)
    for toleration in wanted.child("tolerations").items():
        _check_toleration(toleration)


def _check_selectors(selectors: Field) -> None:
    if not selectors.no_more_than(_MOST_SELECTORS):
        return
    for selector in selectors.items():
        if not selector.child("cel").require_set():
            continue
        expression = selector.descend("cel", "expression")
        if len(expression.string.encode()) > _MOST_EXPRESSION:
            expression.no_longer_than(_MOST_EXPRESSION)
        elif problem := selector_problem(expression.string):
            expression.reject(f"is not a CEL expression that a device can be asked: {problem}")


def _check_toleration(toleration: Field) -> None:
    key, operator, value, effect = (toleration.child(name) for name in ("key", "operator", "value", "effect"))
    if key.string:
        key.obey(label_key)
    if operator.value == "Exists":
        if value.string:
            value.reject("must be left out where the operator is Exists")
    elif operator.string in ("", "Equal"):
        # No operator is Equal.
        value.obey(label_value)
    else:
        operator.one_of(_OPERATORS)
    if effect.string:
        effect.one_of(DEVICE_EFFECTS)


# ------------------------------------------------------------------------------- constraints and configurations


def _check_constraint(constraint: Field, known: set[str]) -> None:
    _check_references(constraint.child("requests"), known)
    match_attribute, distinct = constraint.child("matchAttribute"), constraint.child("distinctAttribute")
    if match_attribute.is_set:
        check_full_name(match_attribute)
    elif distinct.is_set:
        check_full_name(distinct)
    else:
        constraint.reject("takes matchAttribute or distinctAttribute, and needs one of them")


def _check_references(names: Field, known: set[str]) -> None:
    if not names.no_more_than(_MOST_REQUESTS):
        return
    for name in names.items():
        parts = name.string.split("/")
        for part in parts if len(parts) <= 2 else ():
            if problem := dns_label(part):
                name.reject(f"{shown(part)} {problem}")
        if name.string not in known:
            name.reject(f"{shown(name.string)} is not a request of this claim, nor request/alternative")
    reject_repeated((name.string, name) for name in names.items())


def check_qualified_name(name: str, at: Field) -> None:
    """Attributes and capacities: an identifier, after a driver's domain or not."""
    parts = name.split("/")
    if len(parts) == 2:
        if parts[0]:
            check_csi_driver(at.with_value(parts[0]))
        else:
            at.reject(f"{shown(name)} has an empty domain")
    # With more slashes, an API server looks no further.
    if len(parts) <= 2 and (problem := c_identifier(parts[-1])):
        at.reject(f"{shown(parts[-1])} {problem}")


def check_full_name(name: Field) -> None:
    """The same, with a domain always."""
    check_qualified_name(name.string, name)
    if "/" not in name.string:
        name.reject(f"{shown(name.string)} needs a domain before it, such as example.com/model")


def _check_config(config: Field) -> None:
    opaque = config.child("opaque")
    if not opaque.require_set():
        return
    check_csi_driver(opaque.child("driver"))
    parameters = opaque.child("parameters")
    if not parameters.require_set():
        return
    if len(json.dumps(parameters.value, separators=(",", ":"))) > _MOST_PARAMETERS:
        parameters.reject(f"must have at most {_MOST_PARAMETERS} characters")
    elif not isinstance(parameters.value, dict):
        parameters.reject("must be an object")
