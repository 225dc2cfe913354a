"""Where code hosts show files."""

from __future__ import annotations

from pathlib import Path

import pytest

from kexplain.cli.code_host import link_base

GITHUB = {
    "GITHUB_SERVER_URL": "https://github.example",
    "GITHUB_REPOSITORY": "shop/infra",
    "GITHUB_SHA": "c0ffee",
    "GITHUB_WORKSPACE": "/work/infra",
}
GITLAB = {
    "CI_PROJECT_URL": "https://gitlab.example/shop/infra",
    "CI_COMMIT_SHA": "c0ffee",
    "CI_PROJECT_DIR": "/builds/infra",
}


@pytest.mark.parametrize(
    ("environment", "directory", "base"),
    [
        ({}, "/work/infra", ""),
        ({"GITHUB_SHA": "c0ffee"}, "/work/infra", ""),
        (GITHUB, "/work/infra", "https://github.example/shop/infra/blob/c0ffee"),
        (GITHUB, "/work/infra/my apps", "https://github.example/shop/infra/blob/c0ffee/my%20apps"),
        (GITLAB, "/builds/infra/a", "https://gitlab.example/shop/infra/-/blob/c0ffee/a"),
    ],
)
def test_the_address_of_files(environment: dict[str, str], directory: str, base: str) -> None:
    assert link_base(environment, Path(directory)) == base
