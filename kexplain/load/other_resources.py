"""Objects of other projects: the workloads that they stand for, and those that say what is amiss, or point at one.

Nobody vouches for their form: they are looked at with `kexplain.objects.untrusted`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import json
from msgspec.structs import replace

from kexplain.load.custom_workloads import custom_workloads
from kexplain.load.decoding import fit
from kexplain.objects.meta import KubernetesObject, ObjectMeta
from kexplain.objects.other_resources import OtherResource
from kexplain.objects.untrusted import WrittenCondition, at, conditions, text, texts
from kexplain.patterns import regex
from kexplain.tables import sections

_WORDS = sections("words-of-others")
#: How the types of conditions end that are bad news, by the status.
_BAD = {status: regex(f"(?i).*({'|'.join(_WORDS[f'bad if {status}'])})") for status in ("False", "True", "Unknown")}
_ERROR = regex(r"(?i)(last)?(sync)?(error|failure)(message)?")
#: What a state, phase or health is that nobody wants.
_FAILED = regex(r"(?i)(failed|error|degraded|faulted|unhealthy|offline|unavailable|\w+_ERR)")
#: A text in JSON; one with a colon behind it is a key.
_TEXT = regex(r'"((?:[^"\\]|\\.)*)"(:?)')
#: Where objects say which other one they are for.
_POINTERS = ("targetRef", "scaleTargetRef", "workloadRef")


def read_as_others(version: str, kind: str, manifest: dict[str, Any], *, with_status: bool) -> list[KubernetesObject]:
    """What the object stands for; `with_status` also the object, if it has something to say."""
    workloads: list[KubernetesObject] = [*custom_workloads(version, kind, manifest)]
    metadata, problems = fit(manifest.get("metadata") or {}, ObjectMeta) if with_status else (None, ())
    if metadata is None or problems or not metadata.name:
        return workloads
    made = _read(version, kind, manifest, metadata)
    says = made.complaints or (made.is_stored and (made.finalizers or made.target[-1]))
    if not says:
        return workloads
    status = json.encode(manifest.get("status")).decode()
    mentions = tuple(each for each, colon in _TEXT.findall(status) if not colon and " " not in each)
    return [*workloads, replace(made, mentions=mentions)]


def _read(version: str, kind: str, manifest: dict[str, Any], metadata: ObjectMeta) -> OtherResource:
    target = next(filter(None, (texts(manifest, "spec", each) for each in _POINTERS)), {})
    namespace = metadata.namespace or ""
    held = at(manifest, "metadata", "finalizers") if metadata.deletion_timestamp and namespace else None
    return OtherResource(
        api_version=version,
        metadata=metadata,
        of_kind=kind,
        complaints=tuple(_unanswered(kind, manifest) or _complaints(manifest.get("status"))),
        finalizers=tuple(filter(None, map(text, held))) if isinstance(held, list) else (),
        target=(target.get("kind", "Deployment"), namespace, target.get("name", "")),
        results=tuple(filter(None, (text(manifest, "spec", *each.split("/")) for each in _WORDS["results"]))),
    )


def _unanswered(kind: str, request: dict[str, Any]) -> list[WrittenCondition]:
    """That a kubelet without a certificate waits for one, which it cannot join without."""
    if kind != "CertificateSigningRequest" or at(request, "status", "conditions"):
        return []
    is_new = not text(request, "spec", "username").startswith("system:node:")
    is_of_kubelet = text(request, "spec", "signerName") == "kubernetes.io/kube-apiserver-client-kubelet"
    return [WrittenCondition("Approved", "False", "pending")] if is_new and is_of_kubelet else []


def _complaints(status: Any) -> Iterator[WrittenCondition]:
    """What a status says is not as it should be: conditions, then errors, then a phase; then the same of its parts."""
    for each in conditions(status, "conditions").values():
        bad = _BAD.get(each.status)
        if bad and bad.fullmatch(each.type):
            yield each
    parts = status if isinstance(status, dict) else {}
    yield from _in_words(status, {key: text(parts, key) or text(each, "message") for key, each in parts.items()})
    for part in parts.values():
        yield from _complaints(part) if isinstance(part, dict) else ()


def _in_words(status: Any, words: Mapping[str, str]) -> Iterator[WrittenCondition]:
    """The same of its texts, and of the messages of its parts, by their names."""
    yield from (WrittenCondition(key, message=each) for key, each in words.items() if _ERROR.fullmatch(key) and each)
    message, phase = _first(status, "messages"), _first(status, "phases")
    if phase in _WORDS["waiting phases"]:
        yield WrittenCondition(phase, reason=phase, message=message)
    failed = ((key, each) for key, each in words.items() if _FAILED.fullmatch(each))
    yield from (WrittenCondition(key, message=message or f"{key} is {each}") for key, each in failed)


def _first(status: Any, words: str) -> str:
    return next(filter(None, (text(status, *each.split("/")) for each in _WORDS[words])), "")
