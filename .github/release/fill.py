"""Fills the manifest for krew and the Homebrew formula in: `python .github/release/fill.py TAG URL ARCHIVES OUT`.

URL is where the archives of the release can be downloaded, ARCHIVES the folder that has them, as
`kubectl-kexplain-PLATFORM.tar.gz`, and OUT where `kexplain.yaml` and `kexplain.rb` are written. Exits with a message if
anything stays unfilled.
"""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
TEMPLATES = {"kexplain.yaml": HERE.parents[1] / ".krew.yaml", "kexplain.rb": HERE / "kexplain.rb"}
_BLANK = re.compile(r"{{ (?P<name>[^}]*) }}")


def filled(template: str, tag: str, url: str, archives: Path) -> str:
    """The template with every blank filled. SystemExit names one for which there is nothing."""

    def value(blank: re.Match[str]) -> str:
        name, _, platform = blank["name"].partition(" ")
        if (name, platform) == ("tag", ""):
            return tag
        if (name, platform) == ("version", ""):
            return tag.removeprefix("v")
        if (name, platform) == ("archives", ""):
            return url
        path = archives / f"kubectl-kexplain-{platform}.tar.gz"
        if name == "sha256" and path.is_file():
            return hashlib.sha256(path.read_bytes()).hexdigest()
        sys.exit(f"nothing to fill in for {blank[0]}")

    return _BLANK.sub(value, template)


def main() -> None:
    """Write both files."""
    tag, url, archives, out = sys.argv[1:]
    if not re.fullmatch(r"v\d+\.\d+\.\d+", tag):
        sys.exit(f"{tag} is not a tag such as v1.0.0")
    for name, template in TEMPLATES.items():
        (Path(out) / name).write_text(filled(template.read_text(), tag, url, Path(archives)))


if __name__ == "__main__":
    main()
