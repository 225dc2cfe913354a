"""Ingresses, their classes, and network policies.

Source: networking/validation, release 1.36.
"""

from contextlib import suppress
from ipaddress import ip_address, ip_network

from kexplain.objects.json_values import shown
from kexplain.validation.field import Field
from kexplain.validation.names import is_ipv6

# -------------------------------------------------------------------------------------------------- ingresses


def _is_no_ip(host: Field) -> None:
    with suppress(ValueError):
        ip_address(host.string)
        host.reject("must be a DNS name, not an IP address")


# ---------------------------------------------------------------------------------------------------- policies


def _is_part(part: Field) -> None:
    whole = part.holder().holder().child("cidr").string
    inner, around = ip_network(part.string), ip_network(whole)
    is_inside = inner.version == around.version and inner.network_address in around
    if not is_inside or inner.prefixlen <= around.prefixlen:
        part.reject(f"{shown(part.string)} is not a part of {whole}")


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
