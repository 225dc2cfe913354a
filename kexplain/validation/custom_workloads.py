"""Whether an API server would take the pods that operators make of templates in resources of their own."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from kexplain.admission.chain import AdmissionObjects
from kexplain.objects.custom_workloads import TEMPLATE, CustomWorkload
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.problem import Problem, path_text
from kexplain.validation.check import NO_OBJECTS, check


def check_template(
    workload: CustomWorkload, objects: AdmissionObjects = NO_OBJECTS, *, releases: Sequence[str]
) -> Iterator[Problem]:
    """What is wrong with pods that are made of the template of a custom resource as it is.

    Paths are those of the workload, of which `place` says where they are in the resource.
    """
    if not workload.is_whole:
        return
    template: Any = workload.manifest
    for step in workload.place(TEMPLATE) or ():
        template = template[step]
    metadata = {"name": "pods", "namespace": workload.namespace or objects.namespace}
    manifest = {"apiVersion": "v1", "kind": "PodTemplate", "metadata": metadata, "template": template}
    found = check(manifest, objects, releases=releases)
    # Operators add volumes.
    own = (each for each in found if each.path[:1] == TEMPLATE[1:] and "volumeMounts" not in each.path)
    yield from (replace(each, path=("spec", *each.path)) for each in own)


def check_all(value: object, read: KubernetesObject | None, *, releases: Sequence[str]) -> Iterable[Problem]:
    """What is wrong with a manifest, and with the template of a custom resource, of which it was read as a workload."""
    yield from check(value, releases=releases) if isinstance(value, dict) else ()
    if isinstance(read, CustomWorkload):
        for found in check_template(read, releases=releases):
            place = read.place(found.path) or read.item
            yield replace(found, path=place, field=path_text(place))
