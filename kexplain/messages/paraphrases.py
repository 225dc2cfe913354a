"""What somebody probably means who tells of a reason in words of their own."""

import re

from msgspec.structs import replace

from kexplain.messages.part import Part, Section, known
from kexplain.messages.texts import NODE_TEXTS
from kexplain.tables import table

#: Longer ones say more than a reason.
_MOST_WORDS = 14
#: By what the words have in them, the first that fits: what kube-scheduler says in that case.
_MEANT = table("paraphrases", tuple[tuple[str, str], ...])


def paraphrased(words: str) -> Part | None:
    """The reason that words probably mean which no component says; None where they may mean anything."""
    if len(words.split()) > _MOST_WORDS:
        return None
    for pattern, meant in _MEANT:
        if found := re.search(pattern, words, re.IGNORECASE):
            what = found.groupdict().get("what", "CPU or memory").lower().replace("cpu", "CPU")
            part = known(meant.replace("<what>", "x"), Section.FILTER, NODE_TEXTS)
            return replace(part, names=dict.fromkeys(part.names or {}, what))
    return None
