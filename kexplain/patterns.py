r"""Regular expressions: those of kexplain, which cost nothing until they are used, and those of manifests.

What manifests hold is read as Go reads it, by RE2, which takes time in proportion to what it looks at. Its library is
an optional dependency, as it is not built for every platform; the only module that imports it is this one, and only
once there is an expression to compile. A translation for Python's own engine would need tables for `\p{Greek}`, and a
matcher of its own, as that engine can take exponential time.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any, AnyStr, Protocol, cast


class _Uncompiled:
    """Becomes what it stands for, attribute by attribute, as soon as one is asked for."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:
        # What is set here is found without coming by again. The compiled pattern itself is in the cache of `re`.
        value = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, value)
        return value


def regex(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As `re.compile`, which is put off until the pattern is used; so is the error of one that is wrong."""
    return cast("re.Pattern[AnyStr]", _Uncompiled(source, flags))


# ------------------------------------------------------------------------------------------------- of manifests


class PatternError(ValueError):
    """Why a text is no regular expression to Go."""


class Pattern(Protocol):
    """A regular expression that is compiled when it is first used."""

    def search(self, text: str) -> Any:
        """The first match, or None."""

    def fullmatch(self, text: str) -> Any:
        """The match of the whole text, or None."""

    def finditer(self, text: str) -> Any:
        """All matches."""


#: What RE2 takes for a literal, a byte or a name, and Go refuses.
_LITERALS = regex(r"\\Q(?:(?!\\E).)*(?:\\E)?|\\[^C]|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]", re.DOTALL)
_ONLY_RE2 = regex(r"\\C|\{\d{9,}(?:,\d*)?\}|\{\d+,\d{9,}\}|\(\?P?<\w*[^\x00-\x7f]\w*>")
#: Names of classes that Go has known since 1.25, which built Kubernetes 1.35, and RE2 does not.
_CLASS = regex(r"\\[pP](?:\{\^?([\w -]+)\}|(\w))")
_NEWER = (
    " any ascii assigned casedletter closepunctuation cn cntrl combiningmark connectorpunctuation control "
    "currencysymbol dashpunctuation decimalnumber digit enclosingmark finalpunctuation format initialpunctuation lc "
    "letter letternumber lineseparator lowercaseletter mark mathsymbol modifierletter modifiersymbol nonspacingmark "
    "number openpunctuation other otherletter othernumber otherpunctuation othersymbol paragraphseparator privateuse "
    "punct punctuation separator spaceseparator spacingmark surrogate symbol titlecaseletter unassigned "
    "uppercaseletter "
)
_MAX_GROUPS = 1000
_MEMORY = 64 << 20


@lru_cache(maxsize=1000)
def compiled(source: str) -> Pattern | None:
    """The expression; None where it is one to Go, but not to the engine. Raises PatternError, MissingLibraryError."""
    try:
        import re2  # noqa: PLC0415 - few runs have a use for it
    except ImportError:
        # Completion of words imports this module, and no records.
        from kexplain.errors import MissingLibraryError  # noqa: PLC0415

        raise MissingLibraryError("google-re2") from None
    rest = _LITERALS.sub("", source)
    if _ONLY_RE2.search(rest) or rest.count("(") > _MAX_GROUPS:
        raise PatternError("not as Go knows them")
    options = re2.Options()
    options.log_errors, options.max_mem = False, _MEMORY
    try:
        return cast("Pattern", re2.compile(source, options))
    except re2.error as error:
        reason = error.args[0].decode(errors="replace") if error.args else ""
    if "pattern too large" in reason:
        return None
    for newer in (each for each in _CLASS.finditer(reason) if _is_newer(each[1] or each[2])):
        # There may be more that is wrong.
        compiled(source.replace(newer[0], r"\pL"))
        return None
    raise PatternError(reason)


def _is_newer(name: str) -> bool:
    """Whether this is a class to Go only, which does not tell case, white space and dashes of its name."""
    words = re.split(r"[\s_-]+", name.strip())
    if f" {''.join(words).lower()} " in _NEWER:
        return True
    spelled = "_".join(word.capitalize() for word in words)
    return spelled != name and _is_class(spelled)


def _is_class(name: str) -> bool:
    with suppress(PatternError):
        return compiled(f"\\p{{{name}}}") is not None
    return False


#: What says itself only, and so needs no library.
_WORD = regex(r"[\w/ -]*")


def whole(source: str) -> Callable[[str], bool]:
    """Whether a text is as a whole what an expression says; one that is not known to the engine says nothing.

    Raises PatternError, MissingLibraryError.
    """
    if _WORD.fullmatch(source):
        return source.__eq__
    if source == ".*":
        return lambda _: True
    pattern = compiled(source)
    return lambda text: pattern is not None and pattern.fullmatch(text) is not None
