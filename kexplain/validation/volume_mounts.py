"""Where containers find the volumes of their pod.

Source: core/validation `ValidateVolumeMounts`, `ValidateVolumeDevices`, release 1.36.
"""

from kexplain.objects.json_values import shown
from kexplain.validation.field import Field, reject_repeated
from kexplain.validation.row_paths import fields_at
from kexplain.validation.volumes import is_sound, volumes_named_by
from kexplain.words import did_you_mean

#: The field with the path, and what stands there, by the list that a container has of volumes of one sort.
_PLACES = {
    "volumeMounts": ("mountPath", "where {} volume is mounted"),
    "volumeDevices": ("devicePath", "the path of {} device"),
}


def _check_claim(name: Field) -> None:
    sound = [*filter(is_sound, volumes_named_by(name))][:1]
    is_claim = any(each.child(kind).is_set for each in sound for kind in ("persistentVolumeClaim", "ephemeral"))
    name.reject_if(sound and not is_claim, f"{shown(name.string)} is not a claim, and only claims can be devices")


def _check_places(container: Field, own: str, other: str) -> None:
    """That each volume is there, and neither it nor its path is used by one of the other sort."""
    (own_path, what), (other_path, other_what) = _PLACES[own], _PLACES[other]
    others = container.child(other).items()
    names, paths = ({each.child(field).string for each in others} for field in ("name", other_path))
    for each in container.child(own).items():
        name, path = each.child("name"), each.child(own_path)
        _check_volume(name)
        path.require()
        name.reject_if(name.string in names, f"{shown(name.string)} is also in {other}")
        path.reject_if(path.string in paths, f"{shown(path.string)} is also {other_what.format('a')}")
    taken = [each.child(own_path) for each in container.child(own).items()]
    reject_repeated(((path.string, path) for path in taken), f"is {what.format('another')}")


def _check_volume(name: Field) -> None:
    named = volumes_named_by(name)
    if not name.require() or any(map(is_sound, named)):
        return
    if named:
        name.reject(f"the volume {shown(name.string)} is wrong itself")
        return
    known = [each.string for each in fields_at(name, "outer volumes[].name")]
    hint = did_you_mean(name.string, known) or (f"its volumes are {', '.join(known)}" if any(known) else "it has none")
    name.reject(f"{shown(name.string)} is not a volume of this pod; {hint}", known)
