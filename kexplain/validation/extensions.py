"""What extends the API: definitions of kinds, and API servers beside this one.

Source: apiextensions/validation, kube-aggregator apiregistration/validation, release 1.36.

Deviation: of the schemas that definitions hold, only fields and types are looked at, not the other rules of
structural schemas, and not their expressions.
"""

from __future__ import annotations

from kexplain.validation.metadata import check_metadata
from kexplain.validation.names import dns_old_label, dns_subdomain, path_segment, port_number
from kexplain.validation.problem import Field, shown
from kexplain.validation.webhooks import check_client, check_review_versions

_SCOPES = ("Cluster", "Namespaced")
_TYPES = ("array", "boolean", "integer", "number", "object", "string")
_COLUMN_TYPES = ("boolean", "date", "integer", "number", "string")
_COLUMN_FORMATS = ("byte", "date", "date-time", "double", "float", "int32", "int64", "password")
_STRATEGIES = ("None", "Webhook")
_MOST_GROUP_PRIORITY = 20_000
_MOST_VERSION_PRIORITY = 1_000
_DEFAULT_PORT = 443


def check_definition(definition: Field) -> None:
    """The definition of a kind."""
    spec = definition.child("spec")
    names, group = spec.child("names"), spec.child("group")
    required = f"{names.child('plural').string}.{group.string}"

    def is_required_name(name: str) -> str | None:
        return dns_subdomain(name) or (None if name == required else f"is not {shown(required)}, its plural and group")

    check_metadata(definition.child("metadata"), is_required_name, is_namespaced=False)
    if group.require():
        group.obey(dns_subdomain)
        if "." not in group.string and not dns_subdomain(group.string):
            group.reject(f"{shown(group.string)} is not a domain of two parts at least")
    if spec.child("scope").require():
        spec.child("scope").one_of(_SCOPES)
    _check_versions(spec.child("versions"), definition)
    _check_names(names)
    _check_conversion(spec.child("conversion"))


def _check_versions(versions: Field, definition: Field) -> None:
    items, spec = versions.items(), definition.child("spec")
    names = [version.child("name").string for version in items]
    schemas, columns = (
        _common([version.child(name) for version in items], text)
        for name, text in (("schema", "spec.validation"), ("additionalPrinterColumns", "spec.additionalPrinterColumns"))
    )
    for version in items:
        version.child("name").obey(dns_old_label)
        if problem := dns_old_label(names[0]) if version is items[0] and names[0] else None:
            spec.child("version").reject(f"{shown(names[0])} {problem}")
        version.descend("schema", "openAPIV3Schema").require_set()
    for schema in schemas:
        root = schema.child("openAPIV3Schema")
        if root.is_set:
            _check_schema(root, is_root=True)
    for column in (column for each in columns for column in each.items()):
        _check_column(column)
    if len(set(names)) < len(names):
        versions.reject("has a name twice")
    stored = [version for version in items if version.child("storage").flag]
    if len(stored) != 1:
        versions.reject("needs exactly one version that is stored")
        definition.descend("status", "storedVersions").reject("must be the one version that is stored")
    if spec.child("preserveUnknownFields").flag:
        spec.child("preserveUnknownFields").reject("must be false")


def _common(fields: list[Field], text: str) -> list[Field]:
    """What versions say; if all say the same, an API server takes it for what the definition says of all."""
    if not fields or any(field.value != fields[0].value for field in fields):
        return fields
    return [fields[0].written(text)]


def _check_schema(schema: Field, *, is_root: bool = False) -> None:
    kind = schema.child("type")
    if kind.string:
        kind.one_of(("object",) if is_root else _TYPES)
    elif not (schema.child("x-kubernetes-int-or-string").flag or _is_open(schema)):
        kind.reject("is required")
    if kind.string == "array" and not isinstance(schema.child("items").value, dict):
        schema.child("items").reject("is required with the type array")
    if schema.child("x-kubernetes-preserve-unknown-fields").value is False:
        schema.child("x-kubernetes-preserve-unknown-fields").reject("must be true, or left out")
    for _, inner in schema.child("properties").entries():
        _check_schema(inner)
    for name in ("items", "additionalProperties"):
        if isinstance(schema.child(name).value, dict):
            _check_schema(schema.child(name))


def _is_open(schema: Field) -> bool:
    return schema.child("x-kubernetes-preserve-unknown-fields").flag


def _check_column(column: Field) -> None:
    for name in ("name", "type"):
        column.child(name).require()
    if column.child("type").string:
        column.child("type").one_of(_COLUMN_TYPES)
    if column.child("format").string:
        column.child("format").one_of(_COLUMN_FORMATS)
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
        if each.string:
            each.obey(dns_old_label)
    for each in (kind, listed):
        if each.string and (problem := dns_old_label(each.string.lower())):
            each.reject(f"{shown(each.string)} {problem}")
    for each in (*names.child("shortNames").items(), *names.child("categories").items()):
        each.obey(dns_old_label)
    if kind.string and kind.string == listed.string:
        listed.reject("must not be the kind itself")


def _check_conversion(conversion: Field) -> None:
    if not conversion.is_set:
        return
    strategy, webhook = conversion.child("strategy"), conversion.child("webhook")
    client = webhook.child("clientConfig").written("spec.conversion.webhookClientConfig")
    versions = webhook.child("conversionReviewVersions").written("spec.conversion.conversionReviewVersions")
    if strategy.require():
        strategy.one_of(_STRATEGIES)
    if strategy.string != "Webhook":
        for each in (client, versions):
            if each.value:
                each.reject("needs the strategy Webhook")
        return
    if client.require_set("is required with the strategy Webhook"):
        check_client(client)
    check_review_versions(versions)


def check_api_service(service: Field) -> None:
    """A group and version that another API server answers, or this one."""
    spec = service.child("spec")
    group, version, backend = (spec.child(name) for name in ("group", "version", "service"))
    required = f"{version.string}.{group.string}"

    def is_required_name(name: str) -> str | None:
        return path_segment(name) or (None if name == required else f"is not {shown(required)}, its version and group")

    check_metadata(service.child("metadata"), is_required_name, is_namespaced=False)
    if group.string:
        group.obey(dns_subdomain)
    elif version.string != "v1":
        group.reject("is required, but for the version v1")
    version.obey(dns_old_label)
    for name, most in (("groupPriorityMinimum", _MOST_GROUP_PRIORITY), ("versionPriority", _MOST_VERSION_PRIORITY)):
        if not 0 < spec.child(name).number() <= most:
            spec.child(name).reject(f"{spec.child(name).number()} is not between 1 and {most}")
    bundle, insecure = spec.child("caBundle"), spec.child("insecureSkipTLSVerify")
    if backend.is_set:
        backend.child("namespace").require()
        backend.child("name").require()
        if problem := port_number(backend.child("port").number(_DEFAULT_PORT)):
            backend.child("port").reject(f"{backend.child('port').number()} {problem}")
        if bundle.string and insecure.flag:
            insecure.reject("must not be true beside a caBundle")
        return
    if bundle.string:
        bundle.reject("needs a service")
    if insecure.flag:
        insecure.reject("needs a service")
