"""The report as JSON; `kexplain schema` prints its schema."""

from collections.abc import Sequence
from inspect import cleandoc
from itertools import chain, repeat

import msgspec
from msgspec.structs import replace

from kexplain.explain.output import Output
from kexplain.explanation.records import PodExplanation
from kexplain.patterns import regex
from kexplain.render import Stream
from kexplain.render.harmless import in_strings
from kexplain.render.view import View, restricted, restricted_pod
from kexplain.report.records import Report
from kexplain.report.shared_verdicts import Sharing
from kexplain.tables import table

#: How records name a field in what they say of themselves, and where another word begins in it.
_FIELD, _WORD = regex(r"`[a-z]+(?:_[a-z]+)+`"), regex(r"_([a-z])")


def render(report: Output, view: View) -> str:
    """Indented JSON, one document."""
    written = msgspec.json.encode(restricted(report, view), enc_hook=tuple)
    return in_strings(msgspec.json.format(written, indent=2).decode()) + "\n"


def stream(head: Report, node_names: Sequence[str], view: View) -> Stream:
    """A report on several pods as it comes, the pods a line each; behind them the rest of it."""
    sharing, separators = Sharing(node_names), chain(("\n    ",), repeat(",\n    "))

    def parts(report: Report) -> tuple[str, str, str]:
        return render(replace(report, pods=()), view).partition('"pods": []')

    def pod(pod: PodExplanation) -> str:
        text = msgspec.json.encode(sharing.shared(restricted_pod(pod, view))).decode()
        return next(separators) + in_strings(text)

    return Stream(
        f'{parts(head)[0]}"pods": [',
        pod,
        lambda report: "\n  ]" + parts(replace(report, node_names=sharing.node_names))[2],
    )


def schema(record: type[Output] = Report) -> str:
    """The JSON Schema of a kind of document, each field with what it says."""
    found, told = msgspec.json.schema(record), table("json-fields", dict[str, str])
    for kind, definition in found["$defs"].items():
        # Releases of msgspec before 0.23 leave docstrings indented.
        definition["description"] = _FIELD.sub(
            lambda field: _WORD.sub(lambda word: word[1].upper(), field[0]), cleandoc(definition.get("description", ""))
        )
        for name, field in definition.get("properties", {}).items():
            if text := told.get(f"{kind}.{name}") or told.get(name):
                field["description"] = text
    return msgspec.json.format(msgspec.json.encode(found), indent=2).decode() + "\n"
