"""What releases differ in where the volumes of a pod are counted against attach limits. Source: `nodevolumelimits`."""

from __future__ import annotations

from msgspec import Struct

from kexplain.framework.evidence.storage import ClaimProblem, UnusableClaim
from kexplain.framework.features import Features
from kexplain.framework.status import Status, error, unresolvable
from kexplain.objects.core import Pod


class CountingRules(Struct, frozen=True):
    """Which volumes a release counts against attach limits."""

    claims_must_exist: bool
    #: Without, one that is missing is an error.
    missing_claims_reject: bool
    counts_ephemeral: bool
    counts_inline: bool

    @classmethod
    def of(cls, features: Features) -> CountingRules:
        return cls(
            claims_must_exist=features.volume_claims_must_exist,
            missing_claims_reject=features.missing_volume_claims_reject,
            counts_ephemeral=features.ephemeral_volumes_are_limited,
            counts_inline=features.inline_volumes_count_as_migrated,
        )

    def on_missing(self, pod: Pod, claim_name: str, *, is_new: bool) -> Status | None:
        """What a claim means that is not there; nothing where the pod runs already."""
        if not is_new or not self.claims_must_exist:
            return None
        key = f"{pod.namespace}/{claim_name}"
        text = f'looking up PVC {key}: persistentvolumeclaim "{claim_name}" not found'
        if not self.missing_claims_reject:
            return error(text)
        return unresolvable(text, UnusableClaim(key, ClaimProblem.MISSING))
