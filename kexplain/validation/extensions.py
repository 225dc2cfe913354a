"""What extends the API: definitions of kinds, and API servers beside this one.

Source: apiextensions/validation, kube-aggregator apiregistration/validation, release 1.36.

Schemas have a module of their own.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from kexplain.objects.json_values import shown
from kexplain.validation.field import Field
from kexplain.validation.metadata import check_metadata
from kexplain.validation.names import dns_old_label, dns_subdomain, path_segment
from kexplain.validation.rows import judge, unique
from kexplain.validation.structural_schemas import check_schema, is_scalar_at


def check_definition(definition: Field) -> None:
    """The definition of a kind."""
    spec = definition.child("spec")
    names, group = spec.child("names"), spec.child("group")
    required = f"{names.child('plural').string}.{group.string}"

    def is_required_name(name: str) -> str | None:
        return dns_subdomain(name) or (None if name == required else f"is not {shown(required)}, its plural and group")

    check_metadata(definition.child("metadata"), is_required_name, is_namespaced=False)
    judge(spec, "extensions.definition")
    _check_versions(spec.child("versions"), definition)
    kind = names.child("kind").string
    # An API server fills these in from the kind.
    filled_in = {"listKind": f"{kind}List", "singular": kind.lower()} if kind else {}
    said = {name: value for name, value in names.mapping.items() if value}
    judge(names.with_value({**filled_in, **said}), "extensions.names")
    judge(spec.child("conversion"), "extensions.conversion")
    judge(definition, "extensions.approval")


def _check_versions(versions: Field, definition: Field) -> None:
    items, spec = versions.items(), definition.child("spec")
    names = [version.child("name").string for version in items]
    judge(versions, "extensions.versions")
    if names and names[0] and (problem := dns_old_label(names[0])):
        spec.child("version").reject(f"{shown(names[0])} {problem}")
    _check_contents(items)
    versions.reject_if(len(set(names)) < len(names), "has a name twice")
    if sum(version.child("storage").flag for version in items) != 1:
        versions.reject("needs exactly one version that is stored")
        definition.descend("status", "storedVersions").reject("must be the one version that is stored")
    spec.child("preserveUnknownFields").forbid_value("must be false")


def _check_contents(versions: list[Field]) -> None:
    """What each version says of its own, or all of them together."""
    said = ("schema", "additionalPrinterColumns", "subresources", "selectableFields")
    schemas, columns, subresources, selectable = (
        _common([version.child(name) for version in versions], f"spec.{'validation' if name == 'schema' else name}")
        for name in said
    )
    have_status = [version.descend("subresources", "status").is_set for version in versions]
    for index, schema in enumerate(schemas):
        root = schema.child("openAPIV3Schema")
        if root.is_set:
            check_schema(root, has_status=have_status[index] if len(schemas) == len(versions) else any(have_status))
    for each in subresources:
        judge(each, "extensions.subresources")
    for index, each in enumerate(selectable):
        _check_selectable(each, schemas[index] if len(selectable) == len(schemas) else None)
    for column in (column for each in columns for column in each.items()):
        judge(column, "extensions.column")


def _common(fields: list[Field], text: str) -> list[Field]:
    """What versions say; if all say the same, an API server takes it for what the definition says of all."""
    if not fields or any(field.value != fields[0].value for field in fields):
        return fields
    return [fields[0].written(text)]


def _is_printable(text: str) -> str | None:
    return None if text.isprintable() else "must be printable, and on one line"


def _check_selectable(fields: Field, schema: Field | None) -> None:
    if not fields.items():
        return
    if schema is None or not schema.child("openAPIV3Schema").is_set:
        # An API server takes the fields that all versions have for the definition's, which has no schema then.
        fields.reject("needs versions of one schema, if all have the same fields")
        return
    fields.no_more_than(8)
    for each in fields.items():
        path = each.child("jsonPath")
        if not path.require():
            continue
        if not path.string.startswith("."):
            path.reject(f"{shown(path.string)} does not begin with a dot")
        elif path.string.startswith(".metadata."):
            path.reject("must not be in metadata")
        elif not is_scalar_at(schema.child("openAPIV3Schema"), path.string):
            path.reject(f"{shown(path.string)} leads to no text, flag or whole number of the schema")
    unique(fields, "jsonPath", at="jsonPath")


def _check_approval(approval: Field) -> None:
    parts = urlsplit(approval.string)
    if not (parts.scheme and parts.netloc):
        approval.reject(f"{shown(approval.string)} is not a URL, and does not begin with unapproved")


def check_api_service(service: Field) -> None:
    """A group and version that another API server answers, or this one."""
    spec = service.child("spec")
    required = f"{spec.child('version').string}.{spec.child('group').string}"

    def is_required_name(name: str) -> str | None:
        return path_segment(name) or (None if name == required else f"is not {shown(required)}, its version and group")

    check_metadata(service.child("metadata"), is_required_name, is_namespaced=False)
    judge(spec, "extensions.api_service")
