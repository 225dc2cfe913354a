"""The schemas of custom resources. Source: apiextensions/validation, apiserver `schema` (structural), release 1.36.

Defaults and rules have modules of their own.
"""

from collections.abc import Iterator

from kexplain.errors import MissingLibraryError
from kexplain.objects.json_values import shown
from kexplain.patterns import PatternError, compiled
from kexplain.tables import words
from kexplain.validation.field import Field, reject_repeated
from kexplain.validation.rows import judge
from kexplain.validation.schema_defaults import check_defaults
from kexplain.validation.schema_rules import check_rules

_META = ("apiVersion", "kind", "metadata")
_UNSUPPORTED = ("$ref", "additionalItems", "definitions", "dependencies", "id", "patternProperties")
_INT_OR_STRING = [{"type": "integer"}, {"type": "string"}]
_JUNCTORS = ("anyOf", "allOf", "oneOf")
#: What the root of a schema can say where there is a status, besides its type.
_AT_ROOT_WITH_STATUS = words("root-with-status")


def check_schema(root: Field, *, has_status: bool) -> None:
    """The schema of a version."""
    before = len(root.problems)
    if has_status:
        said = [name for name, value in root.mapping.items() if value not in (None, "", False, [], {}, 0)]
        kind = root.child("type")
        if kind.string and kind.string != "object":
            kind.reject("must be object")
        elif any(name not in _AT_ROOT_WITH_STATUS for name in said):
            root.reject("says more at the root than it can where status is a subresource")
    root.child("nullable").forbid_value("must not be true at the root")
    is_convertible = not any(_is_unsupported(schema) for schema in _every(root))
    if is_convertible:
        _check_structure(root, "root")
        _check_spoken_of(root, root)
    is_structural = is_convertible and len(root.problems) == before
    if is_structural:
        check_defaults(root)
    _check_schema(root, is_root=True, has_types=is_structural and len(root.problems) == before)


def _every(schema: Field) -> Iterator[Field]:
    """The schema and all schemas inside of it."""
    yield schema
    for inner in _inside(schema):
        yield from _every(inner)


def _inside(schema: Field) -> Iterator[Field]:
    for name in _JUNCTORS:
        yield from schema.child(name).items()
    for name in ("properties", "definitions"):
        yield from (inner for _, inner in schema.child(name).entries())
    for name in ("items", "additionalProperties", "not"):
        if isinstance(schema.child(name).value, dict):
            yield schema.child(name)


def _is_unsupported(schema: Field) -> bool:
    preserves = schema.child("x-kubernetes-preserve-unknown-fields").value
    return any(schema.child(name).value for name in (*_UNSUPPORTED, "$schema")) or preserves is False


# --------------------------------------------------------------------------------------------------- structure


def _check_structure(schema: Field, level: str) -> None:
    """Source: `validateStructuralInvariants`; the level is root, item or field."""
    kind, items, others = (schema.child(name) for name in ("type", "items", "additionalProperties"))
    items.reject_if(kind.string == "array" and not isinstance(items.value, dict), "is required with the type array")
    if isinstance(items.value, dict):
        _check_structure(items, "item")
    for _, inner in schema.child("properties").entries():
        _check_structure(inner, "field")
    others.reject_if(others.is_set and level == "root", "must not be used at the root")
    if isinstance(others.value, dict):
        _check_structure(others, "field")
    judge(schema, "structural_schemas.extensions")
    _check_nested_values(schema, skips_any=schema.child("anyOf").value == _INT_OR_STRING)
    _check_type(schema, level)
    _check_meta(schema, level)


def _check_type(schema: Field, level: str) -> None:
    kind = schema.child("type")
    judge(schema, "structural_schemas.type")
    kind.reject_if(level == "root" and kind.string and kind.string != "object", "must be object at the root")


def _check_meta(schema: Field, level: str) -> None:
    is_object = level == "root" or schema.child("x-kubernetes-embedded-resource").flag
    properties = schema.child("properties")
    for name in ("kind", "apiVersion") if is_object else ():
        if name in properties.mapping and properties.key(name).child("type").string != "string":
            properties.key(name).child("type").reject("must be string")
    if "metadata" not in properties.mapping:
        return
    metadata = properties.key("metadata")
    metadata.child("type").reject_if(is_object and metadata.child("type").string != "object", "must be object")
    if level == "root":
        said = {name: value for name, value in metadata.mapping.items() if value not in (None, "", False, [], {})}
        if set(metadata.child("properties").mapping) <= {"name", "generateName"}:
            said.pop("properties", None)
        if set(said) - {"type", "default"}:
            metadata.reject("must say nothing but name and generateName: the rest is known")


def _check_nested_values(schema: Field, *, skips_any: bool = False) -> None:
    """What holds for values only. Source: `validateValueValidation`."""
    whole = schema.child("allOf").items()
    for name in _JUNCTORS:
        for inner in schema.child(name).items() if not (name == "anyOf" and skips_any) else ():
            is_pattern = name == "allOf" and inner.path == whole[0].path
            skips = is_pattern and inner.child("anyOf").value == _INT_OR_STRING
            _check_nested(inner, skips_any=skips)
    if schema.child("not").is_set:
        _check_nested(schema.child("not"))
    pattern = schema.child("pattern")
    if pattern.string and (problem := _pattern_problem(pattern.string)):
        pattern.reject(f"{shown(pattern.string)} is not a regular expression that Go knows: {problem}")


