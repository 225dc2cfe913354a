"""Pods and claims on their way into a cluster, one by one: admitted, refused, counted against quotas."""

from collections.abc import Callable, Iterable
from functools import cached_property

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.admission import default_class, ephemeral_claims, generate_claims
from kexplain.admission.storage import stored
from kexplain.admission.workloads import template_of
from kexplain.case.case_builder import CaseBuilder, Contents
from kexplain.case.creation import claim_problems
from kexplain.case.immediate_binding import bound_at_once
from kexplain.case.own_pods import Key, OwnerChains, key_of, with_complaints
from kexplain.case.records import PodToPlace
from kexplain.case.webhooks import SilentWebhooks
from kexplain.cluster import Cluster, Listers
from kexplain.cluster.departing import claims_made_for
from kexplain.objects.apps import Deployment, ReplicaSet
from kexplain.objects.core import Pod, ReplicationController
from kexplain.objects.events import Event
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim
from kexplain.objects.problem import Problem
from kexplain.objects.resource import ResourceClaimTemplate
from kexplain.objects.storage import StorageClass
from kexplain.patterns import regex
from kexplain.world.members import Refused

#: Names of fields and labels in a message.
_NAMES = regex(r"[\w-]+(?:[./][\w-]+)*")


class Created(Struct, frozen=True):
    """A pod as it is stored, or why it is not, and what was made along with it: claims stay where a pod is refused."""

    pod: Pod | Refused
    objects: tuple[KubernetesObject, ...] = ()


class ApiServer:
    """Takes or refuses what controllers make."""

    def __init__(
        self,
        builder: CaseBuilder,
        taken: Iterable[Pod] = (),
        refused: Callable[[KubernetesObject], Refused | None] = lambda _: None,
        before: Cluster | None = None,
    ) -> None:
        """The pods that are `taken` were admitted before; `refused` says why no more pods of a workload were in the
        cluster `before` it was changed.

        Claims that the builder has made for its pods are there already, and count once a pod wants them.
        """
        self._uncounted = {*builder.created_claims}
        self._builder = builder
        self._taken = {pod.uid: pod for pod in taken}
        self._refused = refused
        self._room = builder.quota_room()
        self._webhooks: SilentWebhooks | None = None
        self._before = before
        #: What refuses pods that something else has refused until now.
        self.refused_next: set[str] = set()
        #: All pods that were created, in order, with what is known of each.
        self.placed: list[PodToPlace] = []

    def create(
        self, pod: Pod, of: KubernetesObject, claims: Iterable[PersistentVolumeClaim], cluster: Cluster
    ) -> Created:
        """The pod with the claims that its controller makes for it first, each of them if it is not there."""
        if (taken := self._taken.get(pod.uid)) is not None:
            return Created(taken)
        if (known := self._known_refusal(pod, of, cluster)) is not None:
            return Created(known)
        listers = cluster.listers
        made: list[KubernetesObject] = []
        refused: Refused | None = None
        for claim in claims:
            found = self._claimed(claim, listers)
            if isinstance(found, Refused):
                refused = found
            else:
                made += found
        if refused is not None:
            return Created(refused, tuple(made))
        placed = self._builder.admitted(pod, of)
        problems = self._room.problems(placed.pod) if placed.refusals else self._room.create(placed.pod)
        if placed.refusals or problems:
            return Created(Refused((*placed.refusals, *problems)), tuple(made))
        generated = generate_claims(placed.pod, {each.key: each for each in listers.every(ResourceClaimTemplate)})
        for claim in ephemeral_claims(generated.pod):
            found = self._create_claim(claim, listers)
            made += [] if isinstance(found, Refused) else found
        made += (claim for claim in generated.claims if not self._room.create(claim))
        self.placed.append(replace(placed, pod=generated.pod))
        return Created(generated.pod, tuple(made))

    def _known_refusal(self, pod: Pod, of: KubernetesObject, cluster: Cluster) -> Refused | None:
        """Why no more pods of a workload are created, or nothing gets past a webhook."""
        if self._webhooks is None:
            self._webhooks = SilentWebhooks(cluster, self._before)
        known = self._refused(of)
        if known is not None and not self._webhooks.is_over(str(known), pod, cluster):
            return known
        silent = self._webhooks.refusal(pod, cluster)
        refused = Refused((Problem(("spec",), silent),)) if silent else None
        self.refused_next |= {str(refused)} if known and refused else set()
        return refused

    def _claimed(self, claim: PersistentVolumeClaim, listers: Listers) -> list[KubernetesObject] | Refused:
        """What is made so that a pod has its claim, which may be there."""
        if claim.key in self._uncounted:
            if problems := claim_problems(claim, self._builder, self._room):
                return Refused(tuple(problems))
            self._uncounted.discard(claim.key)
            return []
        is_there = listers.get(PersistentVolumeClaim, claim.name, claim.namespace) is not None
        return [] if is_there else self._create_claim(claim, listers)

    def create_object(self, obj: KubernetesObject) -> Refused | None:
        """Why an object that is no pod is refused, if it is."""
        problems = self._room.create(obj)
        return Refused(tuple(problems)) if problems else None

    def release(self, pod: Pod, listers: Listers) -> None:
        """A pod goes with the claims that were made for it, and they give back what they used up."""
        for obj in (pod, *claims_made_for(pod, listers)):
            self._room.release(obj)

    def forget(self, gone: Iterable[Pod], listers: Listers) -> None:
        """Pods are gone already, whose claims are still among the objects."""
        for pod in gone:
            self._room.forget(pod)
            for claim in claims_made_for(pod, listers):
                self._room.release(claim)

    def resize(self, pods: Iterable[tuple[Pod, Pod]]) -> None:
        """Pods ask for something else than what was counted."""
        for before, after in pods:
            self._room.resize(before, after)

    def take(self, *objects: KubernetesObject) -> None:
        """Objects that are made without being asked for, and count."""
        for obj in objects:
            self._room.take(obj)

    def _create_claim(self, claim: PersistentVolumeClaim, listers: Listers) -> list[KubernetesObject] | Refused:
        """The claim as it is stored, and bound if that does not wait for a pod."""
        classes = [*listers.every(StorageClass)]
        kept = stored(claim, default_class(classes))
        assert isinstance(kept, PersistentVolumeClaim)  # noqa: S101 - as it was before
        problems = claim_problems(kept, self._builder, self._room)
        if problems:
            return Refused(tuple(problems))
        return [*bound_at_once([kept], listers.every(PersistentVolume), classes)] or [kept]


