"""The report as YAML."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec
import yaml
from msgspec.structs import replace

from kexplain.explain.output import Output
from kexplain.explanation.records import PodExplanation
from kexplain.patterns import regex
from kexplain.render import Stream
from kexplain.render.harmless import in_strings
from kexplain.render.view import View, restricted, restricted_pod
from kexplain.report.records import Report
from kexplain.report.shared_verdicts import Sharing

#: Strings that every reader of YAML 1.1, Go's among them, takes for strings without quotes.
_PLAIN = regex(r"(?!(?:y|n|yes|no|on|off|true|false|null|nan|inf)$)[A-Za-z/][A-Za-z0-9/._ -]*", re.IGNORECASE)


class _Dumper(yaml.SafeDumper):
    """Quotes whatever some reader could take for a number, a boolean or a date."""


def _string(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    plain = _PLAIN.fullmatch(text) and not text.endswith(" ")
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if plain else '"')


_Dumper.add_representer(str, _string)


def render(report: Output, view: View) -> str:
    """One YAML document with the fields of the JSON one."""
    return plain(msgspec.to_builtins(restricted(report, view), enc_hook=tuple))


def plain(values: Any) -> str:
    """Plain values as YAML."""
    return in_strings(yaml.dump(values, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120))


def stream(head: Report, node_names: Sequence[str], view: View) -> Stream:
    """A report on several pods as it comes; behind them the rest of it."""
    sharing = Sharing(node_names)
    before = {"apiVersion": head.api_version, "kind": head.kind, "kubernetesVersion": head.kubernetes_version}

    def pod(pod: PodExplanation) -> str:
        return plain([msgspec.to_builtins(sharing.shared(restricted_pod(pod, view)))])

    def end(report: Report) -> str:
        rest = msgspec.to_builtins(restricted(replace(report, pods=(), node_names=sharing.node_names), view))
        return plain({key: value for key, value in rest.items() if key not in (*before, "pods")})

    return Stream(plain(before) + "pods:\n", pod, end)
