"""Semantic versions of devices and in expressions. Source: blang/semver, apiserver `library.SemverLib`."""

from functools import lru_cache

from kexplain.patterns import regex

_NUMBER = r"(0|[1-9][0-9]*)"
_PRERELEASE = r"(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_SHAPE = regex(
    rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-({_PRERELEASE}(?:\.{_PRERELEASE})*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
)

#: Major, minor, patch, whether it is a release, and the identifiers before the release; compares as versions do.
Version = tuple[int, int, int, bool, tuple[tuple[bool, int, str], ...]]


@lru_cache(maxsize=4096)
def parse_version(text: str) -> Version:
    """The version without its build, which counts for nothing. Raises ValueError."""
    match = _SHAPE.fullmatch(text)
    if match is None:
        raise ValueError(f'"{text}" is not a semantic version')
    identifiers = match[4].split(".") if match[4] else []
    # Numbers go before names, and shorter lists before longer ones that begin alike.
    before = tuple((not each.isdigit(), int(each) if each.isdigit() else 0, each) for each in identifiers)
    return int(match[1]), int(match[2]), int(match[3]), not before, before


def normalized(text: str) -> str:
    """The text without a `v` before it and without leading zeros, missing parts filled up. Raises ValueError."""
    parts = text.removeprefix("v").split(".", 2)
    parts = [_without_zeros(part) if len(part) > 1 else part for part in parts]
    if len(parts) < 3 and any(sign in parts[-1] for sign in "+-"):
        raise ValueError("short version cannot contain PreRelease/Build meta data")
    return ".".join(parts + ["0"] * (3 - len(parts)))


def _without_zeros(part: str) -> str:
    stripped = part.lstrip("0")
    return stripped if stripped[:1].isdigit() and stripped[:1].isascii() else "0" + stripped
