"""Evidence about devices as published facts."""

from __future__ import annotations

from typing import assert_never

from kexplain.explain.device_records import (
    ClaimElsewhereFact,
    DeviceFact,
    DeviceHolder,
    GivenDevice,
    MissingDeviceClassFact,
    SelectorMatches,
    UndeclaredFeaturesFact,
    UnmetDeviceCombinationFact,
    UnmetDeviceRequestFact,
)
from kexplain.framework.device_evidence import (
    ClaimElsewhere,
    DeviceEvidence,
    MissingDeviceClass,
    UndeclaredFeatures,
    UnmetCombination,
    UnmetRequest,
)
from kexplain.framework.plugin import PreFiltered
from kexplain.framework.trace import Decision
from kexplain.objects.core import Pod
from kexplain.plugins.devices.extended import IN_MEMORY_NAME, asked_by
from kexplain.plugins.dynamic_resources import DevicesState, DynamicResources


def device_fact(evidence: DeviceEvidence, pod: Pod) -> DeviceFact:
    """The fact that the evidence is."""
    match evidence:
        case UnmetRequest():
            return _request_fact(evidence, pod)
        case UnmetCombination():
            return UnmetDeviceCombinationFact(
                claims=evidence.claims,
                requests=evidence.requests,
                attribute=evidence.attribute,
                distinct=evidence.distinct,
                values_by_request=dict(evidence.values_by_request),
            )
        case ClaimElsewhere():
            return ClaimElsewhereFact(claim=evidence.claim, nodes=evidence.nodes, users=evidence.users)
        case MissingDeviceClass():
            return MissingDeviceClassFact(
                request=evidence.request, device_class=evidence.device_class, known=evidence.known
            )
        case UndeclaredFeatures():
            return UndeclaredFeaturesFact(features=evidence.features)
        case _:
            assert_never(evidence)


def _request_fact(evidence: UnmetRequest, pod: Pod) -> UnmetDeviceRequestFact:
    claim, request = _asked(evidence.claim, evidence.request, pod)
    return UnmetDeviceRequestFact(
        claim=claim,
        request=request,
        device_class=evidence.device_class,
        wanted=evidence.wanted,
        offered=evidence.offered,
        matching=evidence.matching,
        free=evidence.free,
        selectors=tuple(
            SelectorMatches(owner=each.owner, expression=each.expression, asked=each.asked, matching=each.matching)
            for each in evidence.selectors
        ),
        taken=tuple(DeviceHolder(device=each.device, claim=each.claim, users=each.users) for each in evidence.taken),
        taints=tuple(str(taint) for taint in evidence.taints),
        too_small=evidence.too_small,
        unusable_pools=evidence.unusable_pools,
    )


def _asked(claim: str, request: str, pod: Pod) -> tuple[str, str]:
    """A request as the user wrote it: in a claim, or as an extended resource, for which no claim can be seen."""
    return ("", asked_by(pod, request)) if claim.endswith(IN_MEMORY_NAME) else (claim, request)


def given_devices(decision: Decision) -> tuple[GivenDevice, ...]:
    """What the claims without allocation are given on the node where the pod lands."""
    answer = decision.pre_filter.get(DynamicResources.name)
    state = answer.state if isinstance(answer, PreFiltered) else None
    allocation = state.allocation_by_node.get(decision.host) if isinstance(state, DevicesState) else None
    if not isinstance(state, DevicesState) or allocation is None:
        return ()
    claims = [claim for claim in state.claims if claim.status.allocation is None]
    given = []
    for holder, result in zip(claims, allocation.results, strict=False):
        for each in result.devices.results or ():
            claim, request = _asked(holder.key, each.request, decision.pod)
            given.append(GivenDevice(claim=claim, request=request, device=f"{each.driver}/{each.pool}/{each.device}"))
    return tuple(given)
