"""Where containers find the volumes of their pod.

Source: core/validation `ValidateVolumeMounts`, `ValidateVolumeDevices`, release 1.36.
"""

from msgspec import Struct

from kexplain.objects.json_values import shown
from kexplain.validation.field import Field, reject_repeated
from kexplain.validation.rows import judge, names_differ
from kexplain.validation.volumes import Volumes
from kexplain.words import did_you_mean


class _Place(Struct, frozen=True):
    """Where a container has volumes of one sort: the list, the field with the path, and what stands there."""

    entries: str
    path: str
    what: str


_MOUNT = _Place("volumeMounts", "mountPath", "where {} volume is mounted")
_DEVICE = _Place("volumeDevices", "devicePath", "the path of {} device")


def check_mounts(container: Field, volumes: Volumes) -> None:
    """Volumes that are mounted as directories or files."""
    _check_places(container, _MOUNT, _DEVICE, volumes)
    judge(container, "volume_mounts.mounts")


def check_devices(container: Field, volumes: Volumes) -> None:
    """Volumes that are devices."""
    _check_places(container, _DEVICE, _MOUNT, volumes)
    devices = container.child("volumeDevices")
    judge(devices, names_differ("name"))
    for device in devices.items():
        name = device.child("name")
        volume = volumes.sound.get(name.string)
        if volume is not None and not (
            volume.child("persistentVolumeClaim").is_set or volume.child("ephemeral").is_set
        ):
            name.reject(f"{shown(name.string)} is not a claim, and only claims can be devices")
        judge(device, "volume_mounts.device")


def _check_places(container: Field, own: _Place, other: _Place, volumes: Volumes) -> None:
    """That each volume is there, and neither it nor its path is used by one of the other sort."""
    others = container.child(other.entries).items()
    names, paths = ({each.child(field).string for each in others} for field in ("name", other.path))
    for each in container.child(own.entries).items():
        name, path = each.child("name"), each.child(own.path)
        _check_volume(name, volumes)
        path.require()
        if name.string in names:
            name.reject(f"{shown(name.string)} is also in {other.entries}")
        if path.string in paths:
            path.reject(f"{shown(path.string)} is also {other.what.format('a')}")
    taken = [each.child(own.path) for each in container.child(own.entries).items()]
    reject_repeated(((path.string, path) for path in taken), f"is {own.what.format('another')}")


def _check_volume(name: Field, volumes: Volumes) -> None:
    if not name.require() or name.string in volumes.sound:
        return
    if name.string in volumes.names:
        name.reject(f"the volume {shown(name.string)} is wrong itself")
        return
    hint = did_you_mean(name.string, volumes.names) or f"its volumes are {', '.join(volumes.names) or 'none'}"
    name.reject(f"{shown(name.string)} is not a volume of this pod; {hint}")
