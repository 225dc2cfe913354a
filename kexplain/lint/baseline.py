"""Known findings, which are recognized by their subjects, not by their lines."""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from kexplain.explain.output import Output
from kexplain.explain.records import API_VERSION
from kexplain.lint.findings import Finding
from kexplain.load.published import decode_published
from kexplain.load.text.source import Source

KIND = "LintBaseline"


class KnownFinding(Output, frozen=True):
    """A finding by its fingerprint; the rest is for whoever reads the file."""

    fingerprint: str
    rule: str = ""
    source: str = ""
    object: str = ""
    message: str = ""


class Baseline(Output, frozen=True):
    """All findings at one time."""

    findings: tuple[KnownFinding, ...]
    api_version: str = API_VERSION
    kind: str = KIND


def baseline_of(findings: Iterable[Finding]) -> str:
    """The findings as the text of a baseline."""
    known = tuple(
        KnownFinding(
            fingerprint=each.fingerprint, rule=each.rule, source=each.source, object=each.object, message=each.message
        )
        for each in findings
    )
    return msgspec.json.format(msgspec.json.encode(Baseline(findings=known)), indent=2).decode() + "\n"


def read_baseline(path: str) -> Counter[str]:
    """How often each fingerprint is known. Raises InputError if the file is no baseline."""
    source = Source(path, path)
    baseline = decode_published(source, source.read(), Baseline)
    if baseline.kind != KIND or baseline.api_version != API_VERSION:
        raise source.error(f"this is {baseline.api_version} {baseline.kind}, not {API_VERSION} {KIND}")
    return Counter(each.fingerprint for each in baseline.findings)


def without_known(findings: Sequence[Finding], known: Counter[str]) -> tuple[list[Finding], int]:
    """The findings that are new, and how many are known; of several alike, as many as there were."""
    left = Counter(known)
    new = []
    for finding in findings:
        if left[finding.fingerprint] > 0:
            left[finding.fingerprint] -= 1
        else:
            new.append(finding)
    return new, len(findings) - len(new)
