"""What releases differ in where the volumes of a pod are counted against attach limits. Source: `nodevolumelimits`."""

from __future__ import annotations

from msgspec import Struct

from kexplain.cluster import Cluster
from kexplain.framework.evidence.storage import ClaimProblem, UnusableClaim
from kexplain.framework.features import Features
from kexplain.framework.status import Status, error, unresolvable
from kexplain.objects.core import Pod, Volume
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.pod_claims import is_for_pod, not_for_pod, pod_claim


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

    def claim(
        self, pod: Pod, volume: Volume, cluster: Cluster, *, is_new: bool
    ) -> PersistentVolumeClaim | Status | None:
        """The claim of a volume, or what is wrong with it; None for what does not count.

        A claim that is missing counts for nothing where the pod runs already.
        """
        reference = pod_claim(pod, volume)
        if reference is None or (reference.is_ephemeral and not self.counts_ephemeral):
            return None
        if not reference.name:
            return error("PersistentVolumeClaim had no name")
        claim = cluster.listers.get(PersistentVolumeClaim, reference.name, pod.namespace)
        if claim is None:
            return self._missing(pod, reference.name) if is_new and self.claims_must_exist else None
        return error(not_for_pod(claim, pod)) if reference.is_ephemeral and not is_for_pod(claim, pod) else claim

    def _missing(self, pod: Pod, claim_name: str) -> Status:
        key = f"{pod.namespace}/{claim_name}"
        text = f'looking up PVC {key}: persistentvolumeclaim "{claim_name}" not found'
        if not self.missing_claims_reject:
            return error(text)
        return unresolvable(text, UnusableClaim(key, ClaimProblem.MISSING))
