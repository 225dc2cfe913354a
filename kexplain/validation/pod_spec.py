"""Pods and pod templates.

Source: core/validation `ValidatePodCreate`, `ValidatePodSpec`, `ValidatePodTemplateSpec`, release 1.36 with its
default feature gates. What an API server fills in when it decodes counts as valid where it is absent.
"""

from msgspec.structs import replace

from kexplain.objects.json_values import shown
from kexplain.validation.annotations import MIRROR, check_pod_annotations, check_profiles_match
from kexplain.validation.containers import RestOfPod, all_containers, check_containers
from kexplain.validation.field import Field
from kexplain.validation.metadata import check_annotations, check_metadata, final_name
from kexplain.validation.resources import check_pod_resources, check_requirements
from kexplain.validation.rows import judge
from kexplain.validation.scheduling import check_spread_constraints
from kexplain.validation.security import check_host_processes
from kexplain.validation.volumes import check_volumes, is_empty_dir

DEFAULT_GRACE_SECONDS = 30

_MAX_SEARCH_CHARACTERS = 2048


def check_pod(pod: Field) -> None:
    """A pod as it is about to be stored: defaulted, and changed by admission."""
    metadata, spec = pod.child("metadata"), pod.child("spec")
    containers = all_containers(spec)
    check_metadata(metadata)
    check_pod_annotations(metadata.child("annotations"), spec, containers)
    _check_spec(spec, pod_name=final_name(metadata), metadata=metadata, is_pod=True)
    judge(spec, "pod_spec.new_pod")
    check_profiles_match(metadata.child("annotations"), spec, containers, is_pod=True)


def check_pod_of_template(pod: Field) -> None:
    """What is wrong with a pod though its template was taken: templates are not defaulted, nor changed by admission."""
    spec = pod.child("spec")
    claim_names = _claim_names(spec)
    for kind in ("containers", "initContainers"):
        for container in spec.child(kind).items():
            judge(container, "containers.image")
            check_requirements(container.child("resources"), claim_names)
    judge(spec, "pod_spec.made_of_template")
    check_pod_resources(spec, claim_names)
    judge(spec.child("affinity"), "scheduling.affinity")
    check_spread_constraints(spec.child("topologySpreadConstraints"))
    check_overhead(spec.child("overhead"))


def check_pod_template(template: Field) -> None:
    """A pod template of a workload."""
    metadata, spec = template.child("metadata"), template.child("spec")
    containers = all_containers(spec)
    # An API server leaves out that these are metadata.
    labels = metadata.child("labels").written(f"{template.text}.labels")
    annotations = metadata.child("annotations").written(f"{template.text}.annotations")
    judge(labels, "labels.labels")
    check_annotations(annotations)
    check_pod_annotations(annotations, spec, containers)
    _check_spec(spec)
    check_profiles_match(annotations, spec, containers, is_pod=False)
    spec.child("ephemeralContainers").forbid_value("cannot be part of a template")


def _check_spec(spec: Field, *, pod_name: str = "", metadata: Field | None = None, is_pod: bool = False) -> None:
    containers = all_containers(spec)
    volumes = check_volumes(spec.child("volumes"), pod_name, is_pod=is_pod)
    claim_names = _claim_names(spec)
    _check_resource_claims(spec.child("resourceClaims"), metadata)
    around = RestOfPod(
        volumes,
        claim_names,
        spec.child("terminationGracePeriodSeconds").number(DEFAULT_GRACE_SECONDS),
        spec.child("restartPolicy").string or "Always",
    )
    check_containers(spec, around)
    check_pod_resources(spec, claim_names)
    judge(spec, "containers.host_ports")
    judge(spec, "pod_spec.spec")
    check_host_processes(spec, containers)
    judge(spec, "security.host_users")
    judge(spec, "pod_spec.names")
    judge(spec, "security.operating_system")
    _check_variable_files(spec, containers)


def _claim_names(spec: Field) -> set[str]:
    return {name for claim in spec.child("resourceClaims").items() if (name := claim.child("name").string)}


def _check_resource_claims(claims: Field, metadata: Field | None) -> None:
    if metadata is not None and claims.items() and metadata.child("annotations").key(MIRROR).is_set:
        claims.written("").reject("static pods have no resource claims")
    else:
        judge(claims, "pod_spec.claims")


def _check_length(searches: Field) -> None:
    if len(" ".join(searches.strings).encode()) > _MAX_SEARCH_CHARACTERS:
        searches.reject(f"holds more than {_MAX_SEARCH_CHARACTERS} characters in all")


def check_overhead(overhead: Field, within: str = "") -> None:
    """What a container runtime costs is checked, and named, as if it were a container's limits."""
    if not overhead.is_set:
        return
    amounts = overhead.child(within) if within else overhead
    before, steps = len(overhead.problems), len(overhead.path) + 1
    check_requirements(overhead.with_value({"limits": amounts.value}))
    overhead.problems[before:] = [
        replace(each, path=(*amounts.path, *each.path[steps:])) for each in overhead.problems[before:]
    ]


def _check_variable_files(spec: Field, containers: list[Field]) -> None:
    """Files of variables are in volumes that start out empty. Source: `validateFileKeyRefVolumes`."""
    volumes = {volume.child("name").string: volume for volume in spec.child("volumes").items()}
    for container in containers:
        for variable in container.child("env").items():
            name = variable.descend("valueFrom", "fileKeyRef", "volumeName")
            if not variable.descend("valueFrom", "fileKeyRef").is_set:
                continue
            if name.string not in volumes:
                name.reject(f"{shown(name.string)} is not a volume of this pod")
            elif not is_empty_dir(volumes[name.string]):
                name.reject(f"{shown(name.string)} is not an emptyDir, which files of variables need")
