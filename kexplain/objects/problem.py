"""What is wrong with an object, at which field, and what mends it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from msgspec import Struct
from msgspec.structs import replace

from kexplain.patterns import regex
from kexplain.words import slip_of

#: Keys and indices from the root of an object to a value.
Path = tuple[str | int, ...]

_STEP = regex(r"\[(?P<index>\d+)\]|\[(?P<key>[^\]]*)\]|\.?(?P<name>[^.\[]+)")


class Stage(IntEnum):
    """At which step of a request an API server finds a problem; at the first that finds any, it answers."""

    DECODING = 0
    ADMISSION = 1
    VALIDATION = 2
    POLICY = 3


class WordEdit(Struct, frozen=True):
    """What a word is to say, and whether in quotes; None leaves either as it is.

    With `indent`, the word is a key that moves to the right by so many columns, with all that is below it; with
    `beside`, it moves to the column of the key at that path.
    """

    text: str | None = None
    is_quoted: bool | None = None
    indent: int = 0
    beside: Path = ()

    def applied(self, word: str) -> str:
        """The word after the edit, in the quotes that it had."""
        quote = word[0] if len(word) > 1 and word[0] in "\"'" and word[-1] == word[0] else ""
        inner = (word[1:-1] if quote else word) if self.text is None else self.text
        wanted = bool(quote) if self.is_quoted is None else self.is_quoted
        mark = (quote or '"') if wanted else ""
        return f"{mark}{inner}{mark}"


def slip_edit(word: str, known: Iterable[str]) -> WordEdit | None:
    """The edit to the known word that one is a slip of the pen for beyond doubt; None if there is none."""
    meant = slip_of(word, known)
    return WordEdit(meant) if meant else None


class Problem(Struct, frozen=True):
    """One thing wrong with an object, in words that follow the name of the field."""

    path: Path
    message: str
    #: How an API server writes the field, where that is not the path.
    field: str = ""
    #: Whether it is the name of the field that is wrong, not its value.
    is_about_key: bool = False
    #: What is certain to mend it.
    edit: WordEdit | None = None
    #: A value of the field that would be taken, and is likely meant; None where nothing is.
    would_do: str | float | tuple[str, ...] | None = None
    stage: Stage = Stage.VALIDATION

    @property
    def in_words(self) -> str:
        """With its field; what is wrong with the whole object names none."""
        return self.message if self.path == ("spec",) else f"{path_text(self.path)} {self.message}"

    def below(self, *steps: str | int) -> Problem:
        """The same problem of a whole in which the object stands at these steps."""
        return replace(self, path=(*steps, *self.path))


def path_text(path: Iterable[str | int]) -> str:
    """A path as Kubernetes writes it: `spec.containers[0].resources.requests[nvidia.com/gpu]`."""
    text = ""
    for step in path:
        if isinstance(step, int) or not step.replace("-", "").replace("_", "").isalnum():
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text


def last_field(problem: Problem) -> str:
    """The field as people call it, without where it stands: `requests.memory`, `capabilities.drop`."""
    of_container = [at for at, step in enumerate(problem.path) if step in ("resources", "securityContext")]
    return path_text(problem.path[of_container[-1] + 1 :] if of_container else problem.path[-1:])


def path_steps(text: str) -> Path:
    """The keys and indices of a path as Kubernetes writes it: the inverse of `path_text`."""
    return tuple(int(each["index"]) if each["index"] else each["key"] or each["name"] for each in _STEP.finditer(text))