class StandingRefusals:
    """What was refused before anything changed, and nothing known here explains: it is refused again."""

    def __init__(self, contents: Contents) -> None:
        self._contents = contents
        #: By controller, with the names in the template that was refused.
        self._known: dict[Key, tuple[Refused | None, frozenset[str]]] = {}
        #: What is not known of pods that are not refused any more.
        self.notes: dict[str, None] = {}

    def of(self, maker: KubernetesObject) -> Refused | None:
        """Why no pod of a controller is created, whatever else is in its favour; None where that is for us to say."""
        key = key_of(maker, self._contents.namespace)
        if key not in self._known:
            refused = self._found(key) if self._are_any else None
            objects, home = self._contents.objects if refused else (), self._contents.namespace
            old = next((each for each in objects if key_of(each, home) == key), maker)
            self._known[key] = refused, _names_in(old) if refused else frozenset()
        refused, then = self._known[key]
        # A webhook that refused one template may be silent about another.
        if refused is None or (then ^ _names_in(maker)).isdisjoint(_NAMES.findall(str(refused))):
            return refused
        self.notes[f"what refuses pods of {maker.kind} {maker.name} is not asked again, now that it has changed"] = None
        return None

    @cached_property
    def _are_any(self) -> bool:
        return any(map(_complains, self._contents.objects))

    @cached_property
    def _chains(self) -> OwnerChains:
        return OwnerChains(self._contents.objects, self._contents.namespace)

    def _found(self, key: Key) -> Refused | None:
        events = [obj for obj in self._contents.objects if isinstance(obj, Event)]
        own = with_complaints(self._chains.own_pods(*key), events)
        if not (own.missing and own.complaints) or own.waits_for:
            return None
        explained = CaseBuilder(self._contents).with_next_pod(own)
        if explained.excesses or explained.problems:
            return None
        return Refused((Problem(("spec",), own.complaints[0].text),))


def _names_in(maker: KubernetesObject) -> frozenset[str]:
    """The names of fields, labels and values in the template of a controller."""
    return frozenset(_NAMES.findall(str(msgspec.json.encode(template_of(maker)))))


def _complains(obj: KubernetesObject) -> bool:
    if isinstance(obj, Event):
        return obj.is_failed_create
    makers = Deployment | ReplicaSet | ReplicationController
    return isinstance(obj, makers) and bool(obj.status.condition("ReplicaFailure"))
