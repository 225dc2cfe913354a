"""What names, labels and other short texts may look like.

Each rule returns what is wrong with a text, or None. Source: apimachinery `util/validation`,
`api/validate/content`, release 1.36.
"""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from kexplain.objects.selectors import is_dns_label, is_dns_subdomain, is_label_value, is_qualified_name
from kexplain.patterns import regex
from kexplain.validation.field import OneOf, Rule

MAX_LABEL = 63
MAX_SUBDOMAIN = 253
_MAX_IDENTIFIER = 32

_UNDERSCORED = r"_?[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?"
_OLD_LABEL = regex(r"[a-z](?:[-a-z0-9]*[a-z0-9])?")
_UNDERSCORED_SUBDOMAIN = regex(rf"{_UNDERSCORED}(?:\.{_UNDERSCORED})*")
_PORT_NAME = regex(r"(?=[-0-9]*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*")
_CONFIG_KEY = regex(r"[-._a-zA-Z0-9]+")
_HEADER = regex(r"[-A-Za-z0-9]+")
_ENVIRONMENT = regex(r"[ -<>-~]+")
_SYSCTL = regex(r"(?:[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?")
_HTTP_PATH = regex(r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+")
_PERCENT = regex(r"[0-9]+%")
_C_IDENTIFIER = regex(r"[A-Za-z_][A-Za-z0-9_]*")
_PREFIX_LENGTH = regex(r"0|[1-9][0-9]{0,2}")
_LINK_LOCAL_MULTICAST = {4: ip_network("224.0.0.0/24"), 6: ip_network("ff02::/16")}


def dns_label(text: str) -> str | None:
    """Names of containers, volumes, namespaces."""
    if is_dns_label(text):
        return None
    return f"is not a DNS label: lower case letters, digits and - inside, at most {MAX_LABEL} characters"


def dns_old_label(text: str) -> str | None:
    """Versions of APIs, and names of their kinds: labels that begin with a letter."""
    if _OLD_LABEL.fullmatch(text) and len(text) <= MAX_LABEL:
        return None
    return "is not valid: use at most 63 lower-case letters, digits and dashes, with a letter first"


def dns_subdomain(text: str) -> str | None:
    """Names of most objects."""
    if is_dns_subdomain(text):
        return None
    return f"is not a DNS name: lower case letters, digits, - and . inside, at most {MAX_SUBDOMAIN} characters"


def any_name(_: str) -> str | None:
    """Names that can be anything."""
    return None


def wildcard_domain(text: str) -> str | None:
    """Hosts of an ingress, of which the first part is any."""
    if text.startswith("*.") and is_dns_subdomain(text[2:]) and len(text) <= MAX_SUBDOMAIN:
        return None
    return "is not a DNS name with *. before it, such as *.example.com"


def path_segment(text: str) -> str | None:
    """Names of objects whose kind asks for no more than that they can be part of a URL."""
    if text in (".", "..") or "/" in text or "%" in text:
        return "cannot be a name: it is . or .., or has / or % in it"
    return None


def search_domain(text: str) -> str | None:
    """Search domains of a resolver, in which underscores are fine."""
    if _UNDERSCORED_SUBDOMAIN.fullmatch(text) and len(text) <= MAX_SUBDOMAIN:
        return None
    return f"is not a domain: lower case letters, digits, -, _ and ., at most {MAX_SUBDOMAIN} characters"


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
annotation_key, kind_name, driver_name = map(in_any_case, (label_key, dns_old_label, dns_subdomain))


def port_name(text: str) -> str | None:
    """Names of container ports."""
    if _PORT_NAME.fullmatch(text) and len(text) <= 15:
        return None
    return (
        "is not a port name: lower case letters, digits and single - inside, one letter at least, at most 15 characters"
    )


def config_key(text: str) -> str | None:
    """Keys of config maps and secrets."""
    if _CONFIG_KEY.fullmatch(text) and len(text) <= MAX_SUBDOMAIN and not text.startswith("..") and text != ".":
        return None
    return "is not a key of a ConfigMap or Secret: letters, digits, -, _ and ., not beginning with .."


def environment_name(text: str) -> str | None:
    """Names of environment variables."""
    return None if _ENVIRONMENT.fullmatch(text) else "is not a variable's name: printable ASCII without ="


def header_name(text: str) -> str | None:
    """Names of HTTP headers."""
    return None if _HEADER.fullmatch(text) else "is not an HTTP header: letters, digits and -"


def sysctl_name(text: str) -> str | None:
    """Names of kernel parameters."""
    if _SYSCTL.fullmatch(text) and len(text) <= MAX_SUBDOMAIN:
        return None
    return "is not a sysctl: lower case words of letters, digits, - and _, separated by . or /"


def domain_path(text: str) -> str | None:
    """Who manages a job, as in example.com/controller."""
    domain, _, path = text.partition("/")
    if domain and path and not dns_subdomain(domain) and _HTTP_PATH.fullmatch(path):
        return None
    return "is not a path with a domain before it, such as example.com/controller"


def c_identifier(text: str) -> str | None:
    """Names of attributes and capacities of devices."""
    if _C_IDENTIFIER.fullmatch(text) and len(text) <= _MAX_IDENTIFIER:
        return None
    return f"is not an identifier: letters, digits and _, not beginning with a digit, at most {_MAX_IDENTIFIER}"


def percentage(text: str) -> str | None:
    """Parts of the whole, as in 25%."""
    return None if _PERCENT.fullmatch(text) else "is not a percentage such as 25%"


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
    if address in _LINK_LOCAL_MULTICAST[address.version]:
        return "is in the range of link-local multicast"
    return None


def reachable_address(text: str) -> str | None:
    """An address, of those that others can reach."""
    return ip(text) or endpoint_address(text)


def is_ipv6(text: str) -> bool:
    """Whether this is the address of that family."""
    return ":" in text


def relative_path(text: str) -> str | None:
    """Paths inside a volume. Source: `validateLocalDescendingPath`."""
    return "must be a relative path" if text.startswith("/") else no_backsteps(text)


def no_backsteps(text: str) -> str | None:
    """Paths that never go up."""
    return 'must not contain ".."' if ".." in text.split("/") else None


def file_path(text: str) -> str | None:
    """Paths of files in a volume, whose names beginning with two dots are taken."""
    if text.startswith("..") and not text.startswith("../") and text != "..":
        return 'must not begin with ".."'
    return relative_path(text)


def among(*values: str, said: str = "is not supported: use ") -> Rule:
    """The rule that a text must be one of some, which follow what is `said`."""
    return OneOf(values, said)
