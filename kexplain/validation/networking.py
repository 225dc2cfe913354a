"""Ingresses, their classes, and network policies.

Source: networking/validation, release 1.36.
"""

from ipaddress import ip_address, ip_network

from kexplain.objects.json_values import shown
from kexplain.validation import rows
from kexplain.validation.field import Field
from kexplain.validation.names import (
    cidr,
    dns_subdomain,
    port_name,
    wildcard_domain,
)
from kexplain.validation.rows import judge

_CLASS_ANNOTATION = "kubernetes.io/ingress.class"
_STRICT_PATHS = ("Exact", "Prefix")
_PATH_TYPES = (*_STRICT_PATHS, "ImplementationSpecific")
_FORBIDDEN_IN_PATHS = ("//", "/./", "/../", "%2f", "%2F")
_FORBIDDEN_AT_END = ("/..", "/.")


# -------------------------------------------------------------------------------------------------- ingresses


def _host(text: str) -> str | None:
    return wildcard_domain(text) if "*" in text else dns_subdomain(text)


def _is_ip(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _is_no_ip(host: Field) -> None:
    host.reject_if(_is_ip(host.string), "must be a DNS name, not an IP address")


def _check_path(path: Field) -> None:
    kind, location = path.child("pathType"), path.child("path")
    if not kind.require_set():
        return
    kind.one_of(*_PATH_TYPES)
    is_strict = kind.value in _STRICT_PATHS
    if (is_strict or (kind.value in _PATH_TYPES and location.string)) and not location.string.startswith("/"):
        location.reject(f"{shown(location.string)} must begin with /")
    if is_strict and any(each in location.string for each in _FORBIDDEN_IN_PATHS):
        location.reject(f"{shown(location.string)} must not contain any of {' '.join(_FORBIDDEN_IN_PATHS)}")
    if is_strict and location.string.endswith(_FORBIDDEN_AT_END):
        location.reject(f"{shown(location.string)} must not end with any of {' '.join(_FORBIDDEN_AT_END)}")
    judge(path.child("backend"), "networking.backend")


def _check_backend_port(backend: Field) -> None:
    name, number = backend.descend("service", "port", "name"), backend.descend("service", "port", "number")
    if bool(name.string) == bool(number.number()):
        backend.reject("takes either the name of a port or its number")
    elif name.string:
        name.obey(port_name)
    else:
        number.port()


def _check_class_annotation(ingress: Field) -> None:
    annotation = ingress.descend("metadata", "annotations").key(_CLASS_ANNOTATION)
    class_name = ingress.descend("spec", "ingressClassName")
    if annotation.is_set and class_name.is_set and annotation.value != class_name.value:
        at = annotation.written(f"annotations.{_CLASS_ANNOTATION}")
        at.reject(f"{shown(annotation.string)} is not {shown(class_name.string)}, which ingressClassName says")


# ---------------------------------------------------------------------------------------------------- policies


def _check_policy_port(entry: Field) -> None:
    port, end = entry.child("port"), entry.child("endPort")
    if not end.is_set:
        return
    if not isinstance(port.value, int):
        end.reject("needs a port that is a number")
        return
    end.port()
    end.reject_if(end.number() < port.number(), f"{end.number()} is less than port, which is {port.number()}")


def _check_peer(peer: Field) -> None:
    selects, block = peer.child("podSelector").is_set or peer.child("namespaceSelector").is_set, peer.child("ipBlock")
    if block.is_set:
        _check_block(block)
        peer.reject_if(selects, "takes either ipBlock or selectors")
    elif not selects:
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


def _is_range(text: str) -> bool:
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return "/" in text


def _check_ranges(ranges: Field) -> None:
    texts = ranges.strings
    if not judge(ranges, (rows.most(2), {"[]": rows.obeys(cidr)})):
        return
    if len({":" in text for text in texts if _is_range(text)}) < sum(map(_is_range, texts)):
        ranges.reject("must have no more than one range for each family of addresses")