def _check_nested(schema: Field, *, skips_any: bool = False) -> None:
    """Source: `validateNestedValueValidation`."""
    _check_nested_values(schema, skips_any=skips_any)
    if isinstance(schema.child("items").value, dict):
        _check_nested(schema.child("items"))
    for name, inner in schema.child("properties").entries():
        _check_nested(inner)
        inner.reject_if(name == "metadata", "must not be there in a junctor")
    judge(schema, "structural_schemas.nested")
    others = schema.child("additionalProperties")
    others.reject_if(others.value is True or isinstance(others.value, dict), "must not be there in a junctor")


def _pattern_problem(pattern: str) -> str:
    try:
        compiled(pattern)
    except MissingLibraryError:
        return ""
    except PatternError as error:
        return shown(str(error))
    return ""


# ------------------------------------------------------------------------------------------------ completeness


def _check_spoken_of(values: Field, schema: Field) -> None:
    """What a junctor of the root speaks of must be in the schema itself. Source: `validateStructuralCompleteness`."""
    for name in (*_JUNCTORS, "not"):
        inside = [values.child("not")] if name == "not" else values.child(name).items()
        for inner in (each for each in inside if each.is_set):
            _check_nested_completeness(inner, schema)


def _check_nested_completeness(values: Field, schema: Field) -> None:
    _check_spoken_of(values, schema)
    pairs = [(values.child("items"), schema.child("items"))] if isinstance(values.child("items").value, dict) else []
    pairs += [(inner, schema.child("properties").key(name)) for name, inner in values.child("properties").entries()]
    for inner, known in pairs:
        if isinstance(known.value, dict):
            _check_nested_completeness(inner, known)
        else:
            known.reject("is required, as a junctor speaks of it")


# ---------------------------------------------------------------------------------------------------- OpenAPI


def _check_schema(
    schema: Field, *, is_root: bool = False, has_types: bool, in_meta: bool = False, top: bool = False
) -> None:
    """Source: `ValidateCustomResourceDefinitionOpenAPISchema`."""
    if schema.child("default").is_set and top:
        schema.child("default").reject("must not be set in metadata, kind or apiVersion")
    if in_meta and schema.child("x-kubernetes-embedded-resource").flag:
        schema.child("x-kubernetes-embedded-resource").reject("must not be used in metadata")
    _check_supported(schema)
    judge(schema, "structural_schemas.lists_and_maps")
    check_rules(schema, has_types=has_types)
    about = is_root or schema.child("x-kubernetes-embedded-resource").flag
    for inner in _inside(schema):
        is_meta = about and inner.path[:-1] == (*schema.path, "properties") and inner.path[-1] in _META
        _check_schema(inner, has_types=has_types, in_meta=in_meta or is_meta, top=top or (is_meta and is_root))


def _check_supported(schema: Field) -> None:
    judge(schema, "structural_schemas.supported")
    for name in _UNSUPPORTED:
        if schema.child(name).is_set and schema.child(name).value not in ("", {}):
            schema.child(name).reject("is not supported")
    schema.child("items").reject_if(isinstance(schema.child("items").value, list), "must be a schema, not a list")
    others = schema.child("additionalProperties")
    if schema.child("properties").mapping and (others.value is False or isinstance(others.value, dict)):
        others.reject("must not be there beside properties")


def _check_map(schema: Field) -> None:
    keys, items = schema.child("x-kubernetes-list-map-keys"), schema.child("items")
    keys.require()
    if not isinstance(items.value, dict):
        items.reject("is required in a list of type map")
        return
    is_object = items.child("type").string == "object"
    items.child("type").reject_if(not is_object, "must be object in a list of type map")
    for key in keys.strings:
        if key in items.child("properties").mapping:
            _check_key(items.child("properties").key(key), items, is_object=is_object)
        elif is_object:
            keys.reject(f"{shown(key)} is not a property of the items")
    if is_object:
        reject_repeated((key, keys) for key in keys.strings)


def _check_key(known: Field, items: Field, *, is_object: bool) -> None:
    if is_object and known.child("type").string in ("array", "object"):
        known.child("type").reject("must be a scalar, as it is a key of the list")
    if known.path[-1] not in items.child("required").strings and not known.child("default").is_set:
        known.child("default").reject("is required, as a key of the list is required or has a default")
    known.child("nullable").forbid_value("must not be true, as it is a key of the list")


def is_scalar_at(root: Field, path: str) -> bool:
    """Whether a path such as `.spec.name` leads to a text, a flag or a whole number."""
    schema = root
    for step in path[1:].split("."):
        schema = schema.child("properties").key(step)
    return schema.child("type").string in ("boolean", "integer", "string")
