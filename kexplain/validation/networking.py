"""Ingresses, their classes, and network policies.

Source: networking/validation, release 1.36.
"""

from ipaddress import ip_address, ip_network

from kexplain.objects.json_values import shown
from kexplain.validation.field import Field
from kexplain.validation.names import (
    cidr,
    dns_subdomain,
    is_ipv6,
    wildcard_domain,
)

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


def _check_families(ranges: Field) -> None:
    sound = [text for text in ranges.strings if _is_range(text)]
    if len(set(map(is_ipv6, sound))) < len(sound):
        ranges.reject("must have no more than one range for each family of addresses")
