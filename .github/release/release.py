"""The texts and numbers of a release. `python .github/release/release.py`:

    own OWNER/NAME      where this repository is: [project.urls] in pyproject.toml decides, and all else follows
    start VERSION       the version becomes this one, and what CHANGELOG.md has under "Unreleased" becomes its section
    check TAG PLACE     whether the tag, the version, CHANGELOG.md and OWNER/NAME agree
    notes TAG           the section of CHANGELOG.md on this version
    fill TAG DIST       krew's manifest and Homebrew's formula, as kexplain.yaml and kexplain.rb beside the archives

Whatever is missing ends it with a message.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
VERSION = ROOT / "kexplain" / "__init__.py"
CHANGELOG = ROOT / "CHANGELOG.md"
KREW = ROOT / ".krew.yaml"
FORMULA = Path(__file__).parent / "kexplain.rb"
#: Who owns the repository before anybody does.
NOBODY = "OWNER"


def repository() -> str:
    """OWNER/NAME, as pyproject.toml says."""
    found = re.search(
        r'^Repository = "https://github\.com/([^/"]+/[^/"]+)"$', _text(ROOT / "pyproject.toml"), re.MULTILINE
    )
    return found[1] if found else sys.exit("pyproject.toml: [project.urls] names no Repository on github.com")


def own(place: str) -> None:
    """Name that repository wherever this one is named."""
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", place):
        sys.exit(f"{place} is not of the form OWNER/NAME")
    was = repository()
    words = ["git", "grep", "-lzF", "-e", was, "-e", _site(was)]
    listed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for path in (ROOT / name for name in listed.split("\0") if name):
        path.write_text(_text(path).replace(was, place).replace(_site(was), _site(place)), encoding="utf-8")


def start(version: str) -> None:
    """Give the package that version, and make its section of what is unreleased."""
    _check_tag(f"v{version}")
    changes = _text(CHANGELOG)
    if f"\n## {version}\n" in changes:
        sys.exit(f"CHANGELOG.md has a section on {version} already")
    CHANGELOG.write_text(
        changes.replace("\n## Unreleased\n", f"\n## Unreleased\n\n## {version}\n", 1), encoding="utf-8"
    )
    VERSION.write_text(
        re.sub(r'(?m)^__version__ = ".*"$', f'__version__ = "{version}"', _text(VERSION)), encoding="utf-8"
    )


def check(tag: str, place: str) -> None:
    """That a release with that tag, made in that repository, says everywhere what it is."""
    _check_tag(tag)
    version = tag.removeprefix("v")
    if f'\n__version__ = "{version}"\n' not in _text(VERSION):
        sys.exit(f"{VERSION.relative_to(ROOT)} has another version than {version}; release.py start {version} sets it")
    if _section("Unreleased"):
        sys.exit(f"CHANGELOG.md has lines under Unreleased; release.py start {version} puts them under {version}")
    if not _section(version):
        sys.exit(f"CHANGELOG.md says nothing of {version}")
    if repository() != place:
        sys.exit(
            f"pyproject.toml says {repository()}; release.py own {place} makes this repository's texts say {place}"
        )
    if place.startswith(f"{NOBODY}/"):
        sys.exit(f"{place} belongs to nobody yet; release.py own OWNER/NAME says whose it is")


def notes(tag: str) -> None:
    """Print what changed with that tag, and nothing else of the changelog."""
    print(_section(tag.removeprefix("v")) or sys.exit(f"CHANGELOG.md says nothing of {tag}"))  # noqa: T201 # a script


def fill(tag: str, dist: str) -> None:
    """Write both files beside the archives, each with the checksums of all that it names."""
    _check_tag(tag)
    archives = Path(dist)

    def checksum(name: str) -> str:
        path = archives / name
        return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else sys.exit(f"{path}: there is none")

    def entry(blank: re.Match[str]) -> str:
        url = blank["url"].replace("{{ .TagName }}", tag)
        return f"uri: {url}\n    sha256: {checksum(url.rpartition('/')[2])}"

    # krew's release bot fills the same file in with what has been published.
    krew = re.sub(r'{{addURIAndSha "(?P<url>[^"]+)" \.TagName }}', entry, _text(KREW)).replace("{{ .TagName }}", tag)
    formula = _text(FORMULA).replace("{{ version }}", tag.removeprefix("v"))
    formula = re.sub(r"{{ sha256 ([\w.-]+) }}", lambda blank: checksum(blank[1]), formula)
    for name, text in (("kexplain.yaml", krew), ("kexplain.rb", formula)):
        if left := re.search("{{.*}}", text):
            sys.exit(f"nothing to fill in for {left[0]}")
        (archives / name).write_text(text, encoding="utf-8")


def _site(place: str) -> str:
    owner, name = place.split("/")
    return f"{owner}.github.io/{name}"


def _check_tag(tag: str) -> None:
    if not re.fullmatch(r"v\d+\.\d+\.\d+", tag):
        sys.exit(f"{tag} is not a tag such as v1.0.0")


def _section(title: str) -> str:
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", _text(CHANGELOG), re.MULTILINE | re.DOTALL)
    return found[1].strip() if found else ""


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


_COMMANDS: dict[str, Callable[..., None]] = {each.__name__: each for each in (own, start, check, notes, fill)}

if __name__ == "__main__":
    try:
        _COMMANDS[sys.argv[1]](*sys.argv[2:])
    except (IndexError, KeyError, TypeError):
        sys.exit(__doc__)
