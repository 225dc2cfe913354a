"""A change of one object, as reports publish it and as `what-if` reads it again."""

from typing import Any

import msgspec

MERGE_PATCH = "application/merge-patch+json"
JSON_PATCH = "application/json-patch+json"
PATCH, CREATE, DELETE = "patch", "create", "delete"


class Target(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The object that a change is about; `namespace` is empty where its kind has none, or where it is the default."""

    api_version: str = ""
    kind: str
    namespace: str = ""
    name: str

    def __str__(self) -> str:
        return f"{self.kind.lower()}/{self.name}"


class Change(msgspec.Struct, frozen=True, rename="camel", kw_only=True, omit_defaults=True):
    """A change to one object. `verb` is `patch`, `create` or `delete`.

    `patch` is of the type that `patchType` names, a merge patch if it names none; `object` is the whole of what is
    created. With `recreate`, an API server refuses the patch of the object as it stands: it has to be deleted and
    created again with the patch applied. With `inManifest`, it stands in a manifest and in no cluster.
    """

    target: Target
    verb: str
    patch_type: str = ""
    patch: list[dict[str, Any]] | dict[str, Any] | None = None
    object: dict[str, Any] | None = None
    recreate: bool = False
    in_manifest: bool = False

    @property
    def operations(self) -> list[dict[str, Any]]:
        """The operations of a JSON Patch; empty where it is none."""
        return self.patch if isinstance(self.patch, list) else []
