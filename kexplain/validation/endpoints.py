"""Endpoints and slices of them. Source: core/validation `ValidateEndpoints`, discovery/validation, release 1.36."""

from __future__ import annotations

from kexplain.objects.json_values import shown
from kexplain.validation.field import Field, Rule
from kexplain.validation.metadata import check_metadata
from kexplain.validation.names import (
    among,
    dns_label,
    dns_subdomain,
    endpoint_address,
    ip,
    is_ipv6,
    label_key,
    label_value,
    reachable_address,
)
from kexplain.validation.rows import Judgement, Table, each, given, judge, may, most, needs, obeys, unique
from kexplain.validation.services import PROTOCOLS

_ADDRESS_TYPES = ("FQDN", "IPv4", "IPv6")


def _needs_address(subset: Field) -> None:
    if not subset.child("addresses").items() and not subset.child("notReadyAddresses").items():
        subset.reject("needs addresses or notReadyAddresses")


def _check_ports(ports: Field) -> None:
    for port in ports.items():
        name, number = port.child("name"), port.child("port")
        if name.string:
            name.obey(dns_label)
        elif len(ports.items()) > 1:
            name.reject("is required where there are several ports")
        number.port()
        # A slice does not take an empty text for the default.
        judge(port, {"protocol": may(among(*PROTOCOLS)), **_APP_PROTOCOL})


_APP_PROTOCOL: Table = {"appProtocol": given(label_key)}
_ADDRESS: Table = {"ip": obeys(reachable_address), "hostname": may(dns_label), "nodeName": given(dns_subdomain)}
#: The endpoints of a service.
ENDPOINTS: Table = {
    "metadata": check_metadata,
    "subsets[]": {"": _needs_address, "addresses[]": _ADDRESS, "notReadyAddresses[]": _ADDRESS, "ports": _check_ports},
}


def _check_endpoint(endpoint: Field, kind: str) -> None:
    addresses = endpoint.child("addresses")
    if addresses.require("needs at least one address"):
        addresses.no_more_than(100)
    for address in addresses.items():
        _check_slice_address(address, addresses, kind)
    judge(endpoint, _SLICE_ENDPOINT)


def _check_slice_address(address: Field, addresses: Field, kind: str) -> None:
    text = address.string
    if kind == "FQDN":
        judge(address, needs(_fully_qualified))
        return
    if kind not in _ADDRESS_TYPES:
        return
    if not address.judge(text, ip):
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
        return "is not a domain of at least two parts"
    return next((problem for part in parts if (problem := dns_label(part))), None)


def _hints(name: str, rule: Rule) -> Judgement:
    """Places of one kind that an endpoint is for; with too many of them, those of the other kind are not looked at."""

    def check(hints: Field) -> bool:
        places = hints.child(name)
        return judge(places, (most(8), unique("name", at="name"), each({"name": obeys(rule)})))

    return check


def _check_slice_endpoints(endpoint_slice: Field) -> None:
    endpoints = endpoint_slice.child("endpoints")
    if endpoints.no_more_than(1_000):
        for endpoint in endpoints.items():
            _check_endpoint(endpoint, endpoint_slice.child("addressType").string)


_SLICE_ENDPOINT: Table = {
    "nodeName": given(dns_subdomain),
    "hostname": given(dns_label),
    "hints": (_hints("forZones", label_value), _hints("forNodes", dns_subdomain)),
}
_SLICE_PORT: Table = {"name": may(dns_label), "protocol": given(among(*PROTOCOLS)), **_APP_PROTOCOL}
#: Some of the endpoints of a service.
ENDPOINT_SLICE: Table = {
    "metadata": check_metadata,
    "addressType": needs(among(*_ADDRESS_TYPES)),
    "ports": (most(20_000), each(_SLICE_PORT), unique("name", at="name")),
    "": _check_slice_endpoints,
}
