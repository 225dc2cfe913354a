"""Requests for certificates. Source: certificates/validation, core/validation `ValidateSignerName`, release 1.36.

Deviation: of the request itself, only its kind of PEM block is looked at, neither its content nor its signature.
"""

import base64
import binascii

from kexplain.objects.json_values import shown
from kexplain.objects.problem import Stage
from kexplain.patterns import regex
from kexplain.tables import table
from kexplain.validation.field import Field
from kexplain.validation.names import among, dns_label, dns_subdomain, path_segment

_usage = among(*table("certificate-usages", tuple[str, ...]))
_LONGEST_DOMAIN = 253
_BLOCK = regex(rb"(?:^|\n)-----BEGIN (?P<kind>[^\n]*)-----\s*\n(?P<body>[A-Za-z0-9+/=\s]*?)\n?-----END (?P=kind)-----")


def _check_parts(signer: Field) -> None:
    domain, _, path = signer.string.partition("/")
    if len(domain) > _LONGEST_DOMAIN or dns_subdomain(domain) or "." not in domain:
        signer.reject(f"{shown(domain)} is not a domain with a dot")
    signer.reject_if(not path or any(dns_label(part) for part in path.split(".")), f"{shown(path)} is not a DNS name")


def _check_request(request: Field) -> None:
    try:
        block = _BLOCK.search(base64.b64decode(request.string, validate=False))
    except binascii.Error:
        return
    is_wrong = block is None or block["kind"] != b"CERTIFICATE REQUEST"
    request.reject_if(is_wrong, "must be a PEM block of the type CERTIFICATE REQUEST")


def _check_late(name: Field) -> None:
    # What only a path could not hold is found last of all.
    name.at_stage(Stage.POLICY).obey(path_segment)
