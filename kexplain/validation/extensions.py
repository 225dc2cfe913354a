"""What extends the API: definitions of kinds, and API servers beside this one.

Source: apiextensions/validation, kube-aggregator apiregistration/validation, release 1.36.

Schemas have a module of their own.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from kexplain.objects.json_values import shown
from kexplain.validation.field import Field
from kexplain.validation.metadata import check_metadata
from kexplain.validation.names import among, dns_old_label, dns_subdomain, in_any_case, path_segment
from kexplain.validation.rows import judge, may, needs, set_as, unique
from kexplain.validation.structural_schemas import check_schema, is_scalar_at
from kexplain.validation.webhooks import check_review_versions

_COMMUNITY = ("k8s.io", "kubernetes.io")


def check_definition(definition: Field) -> None:
    """The definition of a kind."""
    spec = definition.child("spec")
    names, group = spec.child("names"), spec.child("group")
    required = f"{names.child('plural').string}.{group.string}"

    def is_required_name(name: str) -> str | None:
        return dns_subdomain(name) or (None if name == required else f"is not {shown(required)}, its plural and group")

    check_metadata(definition.child("metadata"), is_required_name, is_namespaced=False)
    judge(spec, {"group": needs(dns_subdomain, _has_two_parts), "scope": needs(among("Cluster", "Namespaced"))})
    _check_versions(spec.child("versions"), definition)
    _check_names(names)
    _check_conversion(spec.child("conversion"))
    _check_approval(definition)


def _check_versions(versions: Field, definition: Field) -> None:
    items, spec = versions.items(), definition.child("spec")
    names = [version.child("name").string for version in items]
    judge(definition, {"spec.versions[]": "extensions.version"})
    if names and names[0] and (problem := dns_old_label(names[0])):
        spec.child("version").reject(f"{shown(names[0])} {problem}")
    _check_contents(items)
    versions.reject_if(len(set(names)) < len(names), "has a name twice")
    stored = [version for version in items if version.child("storage").flag]
    if len(stored) != 1:
        versions.reject("needs exactly one version that is stored")
        definition.descend("status", "storedVersions").reject("must be the one version that is stored")
    spec.child("preserveUnknownFields").forbid_value("must be false")


def _check_contents(versions: list[Field]) -> None:
    """What each version says of its own, or all of them together."""
    schemas, columns, subresources, selectable = (
        _common([version.child(name) for version in versions], text)
        for name, text in (
            ("schema", "spec.validation"),
            ("additionalPrinterColumns", "spec.additionalPrinterColumns"),
            ("subresources", "spec.subresources"),
            ("selectableFields", "spec.selectableFields"),
        )
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


def _has_two_parts(group: str) -> str | None:
    return "is not a domain of at least two parts" if "." not in group and not dns_subdomain(group) else None


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
    unique("jsonPath", at="jsonPath")(fields)


def _check_approval(definition: Field) -> None:
    """Groups of the community need to say who approved their API. Source: apihelpers `GetAPIApprovalState`."""
    group = definition.descend("spec", "group").string
    if not (group in _COMMUNITY or group.endswith(tuple(f".{each}" for each in _COMMUNITY))):
        return
    approval = definition.descend("metadata", "annotations").key("api-approved.kubernetes.io")
    parts = urlsplit(approval.string)
    if not approval.string:
        approval.reject(f"is required, as {group} is a group of the Kubernetes community")
    elif not approval.string.startswith("unapproved") and not (parts.scheme and parts.netloc):
        approval.reject(f"{shown(approval.string)} is not a URL, and does not begin with unapproved")


def _check_path(column: Field) -> None:
    path = column.child("jsonPath").written(f"{column.text}.JSONPath")
    if path.require() and not path.string.startswith("."):
        path.reject(f"{shown(path.string)} does not begin with a dot")


def _check_names(names: Field) -> None:
    kind, listed, singular = names.child("kind"), names.child("listKind"), names.child("singular")
    names.child("plural").require()
    if kind.require():
        # An API server fills these in from the kind.
        listed = listed if listed.string else listed.with_value(f"{kind.string}List")
        singular = singular if singular.string else singular.with_value(kind.string.lower())
    else:
        listed.require()
        singular.require()
    for each in (names.child("plural"), singular):
        judge(each, may(dns_old_label))
    for each in (kind, listed):
        judge(each, may(in_any_case(dns_old_label)))
    for each in (*names.child("shortNames").items(), *names.child("categories").items()):
        each.obey(dns_old_label)
    listed.reject_if(kind.string and kind.string == listed.string, "must not be the kind itself")


def _check_conversion(conversion: Field) -> None:
    if not conversion.is_set:
        return
    strategy, webhook = conversion.child("strategy"), conversion.child("webhook")
    client = webhook.child("clientConfig").written("spec.conversion.webhookClientConfig")
    versions = webhook.child("conversionReviewVersions").written("spec.conversion.conversionReviewVersions")
    judge(strategy, needs(among("None", "Webhook")))
    if strategy.string != "Webhook":
        for each in (client, versions):
            each.forbid_value("needs the strategy Webhook")
        return
    judge(client, (set_as("is required with the strategy Webhook"), "webhooks.client"))
    check_review_versions(versions)


def check_api_service(service: Field) -> None:
    """A group and version that another API server answers, or this one."""
    spec = service.child("spec")
    required = f"{spec.child('version').string}.{spec.child('group').string}"

    def is_required_name(name: str) -> str | None:
        return path_segment(name) or (None if name == required else f"is not {shown(required)}, its version and group")

    check_metadata(service.child("metadata"), is_required_name, is_namespaced=False)
    judge(spec, "extensions.api_service")
