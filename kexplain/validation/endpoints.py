"""Endpoints and slices of them. Source: core/validation `ValidateEndpoints`, discovery/validation, release 1.36."""

from __future__ import annotations

from kexplain.objects.json_values import shown
from kexplain.validation.field import Field
from kexplain.validation.names import (
    dns_label,
    dns_subdomain,
    endpoint_address,
    ip,
    is_ipv6,
)
from kexplain.validation.rows import judge, needs

_ADDRESS_TYPES = ("FQDN", "IPv4", "IPv6")


def _check_ports(ports: Field) -> None:
    for port in ports.items():
        name, number = port.child("name"), port.child("port")
        if name.string:
            name.obey(dns_label)
        elif len(ports.items()) > 1:
            name.reject("is required where there are several ports")
        number.port()
        # A slice does not take an empty text for the default.
        judge(port, "endpoints.port")


def _check_endpoint(endpoint: Field, kind: str) -> None:
    addresses = endpoint.child("addresses")
    judge(addresses, "endpoints.addresses")
    for address in addresses.items():
        _check_slice_address(address, addresses, kind)
    judge(endpoint, "endpoints.slice_endpoint")


def _check_slice_address(address: Field, addresses: Field, kind: str) -> None:
    text = address.string
    if kind == "FQDN":
        judge(address, needs(_fully_qualified))
        return
    if kind not in _ADDRESS_TYPES:
        return
    if not address.judge(text, ip):
        return
    address.written(addresses).reject_if(is_ipv6(text) != (kind == "IPv6"), f"{shown(text)} is not an {kind} address")
    address.obey(endpoint_address)


def _fully_qualified(text: str) -> str | None:
    """Names of hosts with two parts at least, and perhaps a dot at the end."""
    name = text.removesuffix(".")
    parts = name.split(".")
    if problem := dns_subdomain(name):
        return problem
    if len(parts) < 2:
        return "is not a domain of at least two parts"
    return next((problem for part in parts if (problem := dns_label(part))), None)


def _check_hints(hints: Field) -> None:
    """The places that an endpoint is for; with too many zones, nodes are not looked at."""
    if judge(hints.child("forZones"), "endpoints.zones_hinted"):
        judge(hints.child("forNodes"), "endpoints.nodes_hinted")


def _check_slice_endpoints(endpoint_slice: Field) -> None:
    endpoints = endpoint_slice.child("endpoints")
    if endpoints.no_more_than(1_000):
        for endpoint in endpoints.items():
            _check_endpoint(endpoint, endpoint_slice.child("addressType").string)
