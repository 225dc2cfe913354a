"""The tables of texts, which the files beside this module hold: a paragraph a text, with what it means below it.

    waiting for scheduling gates: [<gates>]
      source: SchedulingGates
      meaning: the pod's scheduling gates keep it out of the queue: {gates}
      check: the controller that set the gates must remove them
      since: 1.26

Several lines before the fields are several wordings of one text. `as` names a text further up, or one of
kube-scheduler's today, that means the same. A paragraph of fields alone holds for those that follow, and `#` begins a
remark.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from kexplain.messages.text import Eviction, Releases, Text

_EVICTIONS = {str(each): each for each in Eviction}


@cache
def table(name: str) -> tuple[Text, ...]:
    """The texts of one file, in its order: of two that fit some words, the first is meant."""
    found: dict[str, Text] = {}
    source = ""
    for templates, fields in paragraphs(name):
        if not templates:
            source = fields.get("source", source)
        for template in templates:
            releases = Releases(fields.get("since", ""), fields.get("until", ""))
            if same := fields.get("as"):
                meant = found.get(same) or next(each for each in table("scheduler-nodes") if each.template == same)
                found[template] = replace(meant, template=template, releases=releases)
            else:
                check, eviction = fields.get("check", ""), _EVICTIONS[fields.get("eviction", "")]
                origin = fields.get("source", source)
                found[template] = Text(template, origin, fields["meaning"], check, eviction, releases)
    return tuple(found.values())


def paragraphs(name: str) -> Iterator[tuple[Sequence[str], Mapping[str, str]]]:
    """The lines and the fields of each paragraph of a file."""
    path = Path(__file__).parent / "tables" / f"{name}.txt"
    # Four spaces begin a line that goes on with the one before, and two a field.
    text = path.read_text(encoding="utf-8").rstrip().replace("\n    ", " ")
    for paragraph in text.split("\n\n"):
        head, *rest = f"\n{paragraph}".split("\n  ")
        fields = {}
        for each in rest:
            field, _, value = each.partition(":")
            fields[field] = value[1:]
        yield [line for line in head.split("\n") if line and line[0] != "#"], fields
