"""A cluster without its names: every one replaced by another, the same everywhere, so that verdicts stay.

Every text of every record is replaced unless a rule here says why it means something to the scheduler: a field that is
new is redacted. `new_names` chooses the new names.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from msgspec import inspect as shapes
from msgspec.structs import replace

from kexplain.load.decoding import bare
from kexplain.load.loaded import Loaded, Nowhere, Segment
from kexplain.load.snapshot.message_redaction import redacted_message
from kexplain.load.snapshot.new_names import Names
from kexplain.load.snapshot.public_words import is_identifier
from kexplain.objects.meta import KubernetesObject, Labels, Record
from kexplain.objects.resource import DeviceAttribute
from kexplain.objects.selectors import is_label_value
from kexplain.patterns import regex
from kexplain.tables import sections
from kexplain.words import plural

#: What becomes of fields by their names, or of those of one record; any other text is a name.
_HOW_BY_FIELD = {field: how for how, fields in sections("redacted-fields").items() for field in fields}
_VERSION = regex(r"v?\d+\.\d+(?:\.\d+)?")


def redacted(loaded: Loaded) -> Loaded:
    """The same cluster under other names."""
    names = Names()
    # Of what other projects write, nobody here can say what it gives away.
    kept = [obj for obj in loaded.objects if not obj.is_of_queues]
    for obj in kept:
        _replaced(names, obj)
    names.choose(kept)
    objects: list[KubernetesObject] = [_replaced(names, obj) for obj in kept]
    result = Loaded()
    if len(kept) < len(loaded.objects):
        result.notes.append(f"{plural(len(loaded.objects) - len(kept), 'object')} of autoscalers and queues left out")
    result.add(Segment("redacted", Nowhere(), objects))
    if loaded.notes:
        result.notes.append(f"{plural(len(loaded.notes), 'note')} on what was read left out, as they may hold names")
    result.unlisted += loaded.unlisted
    result.server_version = loaded.server_version
    result.listed |= loaded.listed
    return result


# -------------------------------------------------------------------------------------------------------- walk


#: What becomes of a value, given the names that everything gets.
_Renewal = Callable[[Names, Any], Any]


class _Step(NamedTuple):
    """A field of a record that holds texts, and what becomes of them."""

    attribute: str
    renew: _Renewal


def _replaced(names: Names, record: Record) -> Any:
    changes = {}
    for step in _steps(type(record)):
        value = getattr(record, step.attribute)
        if value is not None:
            renewed = step.renew(names, value)
            if renewed is not value:
                changes[step.attribute] = renewed
    return replace(record, **changes) if changes else record


@cache
def _steps(record: type[Record]) -> tuple[_Step, ...]:
    shape = shapes.type_info(record)
    assert isinstance(shape, shapes.StructType)  # noqa: S101 - records are structs
    steps = ((field.name, _renewal(record, field.name, bare(field.type))) for field in shape.fields)
    return tuple(_Step(name, renew) for name, renew in steps if renew is not None)


def _renewal(record: type, attribute: str, shape: shapes.Type) -> _Renewal | None:
    """What is done with the value of a field; None where it stays."""
    own = _HOW_BY_FIELD.get(f"{record.__name__}.{attribute}")
    match shape:
        case _ if own:
            pass
        case shapes.StructType():
            return _replaced
        case shapes.VarTupleType(item_type=item) if isinstance(bare(item), shapes.StructType):
            return _each(_replaced)
        case shapes.DictType(value_type=value) if isinstance(bare(value), shapes.StructType):
            return None
        case shapes.DictType(value_type=value) if isinstance(bare(value), shapes.StrType):
            return _labels
        case shapes.DictType():
            return _resources
    how = own or _HOW_BY_FIELD.get(attribute, "name")
    one = bare(shape.item_type) if isinstance(shape, shapes.VarTupleType) else shape
    if how == "kept" or not (own or isinstance(one, shapes.StrType)):
        return None
    renew: _Renewal = _FURTHER.get(how) or getattr(Names, how)
    return renew if one is shape else _each(renew)


def _each(renew: _Renewal) -> _Renewal:
    return lambda names, values: tuple(renew(names, value) for value in values)


def _label_value(names: Names, value: str) -> str:
    """The value of an expression; one that no label can have stays so, as a scheduler fails on it."""
    new = names.name(value)
    return new if is_label_value(value) or new == value else f"-{new}"


def _labels(names: Names, labels: Labels) -> Labels:
    return {names.key(key): names.label(key, value) for key, value in labels.items()}


def _resources(names: Names, amounts: dict[str, Any]) -> dict[str, Any]:
    return {names.resource(name): amount for name, amount in amounts.items()}


def _attributes(names: Names, attributes: Mapping[str, DeviceAttribute]) -> Mapping[str, DeviceAttribute]:
    """What a device is like: words that selectors compare stay, and what tells one device from all others does not."""
    return {key: _attribute(names, key, value) for key, value in attributes.items()}


def _attribute(names: Names, key: str, value: DeviceAttribute) -> DeviceAttribute:
    text, texts = value.string_value, value.string_values
    if not is_identifier(key, *filter(None, (text, *(texts or ())))):
        return value
    renewed = tuple(names.identifier(each) for each in texts) if texts else texts
    return replace(value, string_value=names.identifier(text) if text else text, string_values=renewed)


def _device_name(names: Names, name: str) -> str:
    return names.identifier(name) if is_identifier("", name) else name


def _plain_version(names: Names, version: str) -> str:  # noqa: ARG001 (what is asked of each)
    """The version of a kubelet without what somebody's own build appends to it."""
    match = _VERSION.match(version)
    return match[0] if match else ""


def _moments_by_name(names: Names, moments: dict[str, str]) -> dict[str, str]:
    return {names.name(name): moment for name, moment in moments.items()}


def _dropped(names: Names, value: str) -> str:  # noqa: ARG001 (what is asked of each)
    return ""


#: What is done beside what Names does.
_FURTHER: Mapping[str, _Renewal] = {
    "attributes": _attributes, "device_name": _device_name, "dropped": _dropped, "label_value": _label_value,
    "message": redacted_message, "moments_by_name": _moments_by_name, "plain_version": _plain_version,
}  # fmt: skip
