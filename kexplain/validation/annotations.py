"""Annotations that mean something for a pod, most of them from before there were fields for it.

Source: core/validation `ValidatePodSpecificAnnotations`, `validateSeccompAnnotationsAndFields`,
`validateAppArmorAnnotationsAndFieldsMatchOnCreate`, release 1.36.
"""

from kexplain.objects.json_values import shown
from kexplain.patterns import regex
from kexplain.validation.containers import all_containers
from kexplain.validation.field import Field
from kexplain.validation.names import app_armor_profile, relative_path
from kexplain.validation.scheduling import check_annotated_tolerations

_MIRROR = "kubernetes.io/config.mirror"
_DELETION_COST = "controller.kubernetes.io/pod-deletion-cost"
_SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod"
_SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/"
_APP_ARMOR_CONTAINER = "container.apparmor.security.beta.kubernetes.io/"
_LOCALHOST = "localhost/"
_DEFAULT, _DOCKER_DEFAULT, _UNCONFINED = "runtime/default", "docker/default", "unconfined"
_COST = regex(r"0|[1-9][0-9]*|-[0-9]+")


def check_pod_annotations(annotations: Field) -> None:
    """Annotations by themselves, and against the fields that have taken their place."""
    spec, mirror = annotations.holder().holder().child("spec"), annotations.key(_MIRROR)
    mirror.reject_if(mirror.is_set and not spec.child("nodeName").string, "a mirror pod needs spec.nodeName")
    check_annotated_tolerations(annotations)
    cost = annotations.key(_DELETION_COST)
    cost.reject_if(cost.is_set and not _is_cost(cost.string), f"{shown(cost.string)} is not a whole number of 32 bits")
    names = {container.child("name").string for container in all_containers(spec)}
    for key, value in annotations.entries():
        if key == _SECCOMP_POD or key.startswith(_SECCOMP_CONTAINER):
            value.written(f"{annotations.text}.{key}").obey(_seccomp_profile)
        elif key.startswith(_APP_ARMOR_CONTAINER):
            name = key.removeprefix(_APP_ARMOR_CONTAINER)
            value.reject_if(name not in names, f"{shown(name)} is not a container of this pod")
            value.obey(app_armor_profile)


def _is_cost(text: str) -> bool:
    return bool(_COST.fullmatch(text)) and len(text) <= 11 and -(2**31) <= int(text) < 2**31


def _seccomp_profile(text: str) -> str | None:
    if text in (_DEFAULT, _DOCKER_DEFAULT, _UNCONFINED):
        return None
    if text.startswith(_LOCALHOST):
        return relative_path(text.removeprefix(_LOCALHOST))
    return f"is not a seccomp profile: use {_DEFAULT}, {_UNCONFINED} or {_LOCALHOST}PATH"


def check_profiles_match(annotations: Field) -> None:
    """An annotation and a field about the same profile must say the same.

    A pod's own AppArmor annotation wins over what a container would inherit; in templates they are held together.
    """
    holder = annotations.holder().holder()
    spec, is_pod = holder.child("spec"), holder.outer is None
    own = spec.child("securityContext")
    if annotations.key(_SECCOMP_POD).is_set:
        _check_match(own.child("seccompProfile"), annotations.key(_SECCOMP_POD).string, (_DEFAULT, _DOCKER_DEFAULT))
    on_windows = spec.descend("os", "name").value == "windows"
    for container in all_containers(spec):
        name, context = container.child("name").string, container.child("securityContext")
        seccomp = annotations.key(f"{_SECCOMP_CONTAINER}{name}")
        if seccomp.is_set:
            _check_match(context.child("seccompProfile"), seccomp.string, (_DEFAULT, _DOCKER_DEFAULT))
        app_armor = annotations.key(f"{_APP_ARMOR_CONTAINER}{name}")
        if app_armor.is_set and not on_windows:
            profile = context.child("appArmorProfile")
            if not (profile.is_set or is_pod):
                profile = own.child("appArmorProfile").written(profile)
            _check_match(profile, app_armor.string, (_DEFAULT,))


def _check_match(profile: Field, annotation: str, defaults: tuple[str, ...]) -> None:
    kind, path = profile.child("type"), profile.child("localhostProfile")
    differs = {
        "Unconfined": annotation != _UNCONFINED,
        "RuntimeDefault": annotation not in defaults,
        "Localhost": not annotation.startswith(_LOCALHOST),
    }
    if differs.get(kind.string):
        kind.reject(f"{shown(kind.string)} is not what the pod's annotation says, {shown(annotation)}")
    elif kind.value == "Localhost" and annotation.removeprefix(_LOCALHOST) != path.value:
        path.reject(f"{shown(path.string)} is not what the pod's annotation says, {shown(annotation)}")
