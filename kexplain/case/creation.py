"""New pods before an API server, one after the other: which of them it creates."""

from collections.abc import Iterable

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.admission import is_from_cluster
from kexplain.admission.limits import claim_limit_problems
from kexplain.admission.quotas import QuotaRoom
from kexplain.case.case_builder import CaseBuilder
from kexplain.case.records import NOT_CREATED, NotCreated, PodToPlace
from kexplain.errors import Fault
from kexplain.objects.core import Pod, PodSpec
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.problem import Problem
from kexplain.objects.resource import ResourceClaim


class PodCreation:
    """Takes or refuses pods; each that it takes leaves less room in the quotas for the next."""

    def __init__(self, builder: CaseBuilder) -> None:
        self._builder = builder
        self._room = builder.quota_room()
        #: Replicas share their spec: what is wrong with it, and the spec itself.
        self._known: dict[int, tuple[PodSpec, tuple[Problem, ...]]] = {}

    def problems(self, placed: PodToPlace, claims: Iterable[KubernetesObject]) -> list[Problem]:
        """Why a pod, or one of the claims that are made for it, is not created."""
        return self._problems(placed.pod, placed.refusals, claims)

    def refusal(self, pod: Pod, claims: Iterable[KubernetesObject]) -> str:
        """The same of a replica of an admitted pod, in words; empty if it is created."""
        known = self._known.get(id(pod.spec))
        if known is None:
            known = self._known[id(pod.spec)] = pod.spec, self._builder.refusals(pod)
        return "; ".join(each.in_words for each in self._problems(pod, known[1], claims))

    def _problems(self, pod: Pod, refusals: Iterable[Problem], claims: Iterable[KubernetesObject]) -> list[Problem]:
        for claim in claims:
            if isinstance(claim, PersistentVolumeClaim | ResourceClaim):
                found = claim_problems(claim, self._builder, self._room)
                if found:
                    return [*found]
        return [*refusals, *self._room.create(pod)]


class OfClaim(Problem, frozen=True):
    """Why a claim is refused that is made for a pod, which is then not created either."""


def claim_problems(claim: KubernetesObject, builder: CaseBuilder, room: QuotaRoom) -> list[OfClaim]:
    """Why an API server refuses a claim that is made for a pod; if it takes it, it counts against quotas."""
    limits = builder.admission.limit_ranges.get(claim.namespace, ())
    found = [*claim_limit_problems(claim.spec, limits)] if isinstance(claim, PersistentVolumeClaim) else []
    return [OfClaim(("spec",), f"claim {claim.name}: {each.message}") for each in found or room.create(claim)]


class _OfObject(Struct):
    """The pods of one object: those that are created, and why others are not."""

    obj: KubernetesObject
    created: list[PodToPlace] = msgspec.field(default_factory=list)
    refused: list[PodToPlace] = msgspec.field(default_factory=list)
    faults: list[Fault] = msgspec.field(default_factory=list)
    is_of_claims: bool = False

    @property
    def as_shown(self) -> PodToPlace:
        """The first of those that are refused, which stands for all."""
        note = NOT_CREATED.format("the claim of this pod" if self.is_of_claims else "this pod")
        return replace(self.refused[0], notes=(note, *self.refused[0].notes), is_refused=True)

    def not_created(self) -> NotCreated:
        """What is said of those that are refused."""
        return NotCreated(
            made_of=self.obj,
            namespace=self.refused[0].pod.namespace,
            wanted=len(self.created) + len(self.refused),
            missing=len(self.refused),
            faults=tuple(self.faults),
            is_of_claims=self.is_of_claims,
            shown="" if self.created else self.refused[0].pod.uid,
        )


def create_pods(
    builder: CaseBuilder, pods: Iterable[PodToPlace]
) -> tuple[tuple[PodToPlace, ...], tuple[NotCreated, ...]]:
    """The pods that an API server creates, and the workloads of which some or all are not created.

    Of a workload of which it creates none, the first stands for all. What a cluster knows has been created.
    """
    creation = PodCreation(builder)
    by_object: dict[int, _OfObject] = {}
    known: list[PodToPlace] = []
    for placed in pods:
        obj = placed.made_of
        if obj is None or (isinstance(obj, Pod) and is_from_cluster(obj)):
            known.append(placed)
        else:
            _create(by_object.setdefault(id(obj), _OfObject(obj)), placed, builder, creation)
    shown = (pod for each in by_object.values() for pod in each.created or [each.as_shown])
    return (*known, *shown), tuple(each.not_created() for each in by_object.values() if each.refused)


def _create(so_far: _OfObject, placed: PodToPlace, builder: CaseBuilder, creation: PodCreation) -> None:
    """Create one more pod of an object; what is wrong with one is wrong with the next, as nothing comes free."""
    if not so_far.faults:
        problems = creation.problems(placed, builder.claims_of(placed))
        # Of a workload whose pods run already, none is created.
        if problems and not builder.is_there(so_far.obj, placed.pod):
            so_far.faults = [builder.fault(so_far.obj, each) for each in problems]
            so_far.is_of_claims = isinstance(problems[0], OfClaim)
    if so_far.faults:
        # One that is shown is shown with its claims.
        if so_far.created or so_far.refused:
            builder.drop_claims(placed)
        so_far.refused.append(placed)
    else:
        so_far.created.append(placed)
