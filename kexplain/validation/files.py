"""Files that volumes are made of, one a key or a field, and projected volumes: files of several sources.

Source: core/validation `validateKeyToPath`, `validateDownwardAPIVolumeFile`, `validateProjectedVolumeSource`, release
1.36 with its default feature gates, which drop cluster trust bundles and pod certificates before they are looked at.
"""

from kexplain.objects.json_values import shown
from kexplain.validation.field import Field
from kexplain.validation.names import file_path
from kexplain.validation.rows import judge

#: The highest mode of a file.
MODE = 0o777
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
        source.reject_if(len(kinds) > 1, "takes one source only, and these are several")


def _check_files(source: Field, kind: str, volume: Field, paths: set[str]) -> None:
    if kind != "downwardAPI":
        source.child("name").require()
    for item in source.child("items").items():
        if kind == "downwardAPI":
            judge(item.written(source), "files.downward_file")
        else:
            judge(item, "files.key_to_path")
        path = item.child("path").string
        if path and path in paths:
            item.child("path").written(volume).reject(f"{shown(path)} is also made by another source")
        paths.add(path)


def _check_token(token: Field, volume: Field) -> None:
    seconds, path = token.child("expirationSeconds"), token.child("path").written(f"{volume.text}.path")
    seconds.within(10 * 60, 1 << 32)
    if path.require():
        path.obey(file_path)
