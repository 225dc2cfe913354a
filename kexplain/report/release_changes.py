"""In what two releases differ for the objects of one cluster."""

from collections.abc import Iterable

from msgspec import Struct

from kexplain.case import Case
from kexplain.config.releases.release import Trait
from kexplain.explain.output import Output, copied
from kexplain.report import touched_devices, touched_objects
from kexplain.tables import table
from kexplain.words import plural, verb

#: So many names are enough to find the objects by.
EXAMPLES = 3


class Touched(Struct, frozen=True):
    """What is said of the objects that a row is about: what one of them is called, and what is about it.

    `have` is what is about several, where more than the verb differs. `on` says what becomes of them where the row
    holds, `off` where it does not.
    """

    row: str
    noun: str
    has: str
    on: str
    off: str
    have: str = ""

    def counted(self, count: int) -> str:
        """So many objects, and what is about them."""
        does, blank, rest = self.has.partition(" ")
        several = self.have or f"{verb(count, does)}{blank}{rest}"
        return f"{plural(count, self.noun)} {self.has if count == 1 else several}"


#: How the objects of each row are found, and what is said of them: `touched.json` among the tables has the words.
FIND = {**touched_objects.FIND, **touched_devices.FIND}
TOUCHED = {each.row: each for each in table("touched", list[Touched])}


class ReleaseChange(Output, frozen=True):
    """A row of the table of releases that begins to hold, or ends, between two releases, and touches some objects.

    `objects` says how many there are (`count`) and what is about them, `examples` names the first, and `then` says
    what becomes of them; `release` is the one in which it changes.
    """

    name: str
    effect: str
    release: str
    on: bool
    objects: str
    then: str
    examples: tuple[str, ...]
    count: int


def release_changes(case: Case, differing: Iterable[Trait]) -> tuple[ReleaseChange, ...]:
    """The differences that touch an object of the cluster, or a pod that waits, in the order of the table."""
    return tuple(change for trait in differing if (change := _change(case, trait)) is not None)


def _change(case: Case, trait: Trait) -> ReleaseChange | None:
    touched = TOUCHED.get(trait.name)
    names = list(FIND[trait.name](case)) if touched else []
    if touched is None or not names:
        return None
    then, examples = touched.on if trait.is_on else touched.off, tuple(names[:EXAMPLES])
    count, objects = len(names), touched.counted(len(names))
    return copied(trait, ReleaseChange, on=trait.is_on, objects=objects, then=then, examples=examples, count=count)
