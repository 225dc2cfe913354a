"""Who looks after what: which component clears a taint, reports a resource, or serves a driver or a scheduler."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache

from msgspec import Struct, convert

from kexplain.diagnosis.records import ObjectReference
from kexplain.patterns import regex
from kexplain.tables import rows, words


class Subject(StrEnum):
    """What somebody looks after."""

    TAINT = "taint"
    GATE = "gate"
    DEVICES = "devices"
    RESOURCE = "resource"
    LABEL = "label"
    DRIVER = "driver"
    CAPACITY = "capacity"
    NETWORK = "network"
    SCHEDULER = "scheduler"
    QUEUE = "queue"
    AUTOSCALER = "autoscaler"
    CONTROLLER = "controller"
    WEBHOOK = "webhook"
    API = "api"
    AUTHORITY = "authority"


class Caretaker(Struct, frozen=True):
    """The component that looks after something; `names` is searched for in names of workloads and images.

    `install` is what to install where nothing of these names is there; empty where it may run outside of the cluster.
    `fails` is what is said of one that does run out of it, and `ask` how to have it do so.
    """

    names: str
    role: str
    install: str = ""
    fails: str = ""
    ask: str = ""
    #: What it has to do with that, where it says so itself.
    does: str = ""
    #: What is known to be at fault, and is no component.
    object: ObjectReference | None = None

    def is_called(self, *names: str) -> bool:
        """Whether one of these names is one of its own."""
        pattern = regex(self.names)
        return any(pattern.search(name) for name in names)


#: Words of domains that say nothing of whose they are.
_COMMON = words("common-domain-words")
_FEWEST_LETTERS = 3


def caretaker(subject: Subject, name: str) -> Caretaker | None:
    """Who looks after what is called that; where no table has it, who bears its name; None where that says nothing."""
    for pattern, found in _table()[subject]:
        if regex(pattern).fullmatch(name):
            return found
    if subject in (Subject.SCHEDULER, Subject.CAPACITY) and name:
        return Caretaker(f"(^|[-/]){re.escape(name)}", name)
    if subject is Subject.LABEL:
        # Most labels are put on nodes by people.
        return None
    domain, _, last = name.partition("/")
    # Who makes gates often calls them as it is called itself.
    patterns = [*filter(None, map(_with_all_words, (domain, last) if subject is Subject.GATE else (domain,)))]
    role = f"the {'device plugin' if subject is Subject.RESOURCE else 'agent'} of {domain}"
    return Caretaker("|".join(patterns), role) if patterns else None


def _with_all_words(name: str) -> str:
    """A pattern for names with every word of this one that says whose it is; empty where none does."""
    words = {each for each in regex(r"[^a-z0-9]+").split(name) if len(each) >= _FEWEST_LETTERS} - _COMMON
    return f"^{''.join(f'(?=.*{word})' for word in sorted(words))}" if words else ""


@cache
def _table() -> dict[str, list[tuple[str, Caretaker]]]:
    every = rows(__file__, "caretakers")
    return {each: [(row["of"], convert(row, Caretaker)) for row in every.get(each, ())] for each in Subject}
