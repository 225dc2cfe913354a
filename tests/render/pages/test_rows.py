"""What the table of rows says of reports: every path in it leads to something."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from msgspec.structs import fields

from kexplain.cli.commands.schema import record_of
from kexplain.render import Kind
from kexplain.render.pages.rows import Section
from kexplain.tables import table

SECTIONS = table("report-rows", dict[str, tuple[Section, ...]])
RECORDS = [record_of(each) for each in Kind if each is not Kind.SETTINGS]
KINDS: dict[str, Any] = {
    field.default: record for record in RECORDS for field in fields(record) if field.name == "kind"
}


def reached(kind: Any, path: str) -> Any:
    """The type of what stands at the end of a path."""
    for step in path.split(".") if path else ():
        found = getattr(kind, step, None)
        kind = get_type_hints(found.fget)["return"] if isinstance(found, property) else get_type_hints(kind)[step]
        kind = next((each for each in get_args(kind) if each is not NoneType), kind) if _may_be_none(kind) else kind
    return kind


def _may_be_none(kind: Any) -> bool:
    return NoneType in get_args(kind)


@pytest.mark.parametrize(("kind", "section"), [(kind, each) for kind, found in SECTIONS.items() for each in found])
def test_every_path_leads_to_a_field(kind: str, section: Section) -> None:
    (record, *_) = get_args(get_type_hints(KINDS[kind])[section.of])
    parts = reached(record, section.each)
    for path in section.columns.values():
        first, _, rest = path.partition(".")
        if first != "each":
            assert reached(record, path) is not None
        elif get_origin(parts) in (dict, Mapping):
            assert rest in ("0", "1")
        else:
            assert reached(get_args(parts)[0], rest) is not None
