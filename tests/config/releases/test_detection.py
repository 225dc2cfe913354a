from __future__ import annotations

import pytest

from kexplain.config.releases.detection import ReleaseChoice, asked_release, observed_release
from kexplain.errors import UsageError


@pytest.mark.parametrize(
    ("kubelets", "server", "release", "note"),
    [
        pytest.param([], "", "1.36", "", id="nothing-to-go-by"),
        pytest.param(["", "unknown"], "", "1.36", "", id="versions-that-are-none"),
        pytest.param(["v1.36.2"], "", "1.36", "", id="default"),
        pytest.param(
            ["v1.34.1", "v1.34.0-gke.1"], "", "1.34", "", id="kubelets"
        ),
        pytest.param(
            ["v1.34.1", "v1.34.0", "v1.33.1"], "", "1.34",
            "deciding as Kubernetes 1.34, the release of the newest kubelets (2 of 3); override with "
            "kubernetes_version",
            id="most",
        ),
        pytest.param(
            ["v1.33.0", "v1.33.0", "v1.34.1", "v1.32.9"], "", "1.34",
            "deciding as Kubernetes 1.34, the release of the newest kubelets (1 of 4); override with "
            "kubernetes_version",
            id="an-upgrade-has-begun",
        ),
        pytest.param(["v1.33.0", "v1.34.0"], "", "1.34",
            "deciding as Kubernetes 1.34, the release of the newest kubelets (1 of 2); override with "
            "kubernetes_version",
            id="as-many-of-each",
        ),
        pytest.param(
            ["v1.36.0", "v1.36.0", "v1.37.0"], "", "1.37",
            "deciding as Kubernetes 1.37 (read from source, not yet recorded), the release of the newest kubelets "
            "(1 of 3); override with kubernetes_version",
            id="newer-than-is-recorded",
        ),
        pytest.param(
            ["v1.33.0"], "v1.37.1", "1.37",
            "deciding as Kubernetes 1.37 (read from source, not yet recorded), the release of the API server; "
            "override with kubernetes_version",
            id="server",
        ),
        pytest.param(["v0.0.0-master+1a2b3c"], "v0.0.0-master+1a2b3c", "1.36", "", id="built-outside-of-a-release"),
        pytest.param(
            ["v1.21.9"], "", "1.22",
            "kubelets are of Kubernetes 1.21: deciding as 1.22, the nearest known release", id="too-old",
        ),
        pytest.param(
            ["v1.39.0", "v1.36.0"], "", "1.38",
            "the newest kubelets are of Kubernetes 1.39: deciding as 1.38 (read from source, not yet recorded), the "
            "nearest "
            "known release", id="too-new",
        ),
        pytest.param(
            ["v1.9.0", "v1.36.0", "v1.36.0"], "", "1.36",
            "deciding as Kubernetes 1.36, the release of the newest kubelets (2 of 3); override with "
            "kubernetes_version",
            id="releases-are-numbers",
        ),
    ],
)  # fmt: skip
def test_what_the_cluster_lets_on(kubelets: list[str], server: str, release: str, note: str) -> None:
    choice = observed_release(kubelets, server)
    assert (choice.release, choice.note) == (release, note)


@pytest.mark.parametrize(
    ("asked", "release", "note"),
    [
        ("1.36", "1.36", ""),
        ("v1.29.4", "1.29", ""),
        ("1.37", "1.37", "deciding as Kubernetes 1.37 (read from source, not yet recorded)"),
        (
            "1.39",
            "1.38",
            (
                "Kubernetes 1.39 is not known here: deciding as 1.38 (read from source, not yet recorded), the newest "
                "known release"
            ),
        ),
    ],
)
def test_a_release_that_is_asked_for(asked: str, release: str, note: str) -> None:
    assert asked_release(asked) == ReleaseChoice(release, note, stands_in=asked == "1.39")


@pytest.mark.parametrize("asked", ["1.21", "latest"])
def test_a_release_that_nobody_can_decide_as(asked: str) -> None:
    with pytest.raises(UsageError, match="is not known here"):
        asked_release(asked)
