"""What custom resources say has failed: a condition, an error, or a phase, as most operators write them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kexplain.objects.meta import ObjectMeta
from kexplain.objects.reports import Report
from kexplain.objects.untrusted import at, conditions
from kexplain.patterns import regex
from kexplain.words import clauses

#: Conditions that should not hold, and those that should, by the status with which something has failed.
_AMISS = {
    "True": regex(r"(?i).*(failed|failure|degraded|error|stalled)"),
    "False": regex(r"(?i).*(ready|available|succeeded|synced|healthy|reconciled|scheduled|programmed)"),
}
_ERROR = regex(r"(?i)(last)?(sync)?(error|failure)(message)?")
#: What a state, phase or health is that nobody wants.
_FAILED = regex(r"(?i)(failed|error|degraded|faulted|unhealthy|offline|unavailable)")


def reports(api_version: str, kind: str, manifest: dict[str, Any], metadata: ObjectMeta) -> list[Report]:
    """The resource with what its status says has failed; nothing of one that says nothing of the kind."""
    status = manifest.get("status")
    said = next(filter(None, _said(status)), "") if isinstance(status, dict) else ""
    said = _unanswered(manifest) if kind == "CertificateSigningRequest" else said
    return [Report(api_version=api_version, metadata=metadata, of_kind=kind, said=said)] if said else []


def _unanswered(request: dict[str, Any]) -> str:
    """That a kubelet without a certificate waits for one, which it cannot join without."""
    is_new = not str(at(request, "spec", "username")).startswith("system:node:")
    is_of_kubelet = at(request, "spec", "signerName") == "kubernetes.io/kube-apiserver-client-kubelet"
    return "pending" if is_new and is_of_kubelet and not at(request, "status", "conditions") else ""


def _said(status: dict[str, Any]) -> Iterator[str]:
    for each in conditions(status, "conditions").values():
        amiss = _AMISS.get(each.status)
        if amiss and amiss.fullmatch(each.type):
            yield clauses(*filter(None, (each.reason, each.message)))
    words = {key: each for key, each in status.items() if isinstance(each, str)}
    yield from (each for key, each in words.items() if _ERROR.fullmatch(key))
    found = (f"{key} is {each}" for key, each in words.items() if _FAILED.fullmatch(each))
    yield from (words.get("message") or words.get("reason") or each for each in found)
