"""The report as YAML."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import yaml

from kexplain.explain.output import Output
from kexplain.render.view import View, restricted

#: Strings that every reader of YAML 1.1, Go's among them, takes for strings without quotes.
_PLAIN = re.compile(r"(?!(?:y|n|yes|no|on|off|true|false|null|nan|inf)$)[A-Za-z/][A-Za-z0-9/._ -]*", re.IGNORECASE)


class _Dumper(yaml.SafeDumper):
    """Quotes whatever some reader could take for a number, a boolean or a date."""


def _string(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    plain = _PLAIN.fullmatch(text) and not text.endswith(" ")
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if plain else '"')


_Dumper.add_representer(str, _string)


def render(report: Output, view: View) -> str:
    """One YAML document with the fields of the JSON one."""
    return plain(msgspec.to_builtins(restricted(report, view)))


def plain(values: Any) -> str:
    """Plain values as YAML."""
    return yaml.dump(values, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)
