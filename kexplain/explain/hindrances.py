"""What keeps an autoscaler from adding nodes, whatever pods are like, as clouds and autoscalers say it."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from kexplain.patterns import regex
from kexplain.tables import records


class Hindrance(Struct, frozen=True):
    """What is in the way, as it goes on a sentence, and what a person would do about it; `of` finds it in a text."""

    of: str
    says: str
    help: str

    def help_for(self, group: str) -> str:
        """What to do, for nodes of that group."""
        return self.help.format(group=group)


def hindrance(text: str) -> Hindrance | None:
    """What an error or an event of an autoscaler tells is in the way; None where it tells nothing of that."""
    table = records(__file__, "hindrances", Hindrance)
    found = next(((each, made) for each in table if (made := regex(each.of).search(text))), None)
    return replace(found[0], says=found[0].says.format(**found[1].groupdict()) or text) if found else None
