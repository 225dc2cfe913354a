"""Ingresses, their classes, and network policies.

Source: networking/validation, release 1.36.
"""

from __future__ import annotations

from ipaddress import ip_address, ip_network

from kexplain.validation.labels import check_label_selector
from kexplain.validation.metadata import check_metadata
from kexplain.validation.names import (
    cidr,
    dns_label,
    dns_subdomain,
    domain_path,
    ip,
    path_segment,
    port_name,
    port_number,
    wildcard_domain,
)
from kexplain.validation.probes import check_port
from kexplain.validation.problem import Field, shown
from kexplain.validation.services import PROTOCOLS

_CLASS_ANNOTATION = "kubernetes.io/ingress.class"
_MOST_CONTROLLER = 250
_STRICT_PATHS = ("Exact", "Prefix")
_PATH_TYPES = (*_STRICT_PATHS, "ImplementationSpecific")
_FORBIDDEN_IN_PATHS = ("//", "/./", "/../", "%2f", "%2F")
_FORBIDDEN_AT_END = ("/..", "/.")
_SCOPES = ("Cluster", "Namespace")
_DIRECTIONS = ("Ingress", "Egress")
_MOST_RANGES = 2


# -------------------------------------------------------------------------------------------------- ingresses


def check_ingress(ingress: Field) -> None:
    """An ingress."""
    metadata, spec = ingress.child("metadata"), ingress.child("spec")
    check_metadata(metadata)
    rules, default, class_name = (spec.child(name) for name in ("rules", "defaultBackend", "ingressClassName"))
    if not rules.items() and not default.is_set:
        spec.reject("needs rules or a defaultBackend")
    if default.is_set:
        _check_backend(default)
    for rule in rules.items():
        _check_rule(rule)
    for each in spec.child("tls").items():
        for host in each.child("hosts").items():
            host.obey(_host)
        if each.child("secretName").string:
            each.child("secretName").obey(dns_subdomain)
    if class_name.is_set:
        class_name.obey(dns_subdomain)
    annotation = metadata.child("annotations").key(_CLASS_ANNOTATION)
    if annotation.is_set and class_name.is_set and annotation.value != class_name.value:
        at = annotation.written(f"annotations.{_CLASS_ANNOTATION}")
        at.reject(f"{shown(annotation.string)} is not {shown(class_name.string)}, which ingressClassName says")


def _host(text: str) -> str | None:
    return wildcard_domain(text) if "*" in text else dns_subdomain(text)


