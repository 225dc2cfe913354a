"""The releases of Kubernetes that decisions can follow, and what tells them apart."""

from __future__ import annotations

from collections.abc import Mapping

from kexplain.errors import UsageError
from kexplain.framework.features import DEFAULT_RELEASE, Features

RELEASES = (DEFAULT_RELEASE,)


def features_of(release: str = DEFAULT_RELEASE, gates: Mapping[str, bool] | None = None) -> Features:
    """The features of a release such as "1.34", with some feature gates set otherwise.

    Raises UsageError on a release or a gate that is not known.
    """
    if release not in RELEASES:
        raise UsageError(f"Kubernetes {release} is not known here", f"known are {', '.join(RELEASES)}")
    if gates:
        raise UsageError(f"feature gate {next(iter(gates))} is not known here")
    return Features()
