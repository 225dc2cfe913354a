"""Where a code host shows the files that its CI works on."""

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

#: The variables with the address of the project and the commit, what stands between them, and the root of the checkout.
_HOSTS = (
    (("GITHUB_SERVER_URL", "GITHUB_REPOSITORY"), "/blob/", "GITHUB_SHA", "GITHUB_WORKSPACE"),
    (("CI_PROJECT_URL",), "/-/blob/", "CI_COMMIT_SHA", "CI_PROJECT_DIR"),
)


def link_base(environment: Mapping[str, str], directory: Path) -> str:
    """The address that relative file names follow, of the commit that CI works on; empty elsewhere."""
    for project, between, commit, root in _HOSTS:
        parts = [environment.get(name, "") for name in (*project, commit, root)]
        if all(parts):
            below = os.path.relpath(directory, parts[-1])
            folder = "" if below == "." else f"/{quote(Path(below).as_posix())}"
            return f"{'/'.join(parts[:-2])}{between}{parts[-2]}{folder}"
    return ""