def _is_ip(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _check_rule(rule: Field) -> None:
    host, http = rule.child("host"), rule.child("http")
    if host.string:
        host.obey(_host)
        if _is_ip(host.string):
            host.reject("must be a DNS name, not an IP address")
    if http.is_set:
        http.child("paths").require("needs at least one path")
        for path in http.child("paths").items():
            _check_path(path)


def _check_path(path: Field) -> None:
    kind, location = path.child("pathType"), path.child("path")
    if not kind.require_set():
        return
    kind.one_of(_PATH_TYPES)
    is_strict = kind.value in _STRICT_PATHS
    if (is_strict or (kind.value in _PATH_TYPES and location.string)) and not location.string.startswith("/"):
        location.reject(f"{shown(location.string)} must begin with /")
    if is_strict and any(each in location.string for each in _FORBIDDEN_IN_PATHS):
        location.reject(f"{shown(location.string)} must not contain any of {' '.join(_FORBIDDEN_IN_PATHS)}")
    if is_strict and location.string.endswith(_FORBIDDEN_AT_END):
        location.reject(f"{shown(location.string)} must not end with any of {' '.join(_FORBIDDEN_AT_END)}")
    _check_backend(path.child("backend"))


def _check_backend(backend: Field) -> None:
    resource, service = backend.child("resource"), backend.child("service")
    if resource.is_set == service.is_set:
        backend.reject("takes either a service or a resource")
    elif resource.is_set:
        _check_reference(resource)
    else:
        name, port_text, number = (
            service.child("name"),
            service.descend("port", "name"),
            service.descend("port", "number"),
        )
        if name.require():
            name.obey(dns_label)
        if bool(port_text.string) == bool(number.number()):
            backend.reject("takes either the name of a port or its number")
        elif port_text.string:
            port_text.obey(port_name)
        elif problem := port_number(number.number()):
            number.reject(problem)


def _check_reference(reference: Field) -> None:
    if reference.child("apiGroup").is_set:
        reference.child("apiGroup").obey(dns_subdomain)
    for name in ("kind", "name"):
        if reference.child(name).require():
            reference.child(name).obey(path_segment)


def check_ingress_class(ingress_class: Field) -> None:
    """A class of ingresses."""
    check_metadata(ingress_class.child("metadata"))
    spec = ingress_class.child("spec")
    controller, parameters = spec.child("controller"), spec.child("parameters")
    controller.no_longer_than(_MOST_CONTROLLER)
    controller.obey(domain_path)
    if not parameters.is_set:
        return
    _check_reference(parameters)
    scope, namespace = parameters.child("scope"), parameters.child("namespace")
    scope.one_of(_SCOPES)
    if scope.value == "Namespace":
        if namespace.require_set("is required where the scope is Namespace"):
            namespace.obey(dns_label)
    elif scope.value in (None, "Cluster") and namespace.is_set:
        namespace.reject("must be left out where the scope is Cluster")


# ---------------------------------------------------------------------------------------------------- policies


def check_network_policy(policy: Field) -> None:
    """A network policy."""
    check_metadata(policy.child("metadata"))
    spec = policy.child("spec")
    check_label_selector(spec.child("podSelector"))
    for direction, side in (("ingress", "from"), ("egress", "to")):
        for rule in spec.child(direction).items():
            for port in rule.child("ports").items():
                _check_policy_port(port)
            for peer in rule.child(side).items():
                _check_peer(peer)
    types = spec.child("policyTypes")
    if types.no_more_than(len(_DIRECTIONS)):
        for each in types.items():
            each.one_of(_DIRECTIONS)


def _check_policy_port(entry: Field) -> None:
    port, end = entry.child("port"), entry.child("endPort")
    entry.child("protocol").one_of(PROTOCOLS)
    if port.is_set:
        check_port(port)
    if not end.is_set:
        return
    if not isinstance(port.value, int):
        end.reject("needs a port that is a number")
        return
    if problem := port_number(end.number()):
        end.reject(problem)
    if end.number() < port.number():
        end.reject(f"{end.number()} is less than port, which is {port.number()}")


def _check_peer(peer: Field) -> None:
    selectors = [peer.child(name) for name in ("podSelector", "namespaceSelector")]
    block = peer.child("ipBlock")
    for selector in selectors:
        check_label_selector(selector)
    if block.is_set:
        _check_block(block)
        if any(selector.is_set for selector in selectors):
            peer.reject("takes either ipBlock or selectors")
    elif not any(selector.is_set for selector in selectors):
        peer.reject("needs a podSelector, a namespaceSelector or an ipBlock")


def _check_block(block: Field) -> None:
    whole = block.child("cidr")
    if not whole.require():
        return
    whole.obey(cidr)
    if cidr(whole.string):
        return
    around = ip_network(whole.string)
    for part in block.child("except").items():
        part.obey(cidr)
        if cidr(part.string):
            continue
        inner = ip_network(part.string)
        is_inside = inner.version == around.version and inner.network_address in around
        if not is_inside or inner.prefixlen <= around.prefixlen:
            part.reject(f"{shown(part.string)} is not a part of {whole.string}")


# -------------------------------------------------------------------------------------------------- addresses


def check_ip_address(address: Field) -> None:
    """An address that is taken; its name is the address."""
    check_metadata(address.child("metadata"), ip, is_namespaced=False)
    parent = address.descend("spec", "parentRef")
    if not parent.require_set():
        return
    if parent.child("group").string:
        parent.child("group").obey(dns_subdomain)
    for name in ("resource", "name"):
        if parent.child(name).require():
            parent.child(name).obey(path_segment)
    if parent.child("namespace").string:
        parent.child("namespace").obey(path_segment)


def _is_range(text: str) -> bool:
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return "/" in text


def check_service_cidr(service_cidr: Field) -> None:
    """Ranges of the addresses of services, one for each family at most."""
    check_metadata(service_cidr.child("metadata"), is_namespaced=False)
    ranges = service_cidr.descend("spec", "cidrs")
    if not ranges.require("needs a range at least"):
        return
    texts = ranges.strings
    if len(texts) > _MOST_RANGES:
        ranges.reject(f"has {len(texts)} ranges; at most {_MOST_RANGES} are valid")
        return
    for each in ranges.items():
        each.obey(cidr)
    if len({":" in text for text in texts if _is_range(text)}) < sum(map(_is_range, texts)):
        ranges.reject("must have no more than one range for each family of addresses")
