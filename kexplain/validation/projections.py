"""Projected volumes: files of several sources in one directory.

Source: core/validation `validateProjectedVolumeSource`, release 1.36 with its default feature gates, which drop
cluster trust bundles and pod certificates before they are looked at.
"""

from __future__ import annotations

from kexplain.validation.files import MODE, check_downward_file, check_key_to_path
from kexplain.validation.names import file_path
from kexplain.validation.problem import Field, shown

_SHORTEST_TOKEN = 10 * 60
_LONGEST_TOKEN = 1 << 32
_FILES = ("secret", "configMap", "downwardAPI")


def check_projected(volume: Field) -> None:
    """Every source, and that no two of them make the same file."""
    volume.child("defaultMode").within(0, MODE)
    paths: set[str] = set()
    for source in volume.child("sources").items():
        kinds = [kind for kind in (*_FILES, "serviceAccountToken") if source.child(kind).is_set]
        for kind in kinds:
            if kind == "serviceAccountToken":
                _check_token(source.child(kind), volume)
            else:
                _check_files(source.child(kind), kind, volume, paths)
        if len(kinds) > 1:
            source.reject("takes one source only, and these are several")


def _check_files(source: Field, kind: str, volume: Field, paths: set[str]) -> None:
    if kind != "downwardAPI":
        source.child("name").require()
    for item in source.child("items").items():
        if kind == "downwardAPI":
            check_downward_file(item.written(source))
        else:
            check_key_to_path(item)
        path = item.child("path").string
        if path and path in paths:
            item.child("path").written(volume).reject(f"{shown(path)} is made by another source too")
        paths.add(path)


def _check_token(token: Field, volume: Field) -> None:
    seconds, path = token.child("expirationSeconds"), token.child("path").written(f"{volume.text}.path")
    seconds.within(_SHORTEST_TOKEN, _LONGEST_TOKEN)
    if path.require():
        path.obey(file_path)
