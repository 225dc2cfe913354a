"""What names, labels and other short texts may look like.

Each rule returns what is wrong with a text, or None. Source: apimachinery `util/validation`,
`api/validate/content`, release 1.36.
"""

from __future__ import annotations

import re
import sys
from ipaddress import IPv6Address, ip_address, ip_network

from msgspec import Struct

from kexplain.objects.selectors import is_dns_label, is_dns_subdomain, is_label_value, is_qualified_name
from kexplain.patterns import regex
from kexplain.tables import table
from kexplain.validation.field import OneOf, Rule

MAX_LABEL = 63
MAX_SUBDOMAIN = 253

_PREFIX_LENGTH = regex(r"0|[1-9][0-9]{0,2}")
_LINK_LOCAL_MULTICAST = {4: ip_network("224.0.0.0/24"), 6: ip_network("ff02::/16")}


class Form(Struct, frozen=True):
    """The rule that a text is as a pattern describes it, and not too long, by what it is the form `of`."""

    of: str
    pattern: str
    problem: str
    longest: int = sys.maxsize

    def __call__(self, text: str) -> str | None:
        return None if re.fullmatch(self.pattern, text) and len(text) <= self.longest else self.problem


_FORMS = table("text-forms", dict[str, Form])


def __getattr__(name: str) -> Form:
    """The form of that name."""
    if name not in _FORMS:
        raise AttributeError(name)
    return _FORMS[name]


def dns_label(text: str) -> str | None:
    """Names of containers, volumes, namespaces."""
    if is_dns_label(text):
        return None
    return f"is not a DNS label: lower case letters, digits and - inside, at most {MAX_LABEL} characters"


def dns_subdomain(text: str) -> str | None:
    """Names of most objects."""
    if is_dns_subdomain(text):
        return None
    return f"is not a DNS name: lower case letters, digits, - and . inside, at most {MAX_SUBDOMAIN} characters"


def absolute_name(text: str) -> str | None:
    """DNS names, perhaps with a dot at their end."""
    return dns_subdomain(text.removesuffix("."))


def any_name(_: str) -> str | None:
    """Names that can be anything."""
    return None


def prefix_of(rule: Rule) -> Rule:
    """The rule for what generated names begin with: a dash at the end is fine."""

    def checked(text: str) -> str | None:
        return rule(f"{text[:-2]}a" if len(text) > 1 and text.endswith("-") else text)

    return checked


def label_key(text: str) -> str | None:
    """Keys of labels, annotations and taints; names of gates and finalizers."""
    if is_qualified_name(text):
        return None
    prefix, slash, _ = text.rpartition("/")
    if slash and not is_dns_subdomain(prefix):
        return "is not a label key: before the / there must be a DNS name, and there may be only one /"
    return f"is not a label key: letters, digits, and -, _ or . inside, at most {MAX_LABEL}, after an optional domain/"


def label_value(text: str) -> str | None:
    """Values of labels."""
    if is_label_value(text):
        return None
    return f"is not a label value: letters, digits, and -, _ or . inside, at most {MAX_LABEL} characters, or nothing"


def in_any_case(rule: Rule) -> Rule:
    """The rule for what may be in upper case, too."""
    return lambda text: rule(text.lower())


#: Keys of annotations, kinds of objects, and names of CSI drivers.
annotation_key = in_any_case(label_key)
kind_name = in_any_case(_FORMS["dns_old_label"])
driver_name = in_any_case(dns_subdomain)


def ip(text: str) -> str | None:
    """IP addresses in the one way to write them. Source: `IsValidIPForLegacyField`, strict since 1.36."""
    try:
        address = ip_address(text)
    except ValueError:
        return "is not an IP address"
    if isinstance(address, IPv6Address) and (address.ipv4_mapped or address.scope_id is not None):
        return "is an IPv4 address written as IPv6; write it as IPv4" if address.ipv4_mapped else "has a zone"
    return None


def cidr(text: str) -> str | None:
    """Ranges of addresses, without bits behind the prefix. Source: `IsValidCIDRForLegacyField`, strict since 1.36."""
    address, slash, length = text.partition("/")
    if not slash or ip(address) or not _PREFIX_LENGTH.fullmatch(length):
        return "is not a range of IP addresses such as 10.9.8.0/24"
    try:
        ip_network(text)
    except ValueError:
        return "is not a range of IP addresses: bits beyond the prefix length are set, or there are none left"
    return None


def endpoint_address(text: str) -> str | None:
    """Addresses that others can reach. Source: core/validation `ValidateEndpointIP`."""
    address = ip_address(text)
    if address.is_unspecified or address.is_loopback or address.is_link_local:
        return "is an address that only this machine or its own link can reach"
    return "is in the range of link-local multicast" if address in _LINK_LOCAL_MULTICAST[address.version] else None


def reachable_address(text: str) -> str | None:
    """An address, of those that others can reach."""
    return ip(text) or endpoint_address(text)


def is_ipv6(text: str) -> bool:
    """Whether this is the address of that family."""
    return ":" in text


def relative_path(text: str) -> str | None:
    """Paths inside a volume. Source: `validateLocalDescendingPath`."""
    return "must be a relative path" if text.startswith("/") else _FORMS["no_backsteps"](text)


def file_path(text: str) -> str | None:
    """Paths of files in a volume, whose names beginning with two dots are taken."""
    if text.startswith("..") and not text.startswith("../") and text != "..":
        return 'must not begin with ".."'
    return relative_path(text)


def among(*values: str, said: str = "is not supported: use ") -> Rule:
    """The rule that a text must be one of some, which follow what is `said`."""
    return OneOf(values, said)
