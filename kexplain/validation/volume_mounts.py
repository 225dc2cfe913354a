"""Where containers find the volumes of their pod.

Source: core/validation `ValidateVolumeMounts`, `ValidateVolumeDevices`, release 1.36.
"""

from __future__ import annotations

from kexplain.objects.json_values import shown
from kexplain.validation.field import Field
from kexplain.validation.names import no_backsteps, relative_path
from kexplain.validation.volumes import Volumes
from kexplain.words import did_you_mean

_PROPAGATIONS = ("Bidirectional", "HostToContainer", "None")
_RECURSIVE = ("Disabled", "IfPossible", "Enabled")


def check_mounts(container: Field, volumes: Volumes) -> None:
    """Volumes that are mounted as directories or files."""
    mounts = container.child("volumeMounts")
    devices = container.child("volumeDevices").items()
    device_names = {device.child("name").string for device in devices}
    device_paths = {device.child("devicePath").string for device in devices}
    paths: set[str] = set()
    for mount in mounts.items():
        name, path = mount.child("name"), mount.child("mountPath")
        _check_volume(name, volumes)
        path.require()
        if path.string in paths:
            path.reject(f"{shown(path.string)} is where another volume is mounted")
        paths.add(path.string)
        if name.string in device_names:
            name.reject(f"{shown(name.string)} is also in volumeDevices")
        if path.string in device_paths:
            path.reject(f"{shown(path.string)} is also the path of a device")
        # An API server leaves out which mount it was.
        within, expression = mount.child("subPath"), mount.child("subPathExpr")
        within.written(f"{mounts.text}.subPath").obey(relative_path)
        if expression.string:
            if within.string:
                expression.reject("excludes subPath")
            expression.written(f"{mounts.text}.subPathExpr").obey(relative_path)
        _check_propagation(mount, mounts, container)
        _check_recursive(mount, mounts)


def check_devices(container: Field, volumes: Volumes) -> None:
    """Volumes that are devices."""
    mounts = container.child("volumeMounts").items()
    mount_names = {mount.child("name").string for mount in mounts}
    mount_paths = {mount.child("mountPath").string for mount in mounts}
    names: set[str] = set()
    paths: set[str] = set()
    for device in container.child("volumeDevices").items():
        name, path = device.child("name"), device.child("devicePath")
        if name.string in names and name.string:
            name.reject(f"{shown(name.string)} is listed twice")
        names.add(name.string)
        _check_volume(name, volumes)
        volume = volumes.sound.get(name.string)
        if volume is not None and not (
            volume.child("persistentVolumeClaim").is_set or volume.child("ephemeral").is_set
        ):
            name.reject(f"{shown(name.string)} is not a claim, and only claims can be devices")
        path.require()
        if path.string in paths:
            path.reject(f"{shown(path.string)} is the path of another device")
        if path.string:
            path.obey(no_backsteps)
        paths.add(path.string)
        if name.string in mount_names:
            name.reject(f"{shown(name.string)} is also in volumeMounts")
        if path.string in mount_paths:
            path.reject(f"{shown(path.string)} is also where a volume is mounted")


def _check_volume(name: Field, volumes: Volumes) -> None:
    if not name.require() or name.string in volumes.sound:
        return
    if name.string in volumes.names:
        name.reject(f"the volume {shown(name.string)} is wrong itself")
        return
    hint = did_you_mean(name.string, volumes.names) or f"its volumes are {', '.join(volumes.names) or 'none'}"
    name.reject(f"{shown(name.string)} is not a volume of this pod; {hint}")


def _check_propagation(mount: Field, mounts: Field, container: Field) -> None:
    propagation = mount.child("mountPropagation").written(f"{mounts.text}.mountPropagation")
    propagation.one_of(_PROPAGATIONS)
    if propagation.value == "Bidirectional" and not container.descend("securityContext", "privileged").flag:
        propagation.reject("Bidirectional needs a privileged container")


def _check_recursive(mount: Field, mounts: Field) -> None:
    recursive = mount.child("recursiveReadOnly").written(f"{mounts.text}.recursiveReadOnly")
    recursive.one_of(_RECURSIVE)
    if recursive.string in ("IfPossible", "Enabled"):
        if not mount.child("readOnly").flag:
            recursive.reject(f"{recursive.string} needs readOnly: true")
        if mount.child("mountPropagation").string not in ("", "None"):
            recursive.reject(f"{recursive.string} needs mountPropagation: None")
