"""Endpoints and slices of them. Source: core/validation `ValidateEndpoints`, discovery/validation, release 1.36."""

from __future__ import annotations

from kexplain.validation.names import dns_label, dns_subdomain


def _fully_qualified(text: str) -> str | None:
    """Names of hosts with two parts at least, and perhaps a dot at the end."""
    name = text.removesuffix(".")
    parts = name.split(".")
    if problem := dns_subdomain(name):
        return problem
    if len(parts) < 2:
        return "is not a domain of at least two parts"
    return next((problem for part in parts if (problem := dns_label(part))), None)
