"""Endpoints and slices of them. Source: core/validation `ValidateEndpoints`, discovery/validation, release 1.36."""

from __future__ import annotations

from kexplain.validation.metadata import check_metadata
from kexplain.validation.names import (
    dns_label,
    dns_subdomain,
    endpoint_address,
    ip,
    is_ipv6,
    label_key,
    label_value,
    port_number,
)
from kexplain.validation.problem import Field, reject_repeated, shown
from kexplain.validation.services import PROTOCOLS

_ADDRESS_TYPES = ("FQDN", "IPv4", "IPv6")
_MOST_ADDRESSES = 100
_MOST_ENDPOINTS = 1_000
_MOST_HINTS = 8
_MOST_PORTS = 20_000


def check_endpoints(endpoints: Field) -> None:
    """The endpoints of a service."""
    check_metadata(endpoints.child("metadata"))
    for subset in endpoints.child("subsets").items():
        ready, others, ports = (subset.child(name) for name in ("addresses", "notReadyAddresses", "ports"))
        if not ready.items() and not others.items():
            subset.reject("needs addresses or notReadyAddresses")
        for address in (*ready.items(), *others.items()):
            _check_address(address)
        for port in ports.items():
            _check_port(port, needs_name=len(ports.items()) > 1)


def _check_address(address: Field) -> None:
    address.child("ip").obey(_reachable)
    if address.child("hostname").string:
        address.child("hostname").obey(dns_label)
    if address.child("nodeName").is_set:
        address.child("nodeName").obey(dns_subdomain)


def _reachable(text: str) -> str | None:
    return ip(text) or endpoint_address(text)


def _check_port(port: Field, *, needs_name: bool) -> None:
    name = port.child("name")
    if name.string:
        name.obey(dns_label)
    elif needs_name:
        name.reject("is required where there are several ports")
    if problem := port_number(port.child("port").number()):
        port.child("port").reject(f"{port.child('port').number()} {problem}")
    # A slice does not take an empty text for the default.
    if port.child("protocol").string:
        _check_protocols(port)
    else:
        _check_app_protocol(port)


def _check_protocols(port: Field) -> None:
    port.child("protocol").one_of(PROTOCOLS)
    _check_app_protocol(port)


def _check_app_protocol(port: Field) -> None:
    if port.child("appProtocol").is_set:
        port.child("appProtocol").obey(label_key)


def check_endpoint_slice(endpoint_slice: Field) -> None:
    """Some of the endpoints of a service."""
    check_metadata(endpoint_slice.child("metadata"))
    kind = endpoint_slice.child("addressType")
    if kind.require():
        kind.one_of(_ADDRESS_TYPES)
    ports, endpoints = endpoint_slice.child("ports"), endpoint_slice.child("endpoints")
    if ports.no_more_than(_MOST_PORTS):
        for port in ports.items():
            if port.child("name").string:
                port.child("name").obey(dns_label)
            _check_protocols(port)
        reject_repeated((port.child("name").string, port.child("name")) for port in ports.items())
    if endpoints.no_more_than(_MOST_ENDPOINTS):
        for endpoint in endpoints.items():
            _check_endpoint(endpoint, kind.string)


def _check_endpoint(endpoint: Field, kind: str) -> None:
    addresses = endpoint.child("addresses")
    if addresses.require("needs an address at least"):
        addresses.no_more_than(_MOST_ADDRESSES)
    for address in addresses.items():
        _check_slice_address(address, addresses, kind)
    for name, rule in (("nodeName", dns_subdomain), ("hostname", dns_label)):
        if endpoint.child(name).is_set:
            endpoint.child(name).obey(rule)
    hints = endpoint.child("hints")
    for name, rule in (("forZones", label_value), ("forNodes", dns_subdomain)):
        places = hints.child(name)
        if not places.no_more_than(_MOST_HINTS):
            return
        names = [each.child("name") for each in places.items()]
        reject_repeated((each.string, each) for each in names)
        for each in names:
            each.obey(rule)


def _check_slice_address(address: Field, addresses: Field, kind: str) -> None:
    text = address.string
    if kind == "FQDN":
        if address.require() and (problem := _fully_qualified(text)):
            address.reject(f"{shown(text)} {problem}")
        return
    if kind not in _ADDRESS_TYPES:
        return
    if problem := ip(text):
        address.reject(f"{shown(text)} {problem}")
        return
    if is_ipv6(text) != (kind == "IPv6"):
        address.written(addresses).reject(f"{shown(text)} is not an {kind} address")
    address.obey(endpoint_address)


def _fully_qualified(text: str) -> str | None:
    """Names of hosts with two parts at least, and perhaps a dot at the end."""
    name = text.removesuffix(".")
    parts = name.split(".")
    if problem := dns_subdomain(name):
        return problem
    if len(parts) < 2:
        return "is not a domain of two parts at least"
    return next((problem for part in parts if (problem := dns_label(part))), None)
