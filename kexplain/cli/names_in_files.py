"""The names of what files hold, for a press of Tab that is about one of them."""

import os
from collections.abc import Sequence
from contextlib import suppress

from kexplain.errors import KexplainError
from kexplain.load import load
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.workload_kinds import kind_of_word

#: Files that are larger in all are not read while somebody waits for a key press.
_MOST_BYTES = 32 << 20


def names_in_files(kind: str, paths: Sequence[str], namespace: str) -> Sequence[str]:
    """The names of the objects of a kind in a namespace, or in any if it is empty; none if the files cannot be read."""
    wanted = {"nodes": "Node", "namespaces": "Namespace", "pods": "Pod"}.get(kind) or kind_of_word(kind)
    with suppress(OSError, KexplainError):
        if sum(map(_size, paths)) > _MOST_BYTES:
            return ()
        objects = load(paths).objects
        if wanted == "Namespace":
            return sorted({each.name if each.kind == wanted else _home(each) for each in objects} - {""})
        found = (each for each in objects if each.kind == wanted)
        return sorted({each.name for each in found if not namespace or _home(each) in (namespace, "")})
    return ()


def _home(obj: KubernetesObject) -> str:
    """The namespace of an object; empty where its kind has none."""
    return (obj.namespace or "default") if obj.is_namespaced else ""


def _size(path: str) -> int:
    """How many bytes a file, or the files of a directory, have; those below it are not read."""
    if os.path.isdir(path):  # noqa: PTH112 (as the loader takes it)
        return sum(each.stat().st_size for each in os.scandir(path) if each.is_file())
    return os.stat(path).st_size  # noqa: PTH116
