"""References to what is to be placed: files, and names such as `web`, `pod/web` or `deploy/web`."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass

from kexplain.errors import UsageError
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.workload_kinds import WORKLOAD_KINDS
from kexplain.words import did_you_mean, joined, near, plural

_NAME = re.compile(r"(?:(?P<kind>[A-Za-z]+)/)?(?P<name>[a-z0-9]([-a-z0-9.]*[a-z0-9])?)")
_KIND_BY_ALIAS = {
    **dict.fromkeys(("pod", "pods", "po"), "Pod"),
    **{alias: each.kind for each in WORKLOAD_KINDS for alias in each.aliases},
}


@dataclass(frozen=True, slots=True)
class Reference:
    """A pod or a workload by its kind and name."""

    kind: str
    name: str

    def find(self, objects: Sequence[KubernetesObject], namespace: str) -> KubernetesObject:
        """The object that it means in a namespace, which is also where objects are that name none.

        Raises UsageError if there is none; the hint says where there is one, or which name is near.
        """
        alike = [obj for obj in objects if type(obj).__name__ == self.kind]
        for obj in alike:
            if obj.name == self.name and (obj.namespace or namespace) == namespace:
                return obj
        message = f"there is no {self.kind} {self.name} in namespace {namespace}"
        raise UsageError(message, self._hint(alike, namespace))

    def _hint(self, alike: Sequence[KubernetesObject], namespace: str) -> str:
        elsewhere = sorted({obj.namespace for obj in alike if obj.name == self.name and obj.namespace})
        if elsewhere:
            return f"namespace {joined(elsewhere)} has one of that name"
        if not alike:
            return f"there is no {self.kind} at all in what was read"
        namespace_by_name = {obj.name: obj.namespace or namespace for obj in alike}
        if close := near(self.name, namespace_by_name):
            home = namespace_by_name[close[0]]
            return f"did you mean {close[0]}{f' in namespace {home}' if home != namespace else ''}?"
        return f"there {'is' if len(alike) == 1 else 'are'} {plural(len(alike), 'other')}"


def parted(references: Sequence[str]) -> tuple[list[str], list[Reference]]:
    """The paths among references (`-` is stdin), and the names, each once. Raises UsageError on an unknown kind."""
    distinct = list(dict.fromkeys(references))
    paths = [each for each in distinct if _is_path(each)]
    return paths, [_reference(each) for each in distinct if not _is_path(each)]


def _is_path(reference: str) -> bool:
    """Whether a reference means a file: it is one, or it looks like one."""
    # Unlike Path.exists, this is False for what cannot be looked at or cannot be a path at all.
    if reference == "-" or os.path.exists(reference) or not _NAME.fullmatch(reference):  # noqa: PTH110
        return True
    return reference.endswith((".yaml", ".yml", ".json"))


def _reference(text: str) -> Reference:
    kind, _, name = text.rpartition("/")
    alias = kind.lower() or "pod"
    if alias not in _KIND_BY_ALIAS:
        kinds = joined(["pod", *(each.kind.lower() for each in WORKLOAD_KINDS)], "or")
        raise UsageError(f'"{alias}" is not a kind with pods', did_you_mean(alias, _KIND_BY_ALIAS) or f"use {kinds}")
    return Reference(_KIND_BY_ALIAS[alias], name)
