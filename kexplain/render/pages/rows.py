"""Reports as rows of a spreadsheet, as `report-rows.json` among the tables has them."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from kexplain.explain.output import Output
from kexplain.render.pages import Rows, module_of
from kexplain.render.pages.cluster_figures import with_rows
from kexplain.tables import table


class Section(Struct, frozen=True, forbid_unknown_fields=True):
    """Rows of one kind: one for each record of a list, or for `each` part of it, which a path names as `each`.

    A column has a path through the fields of the record; `constants` are the same in all rows.
    """

    of: str
    columns: Mapping[str, str]
    each: str = ""
    constants: Mapping[str, str] = field(default_factory=dict, name="is")

    def rows(self, report: Output) -> Iterator[dict[str, object]]:
        """What stands in each row, by column."""
        for record in getattr(report, self.of):
            found = _reached(record, self.each) if self.each else None
            for part in [None] if found is None else found.items() if isinstance(found, Mapping) else found:
                cells = {name: _cell(record, part, path) for name, path in self.columns.items()}
                yield {**self.constants, **cells}


def rows_of(report: Output) -> Rows:
    """The rows of a report, with those of its figures behind them."""
    kind = report.kind  # type: ignore[attr-defined] # what has rows is a document
    sections = table("report-rows", dict[str, tuple[Section, ...]]).get(kind)
    if sections is None:
        rows: Rows = module_of(report).rows(report)
        return rows
    heads = dict.fromkeys(name for each in sections for name in (*each.constants, *each.columns))
    found = [tuple(row.get(head, "") for head in heads) for each in sections for row in each.rows(report)]
    return with_rows(Rows(tuple(heads), found), getattr(report, "figures", None))


def _cell(record: object, part: object, path: str) -> object:
    """What stands at the end of a path; of several things, all of them, and nothing where there is none."""
    first, _, rest = path.partition(".")
    found = _reached(part, rest) if first == "each" else _reached(record, path)
    match found:
        case None:
            return ""
        case tuple():
            return "; ".join(map(str, found))
        case Mapping():
            return " ".join(f"{name}={value}" for name, value in found.items())
        case _:
            return found


def _reached(value: Any, path: str) -> Any:
    for step in path.split(".") if path else ():
        value = value[int(step)] if step.isdecimal() else getattr(value, step, None)
    return value
