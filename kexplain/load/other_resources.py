"""Objects of other projects: the workloads that they stand for, and those that say what is amiss, or point at one."""

from typing import Any

from kexplain.load.custom_workloads import custom_workloads
from kexplain.load.decoding import fit
from kexplain.load.reports import reports
from kexplain.objects.meta import KubernetesObject, ObjectMeta
from kexplain.objects.other_resources import OtherResource


def read_as_others(version: str, kind: str, manifest: dict[str, Any], *, with_status: bool) -> list[KubernetesObject]:
    """What the object stands for; `with_status` also the object, if a namespace has it and it has something to say."""
    workloads: list[KubernetesObject] = [*custom_workloads(version, kind, manifest)]
    metadata, problems = fit(manifest.get("metadata") or {}, ObjectMeta) if with_status else (None, ())
    workloads += reports(version, kind, manifest, metadata) if metadata and not workloads else ()
    if metadata is None or problems or not (metadata.namespace and metadata.name):
        return workloads
    made = OtherResource(api_version=version, metadata=metadata, of_kind=kind, manifest=manifest)
    says = made.is_stored and (made.complaint or made.finalizers or made.target[-1])
    return [*workloads, made] if says else workloads
