"""Selectors: CEL expressions over a device. Source: `dynamic-resource-allocation/cel`.

The cost limit of upstream is estimated, and generously: an API server stores no expression whose worst case exceeds it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kexplain.cel.costs import is_affordable
from kexplain.cel.engine import ANY_NAME, Dialect, SelectorError, compiled, runtime_text
from kexplain.cel.functions import quantity_bytes, version_bytes
from kexplain.cel.references import ATTRIBUTES, CAPACITY, DRIVER, INDEXED, MULTIPLE, references, tokens_of
from kexplain.cel.versions import parse_version
from kexplain.objects.resource import Device, DeviceAttribute

#: What a scheduler says that gives up on an expression as it runs.
_TOO_COSTLY = "operation cancelled: actual cost limit exceeded"
_UNSUPPORTED = "unsupported attribute value"


def compilation(expression: str) -> None:
    """Return if a selector may have this expression. Raises SelectorError, MissingLibraryError."""
    _Expression(expression)


class Selectors:
    """Compiles each expression once, and asks it once about devices that are alike in what it reads."""

    def __init__(self, *, see_sharing: bool = True, dialect: Dialect = Dialect()) -> None:  # noqa: B008 - it is frozen
        """Unless they see it, no device seems to be one that several claims may share."""
        self._see_sharing = see_sharing
        self._dialect = dialect
        self._compiled: dict[tuple[str, bool], _Expression | SelectorError] = {}
        self._faults: dict[int, tuple[Device, str]] = {}

    def derived(self, expression: str, driver: str, device: Device) -> DeviceAttribute:
        """The attribute that an expression makes of the device. Raises SelectorError."""
        expressed = self._expression(expression, derives=True)
        self._refuse_faulty(device)
        return expressed.derived(driver, device)

    def _expression(self, text: str, *, derives: bool = False) -> _Expression:
        compiled = self._compiled.get((text, derives))
        if compiled is None:
            try:
                sees_sharing = self._see_sharing
                compiled = _Expression(text, sees_sharing=sees_sharing, dialect=self._dialect, derives=derives)
            except SelectorError as fault:
                compiled = fault
            self._compiled[text, derives] = compiled
        if isinstance(compiled, SelectorError):
            raise compiled
        return compiled

    def matches(self, expression: str, driver: str, device: Device) -> bool:
        """Whether the device is like that. Raises SelectorError."""
        compiled = self._expression(expression)
        known = compiled.answer_by_device.get(id(device))
        if known is not None:
            return known
        self._refuse_faulty(device)
        known = compiled.answer_by_device[id(device)] = compiled.matches(driver, device)
        return known

    def _refuse_faulty(self, device: Device) -> None:
        """Raise SelectorError where no expression can be asked about the device."""
        known = self._faults.get(id(device))
        if known is None:
            # The device is kept, so that its id stays its own.
            known = self._faults[id(device)] = (device, _fault_of(device, reads_lists=self._dialect.has_lists))
        if known[1]:
            raise SelectorError(known[1])


def _fault_of(device: Device, *, reads_lists: bool) -> str:
    for name, each in (device.attributes or {}).items():
        fault = ""
        if reads_lists and each.values is not None:
            fault = next(filter(None, map(_fault_of_version, each.version_values or ())), "")
        elif each.string_value is None and each.int_value is None and each.bool_value is None:
            fault = _UNSUPPORTED if each.version_value is None else _fault_of_version(each.version_value)
        if fault:
            return f"attribute {name}: {fault}"
    return ""


def _fault_of_version(text: str) -> str:
    try:
        parse_version(text)
    except ValueError as fault:
        return f"parse semantic version: {fault}"
    return ""


class _Expression:
    """A compiled expression, and what it answered so far."""

    def __init__(
        self,
        text: str,
        *,
        sees_sharing: bool = True,
        dialect: Dialect = Dialect(),  # noqa: B008
        derives: bool = False,
    ) -> None:
        self._sees_sharing, self._reads_lists = sees_sharing, dialect.has_lists
        reads = self._reads = references(text)
        if reads.unknown_field:
            raise SelectorError(_undefined_field(text, *reads.unknown_field), at_compile_time=True)
        if not is_affordable(tokens_of(text)):
            raise SelectorError(_TOO_COSTLY)
        self._program = compiled(text, reads.renamed, is_bare=reads.is_bare, dialect=dialect, derives=derives)
        paths = [path for path in reads.paths or () if len(path) > 1]
        self._attribute_names, self._capacity_names = (
            [(domain, name, f"{domain}/{name}") for kind, domain, name in paths if kind == field]
            for field in (ATTRIBUTES, CAPACITY)
        )
        self._answers: dict[Any, bool | SelectorError] = {}
        #: By the id of a device, which whoever asks keeps.
        self.answer_by_device: dict[int, bool] = {}

    def matches(self, driver: str, device: Device) -> bool:
        """Whether it holds for the device. Raises SelectorError."""
        key = self._key(driver, device)
        answer = self._answers.get(key)
        if answer is None:
            try:
                answer = self._evaluate(driver, device)
            except SelectorError as fault:
                answer = fault
            self._answers[key] = answer
        if isinstance(answer, SelectorError):
            raise answer
        return answer

    def _key(self, driver: str, device: Device) -> Any:
        """All that the answer depends on."""
        attributes, capacity = device.attributes or {}, device.capacity or {}
        if self._reads.paths is None:
            amounts = frozenset((name, each.value) for name, each in capacity.items())
            return driver, device.allow_multiple_allocations, frozenset(attributes.items()), amounts
        # Attributes are compared whole, which tells the integer 1 from true.
        said = [_lookup(attributes, driver, *names) for names in self._attribute_names]
        held = [_lookup(capacity, driver, *names) for names in self._capacity_names]
        return driver, device.allow_multiple_allocations, *said, *[each and each.value for each in held]

    def derived(self, driver: str, device: Device) -> DeviceAttribute:
        """The result as an attribute. Raises SelectorError. Source: `valToDeviceAttribute`."""
        _, value = self._result(driver, device)
        every = value if isinstance(value, list) else [value]
        kinds = {_kind(each) for each in every} or {"string"}
        kind = kinds.pop()
        if kinds or not kind:
            raise SelectorError("unsupported list element type" if every is value else "unsupported CEL return type")
        plain = tuple(bytes(each)[1:].decode() if kind == "version" else each for each in every)
        made: dict[str, Any] = {f"{kind}_values": plain} if every is value else {f"{kind}_value": plain[0]}
        return DeviceAttribute(**made)

    def _result(self, driver: str, device: Device) -> tuple[str, Any]:
        try:
            result = self._program.eval(data=self._data(driver, device))
        except RuntimeError as fault:
            raise SelectorError(runtime_text(str(fault))) from None
        type_name, value = result.type().name(), result.value()
        if type_name == ANY_NAME:
            raise SelectorError(runtime_text(str(value)))
        return type_name, [each.value() for each in value] if isinstance(value, list) else value

    def _evaluate(self, driver: str, device: Device) -> bool:
        type_name, value = self._result(driver, device)
        if type_name == "BOOL":
            return bool(value)
        name = type_name.lower()
        why = f"unsupported native conversion from {name} to 'bool'"
        raise SelectorError(f"CEL result of type {name} could not be converted to bool: {why}")

    def _attribute(self, each: DeviceAttribute) -> Any:
        """The value or the list as expressions carry it."""
        if self._reads_lists and each.values is not None:
            kind, items = each.values
            return [_carried(kind, item) for item in items]
        assert each.value is not None  # noqa: S101 - checked for the whole device before
        return _carried(*each.value)

    def _data(self, driver: str, device: Device) -> dict[str, Any]:
        said = {name: self._attribute(each) for name, each in (device.attributes or {}).items()}
        amounts = {name: quantity_bytes(each.value) for name, each in (device.capacity or {}).items()}
        attributes, capacity = _by_domain(said, driver), _by_domain(amounts, driver)
        empty: dict[str, dict[str, Any]] = {domain: {} for domain in self._reads.domains}
        allows_multiple = self._sees_sharing and bool(device.allow_multiple_allocations)
        if self._reads.is_bare:
            maps = {ATTRIBUTES: empty | attributes, CAPACITY: empty | capacity}
            return {"device": {DRIVER: driver, MULTIPLE: allows_multiple, **maps}}
        return {
            f"device.{DRIVER}": driver,
            f"device.{MULTIPLE}": allows_multiple,
            f"device.{ATTRIBUTES}": attributes,
            f"device.{INDEXED[ATTRIBUTES]}": empty | attributes,
            f"device.{CAPACITY}": capacity,
            f"device.{INDEXED[CAPACITY]}": empty | capacity,
        }


def _kind(value: object) -> str:
    """The kind of attribute that an expression's value is; empty if it is none."""
    if isinstance(value, bytes | bytearray):
        return "version" if value[:1] == b"v" else ""
    return {bool: "bool", int: "int", str: "string"}.get(type(value), "")


def _lookup(values: Mapping[str, Any], driver: str, domain: str, name: str, full: str) -> Any:
    """The value under its full name, or under its bare one in the driver's own domain; None without."""
    found = values.get(full)
    return values.get(name) if found is None and domain == driver else found


def _by_domain(values: Mapping[str, Any], driver: str) -> dict[str, dict[str, Any]]:
    """The values by domain and name; bare names belong to the driver's own domain, full names take precedence."""
    by_domain: dict[str, dict[str, Any]] = {}
    for full in sorted(values, key=lambda name: "/" in name):
        domain, slash, name = full.partition("/")
        by_domain.setdefault(domain if slash else driver, {})[name if slash else full] = values[full]
    return by_domain


def _carried(kind: str, plain: int | bool | str) -> int | bool | str | bytes:
    return version_bytes(str(plain)) if kind == "version" else plain


def _undefined_field(text: str, field: str, offset: int) -> str:
    before = text[:offset]
    line, column = before.count("\n") + 1, offset - (before.rfind("\n") + 1)
    shown = text.split("\n")[line - 1]
    place = f"<input>:{line}:{column + 1}"
    return f"compilation failed: ERROR: {place}: undefined field '{field}'\n | {shown}\n | {'.' * column}^"
