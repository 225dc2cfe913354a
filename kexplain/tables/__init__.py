"""Tables that are data, not code: files of words in sections, and scripts, which stand beside this module.

# a remark
[a section]
words that    white space parts
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

TableT = TypeVar("TableT")


def text(name: str) -> str:
    """The file of that name."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def table(name: str, of: type[TableT]) -> TableT:
    """The JSON of that name, as the records that it consists of, which are read once."""
    return cast("TableT", _decoded(name, of))  # type: ignore[arg-type] # types can be hashed


@cache
def _decoded(name: str, of: Any, module: str = "") -> Any:
    import msgspec  # noqa: PLC0415 (a press of Tab reads tables without)

    if module:
        return msgspec.convert(next(iter(rows(module, name).values())), tuple[of, ...])
    return msgspec.json.decode(text(f"{name}.json"), type=of)


def rows(module: str, name: str) -> dict[str, Any]:
    """The TOML of that name in the folder `tables` beside the module."""
    import tomllib  # noqa: PLC0415 (a press of Tab reads tables without)

    return tomllib.loads((Path(module).parent / "tables" / f"{name}.toml").read_text(encoding="utf-8"))


def records(module: str, name: str, of: type[TableT]) -> tuple[TableT, ...]:
    """The one list of that TOML, as records, which are read once."""
    return cast("tuple[TableT, ...]", _decoded(name, of, module))  # type: ignore[arg-type] # types can be hashed


def sections(name: str) -> Mapping[str, tuple[str, ...]]:
    """The words of each section of a table, in order; those before the first section are of the section ""."""
    found: dict[str, list[str]] = {"": []}
    section = ""
    for line in text(f"{name}.txt").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
            found[section] = []
        elif not line.startswith("#"):
            found[section] += line.split()
    return {each: tuple(words) for each, words in found.items()}


def words(name: str) -> frozenset[str]:
    """All words of a table without sections."""
    return frozenset(sections(name)[""])
