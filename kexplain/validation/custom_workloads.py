"""Whether an API server would take the pods that operators make of templates in resources of their own."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from kexplain.admission.chain import AdmissionObjects
from kexplain.admission.refusals import Missing
from kexplain.objects.apps import Rollout
from kexplain.objects.custom_workloads import GANG, JOB, TEMPLATE, CustomWorkload
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.problem import Problem, Stage, path_text
from kexplain.objects.untrusted import at
from kexplain.validation.check import NO_OBJECTS, check
from kexplain.words import plural


def check_template(
    read: KubernetesObject | None, value: Any, objects: AdmissionObjects = NO_OBJECTS, *, releases: Sequence[str]
) -> Iterator[Problem]:
    """What is wrong with pods that others than Kubernetes make of the template in a manifest, which was read as this.

    Paths are those of the workload, of which `place` says where they are in the resource.
    """
    if isinstance(read, Rollout) and at(value, "spec", "template"):
        # What it shares with a Deployment says all of its pods.
        spec = {name: value["spec"][name] for name in ("replicas", "selector", "template") if name in value["spec"]}
        deployment = {**value, "apiVersion": "apps/v1", "kind": "Deployment", "spec": spec}
        yield from check(deployment, objects, releases=releases)
    if isinstance(read, CustomWorkload):
        yield from _of_custom(read, objects, releases)
        least, every = at(read.manifest, *(read.place(GANG) or ("",))), read.gang[1] if read.gang else 0
        if isinstance(least, int) and least > every:
            yield Problem(GANG, f"is {least}, and there are {plural(every, 'pod')}, so that none ever starts")


def _of_custom(workload: CustomWorkload, objects: AdmissionObjects, releases: Sequence[str]) -> Iterator[Problem]:
    """What is wrong with pods made of a template, or with the Job that makes them."""
    job, template = (at(workload.manifest, *(workload.place(each) or ("",))) for each in (JOB, TEMPLATE))
    made, place = _made(job, template) if isinstance(template, dict) else {}, JOB if job else TEMPLATE
    named = {"name": workload.metadata.name or "pods", "namespace": workload.namespace or objects.namespace}
    made["metadata"] = {**(at(made, "metadata") or {}), **named}
    for each in check(made, objects, releases=releases):
        # Operators add volumes.
        is_added = "volumeMounts" in each.path and each.stage is not Stage.DECODING
        if not is_added and (workload.is_whole or _is_of_itself(each, made)):
            yield replace(each, path=(*place, *each.path))


def _made(job: Any, template: dict[str, Any]) -> dict[str, Any]:
    """A pod of the template, or the Job around it, of which operators say what follows where it is not said."""
    if not job:
        return {**template, "apiVersion": "v1", "kind": "Pod"}
    spec = {**job["spec"], "template": {**template, "spec": {"restartPolicy": "OnFailure", **template["spec"]}}}
    return {"apiVersion": "batch/v1", "kind": "Job", "spec": spec}


def _is_of_itself(problem: Problem, made: dict[str, Any]) -> bool:
    """Whether a problem is one of what a template says, whatever its operator adds, and knows beyond Kubernetes."""
    is_early = problem.stage in (Stage.DECODING, Stage.VALIDATION) or isinstance(problem, Missing)
    return is_early and at(made, *problem.path) is not None and bool(problem.edit or not problem.is_about_key)


def check_all(value: object, read: KubernetesObject | None, *, releases: Sequence[str]) -> Iterable[Problem]:
    """What is wrong with a manifest, and with the template of a custom resource, of which it was read as a workload."""
    yield from check(value, releases=releases) if isinstance(value, dict) else ()
    for found in check_template(read, value, releases=releases):
        place = read.place(found.path) or read.item if isinstance(read, CustomWorkload) else found.path
        yield replace(found, path=place, field=path_text(place))
