"""Whether an API server would take a manifest.

Source: kube-apiserver 1.36 with its default feature gates and admission plugins: strict decoding, mutating admission,
validation, validating admission. It answers with what the first of these finds; here all of them are asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from kexplain.admission.chain import AdmissionObjects, prepare
from kexplain.admission.limits import claim_limit_problems
from kexplain.admission.quotas import QuotaRoom
from kexplain.admission.refusals import INITIAL_NAMESPACES, missing_namespace, refusals
from kexplain.objects.core import LimitRange, PersistentVolumeClaimSpec, Pod
from kexplain.objects.problem import Path, Problem, Stage
from kexplain.objects.quantity import QuantityError
from kexplain.objects.well_known import WITHOUT_NAMESPACE
from kexplain.objects.workload_kinds import WORKLOAD_KINDS
from kexplain.validation import workloads
from kexplain.validation.admission_changes import with_changes
from kexplain.validation.field import Field
from kexplain.validation.kinds import CHECKS, RETIRED, Retired
from kexplain.validation.releases import RELEASE, not_served, refused_since, unknown_fields
from kexplain.validation.rows import judge
from kexplain.validation.schema import decode, is_known
from kexplain.validation.slips import no_such_kind, without_consequences

_POD = "v1/Pod"
_CLAIM = "v1/PersistentVolumeClaim"
_DEVICE_CLAIM = "resource.k8s.io/v1/ResourceClaim"
_DEVICE_CLAIMS = {_DEVICE_CLAIM: ("spec",), f"{_DEVICE_CLAIM}Template": ("spec", "spec")}
_TEMPLATES: Mapping[str, Path] = {f"{each.api_version}/{each.kind}": each.template_path for each in WORKLOAD_KINDS}
NO_OBJECTS = AdmissionObjects.of(())


def check(
    manifest: dict[str, Any], objects: AdmissionObjects = NO_OBJECTS, *, releases: Sequence[str] = (RELEASE,)
) -> tuple[Problem, ...]:
    """Everything that is wrong with a manifest, by stage and then as found; empty if an API server would take it.

    `objects` stand in the cluster. `releases`, such as 1.34, must serve its API version and know its fields. Kinds
    without a schema are taken as they are. Of a List every item is checked by itself. Of a workload, its pods are
    checked too: problems with them that the workload itself is taken with are at the stages of admission.
    """
    items = manifest.get("items")
    if isinstance(manifest.get("kind"), str) and manifest["kind"].endswith("List") and isinstance(items, list):
        within = ((index, _item(item, manifest)) for index, item in enumerate(items) if isinstance(item, dict))
        found_in = ((index, check(item, objects, releases=releases)) for index, item in within)
        return tuple(replace(each, path=("items", index, *each.path)) for index, found in found_in for each in found)
    return _check_one(manifest, _Context(objects, releases))


def _item(item: dict[str, Any], of: dict[str, Any]) -> dict[str, Any]:
    """An item of a list; those of a typed list need not say what they are."""
    if of["kind"] == "List" or item.get("kind"):
        return item
    return {"apiVersion": of.get("apiVersion"), "kind": of["kind"].removesuffix("List"), **item}


def _check_one(manifest: dict[str, Any], context: _Context) -> tuple[Problem, ...]:
    version, kind = manifest.get("apiVersion"), manifest.get("kind")
    if not isinstance(version, str) or not isinstance(kind, str):
        return ()
    retired = None if is_known(version, kind) else RETIRED.get(f"{version}/{kind}") or RETIRED.get(version)
    served = retired.instead if retired else version
    if not is_known(served, kind):
        return tuple(no_such_kind(version, kind))
    problems = partial(_problems, identity=f"{served}/{kind}", retired=retired, context=context)
    return without_consequences(manifest, problems(manifest), problems)


def _problems(
    manifest: dict[str, Any], identity: str, retired: Retired | None, context: _Context
) -> tuple[Problem, ...]:
    problems = [*not_served(manifest, identity, retired, context.releases)]
    if retired is not None and not retired.alike:
        return tuple(problems)
    problems += unknown_fields(manifest, identity, context.releases)
    undecoded: list[Problem] = []
    decoded = decode(manifest, identity, undecoded)
    if not decoded:
        # More is wrong than anybody reads, and nothing is left to be checked.
        return (*problems, *undecoded)
    found: list[Problem] = []
    if manifest["kind"] not in WITHOUT_NAMESPACE:
        missing = missing_namespace(context.namespace_of(decoded), context.objects)
        found += (replace(each, field="metadata.namespace") for each in missing)
    if identity == _POD:
        context.check_pod(decoded, found, "pod_spec.pod")
    else:
        judge(Field(decoded, found), CHECKS[identity])
        # The pods of a workload, claims for administration, and claims against limit ranges.
        if identity in _TEMPLATES:
            _check_pods(decoded, _TEMPLATES[identity], context, found)
        if identity in _DEVICE_CLAIMS:
            labels = context.labels_of(context.namespace_of(decoded))
            if labels is not None:
                from kexplain.validation.device_claims import check_admin_access  # noqa: PLC0415 (few manifests need it)

                check_admin_access(Field(decoded, found).descend(*_DEVICE_CLAIMS[identity]), labels)
        if identity == _CLAIM:
            _check_claim_limits(decoded, context.objects.limit_ranges.get(context.namespace_of(decoded), ()), found)
        found += refused_since(decoded, identity, context.releases)
    problems += undecoded
    problems += [each for each in found if not _hidden(each, undecoded)]
    return tuple(sorted(dict.fromkeys(problems), key=lambda each: each.stage))


def _hidden(problem: Problem, undecoded: Sequence[Problem]) -> bool:
    """Whether a problem is about what was not decoded: missing now, but not in the manifest."""
    for other in undecoded:
        shared = min(len(problem.path), len(other.path))
        if problem.path[:shared] == other.path[:shared]:
            return True
    return False


class _Context:
    """Where a manifest is to go, and which releases it must suit."""

    def __init__(self, objects: AdmissionObjects, releases: Sequence[str]) -> None:
        self.objects = objects
        self.releases = releases

    def check_pod(self, pod: dict[str, Any], problems: list[Problem], row: str) -> None:
        """A pod on its way through admission and validation."""
        try:
            record = msgspec.convert(pod, Pod)
            admitted = prepare(record, self.objects).pod
        except (msgspec.ValidationError, QuantityError):
            # What cannot be admitted is validated as it is written.
            judge(Field(pod, problems), row)
            return
        changed = Field(with_changes(pod, admitted), problems)
        judge(changed, row)
        over_quota = (replace(each, stage=Stage.POLICY) for each in QuotaRoom(self.objects.quotas).create(admitted))
        found = (*refusals(admitted, self.objects, record.spec), *over_quota)
        problems += (replace(each, field=changed.at(each.path).text) for each in found)

    def namespace_of(self, manifest: dict[str, Any]) -> str:
        name = manifest.get("metadata", {}).get("namespace")
        return name if isinstance(name, str) and name else self.objects.namespace

    def labels_of(self, namespace: str) -> Mapping[str, str] | None:
        """The labels of a namespace; None if nobody knows them."""
        found = self.objects.namespaces.get(namespace)
        if found is not None:
            return found.labels
        return {} if namespace in INITIAL_NAMESPACES else None


def _check_claim_limits(claim: dict[str, Any], limit_ranges: Sequence[LimitRange], problems: list[Problem]) -> None:
    """The size of a claim against every limit range; what is no claim, decoding has found."""
    with suppress(msgspec.ValidationError, QuantityError):
        spec = msgspec.convert(claim.get("spec", {}), PersistentVolumeClaimSpec) if limit_ranges else None
        for each in claim_limit_problems(spec, limit_ranges) if spec else ():
            problems.append(replace(each, field=Field(claim, problems).at(each.path).text, stage=Stage.POLICY))


def _check_pods(manifest: dict[str, Any], path: Path, context: _Context, problems: list[Problem]) -> None:
    """A pod of the template: what is refused only once the workload's controller makes it."""
    workload = Field(manifest, problems)
    places: list[Path] = []
    if manifest["kind"] == "StatefulSet":
        spec = workload.child("spec")
        places = workloads.claim_volume_places(spec)
        workload = workload.with_value({**manifest, "spec": workloads.with_claim_volumes(spec).value})
    template = workload.descend(*map(str, path))
    metadata = {**template.child("metadata").mapping, "name": "pod", "namespace": context.namespace_of(manifest)}
    pod = {**template.mapping, "apiVersion": "v1", "kind": "Pod", "metadata": metadata}
    found: list[Problem] = []
    context.check_pod(pod, found, "pod_spec.pod_of_template")
    if any(problem.stage is Stage.VALIDATION for problem in problems):
        # Of a workload that is not taken, no pods are made.
        found = [problem for problem in found if problem.stage is not Stage.VALIDATION]
    known = {problem.path for problem in problems}
    for problem in found:
        at = workloads.relocated((*path, *problem.path), places)
        if at not in known:
            stage = Stage.ADMISSION if problem.stage is Stage.VALIDATION else problem.stage
            problems.append(replace(problem, stage=stage, field=f"{template.text}.{problem.field}", path=at))
