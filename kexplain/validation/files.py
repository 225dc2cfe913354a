"""Files that volumes are made of, one a key or a field.

Source: core/validation `validateKeyToPath`, `validateDownwardAPIVolumeFile`, release 1.36.
"""

from __future__ import annotations

from kexplain.validation.environment import check_field_reference, check_resource_reference
from kexplain.validation.names import file_path
from kexplain.validation.problem import Field

#: The highest mode of a file.
MODE = 0o777


def check_key_to_path(item: Field) -> None:
    """Which key becomes which file."""
    item.child("key").require()
    if item.child("path").require():
        item.child("path").obey(file_path)
    item.child("mode").within(0, MODE)


def check_downward_file(item: Field) -> None:
    """A file made of a field of the pod; an API server names the volume, not the item."""
    path, field, resource = item.child("path"), item.child("fieldRef"), item.child("resourceFieldRef")
    if path.require():
        path.obey(file_path)
    if field.is_set:
        check_field_reference(field, is_volume=True)
        if resource.is_set:
            item.reject("takes either fieldRef or resourceFieldRef")
    elif resource.is_set:
        check_resource_reference(resource, is_volume=True)
    else:
        item.reject("needs fieldRef or resourceFieldRef")
    item.child("mode").within(0, MODE)
