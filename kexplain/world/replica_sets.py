"""ReplicaSets and ReplicationControllers: so many pods, whichever.

Source: kube-controller-manager `replicaset.manageReplicas`, release 1.36.
"""

from collections.abc import Callable

import msgspec
from msgspec import Struct

from kexplain.case.own_pods import Key
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.world.control_plane import ControlPlane
from kexplain.world.members import Member, Pods, Refused, Rollout, deletion_order, in_place_of, rollout_of


class Replicas(Struct, eq=False):
    """So many pods of one template, which `make` makes by their numbers; `of` is what they are made of."""

    name: str
    wanted: int
    make: Callable[[int], Pod]
    of: KubernetesObject
    pods: Pods = msgspec.field(default_factory=Pods)
    is_new: bool = True
    refused: Refused | None = None
    made: int = 0
    #: Whether a pod that is lost is made again.
    is_controlled: bool = True

    @property
    def members(self) -> list[Member]:
        """The pods that are there."""
        return self.pods.members

    @property
    def is_complete(self) -> bool:
        """Whether all wanted pods serve, and there are no others."""
        return self.pods.available == len(self.members) == self.wanted

    @property
    def missing(self) -> int:
        """How many pods are wanted, and not there."""
        return max(self.wanted - len(self.members), 0)

    def reconcile(self, plane: ControlPlane) -> bool:
        """As many pods as wanted, as far as they are not refused."""
        if self.pods.lost and not self.is_controlled:
            self.wanted -= len(self.pods.lost)
            self.pods.lost.clear()
        surplus = len(self.members) - self.wanted
        if surplus > 0:
            plane.delete(deletion_order(self.members)[:surplus])
            return True
        self.refused = None
        before = self.made
        for _ in range(-surplus):
            self.refused = plane.create(self.pods, self._next(), self.of, is_new=self.is_new)
            if self.refused is not None:
                break
            self.made += 1
            del self.pods.lost[:1]
        return self.made > before

    def _next(self) -> Pod:
        """The next pod; in place of one that was lost it goes by its name."""
        pod = self.make(self.made)
        return in_place_of(self.pods.lost[0], pod, is_new=self.is_new) if self.pods.lost else pod


class ReplicasController(Struct, eq=False):
    """What keeps so many pods of one template: a ReplicaSet, a ReplicationController or a Job by itself."""

    key: Key
    replicas: Replicas
    is_suspended: bool = False

    def reconcile(self, plane: ControlPlane) -> bool:
        return self.replicas.reconcile(plane)

    def rollout(self) -> Rollout:
        """Pods of an older template stay until they go for another reason."""
        own = self.replicas
        has_old = not all(each.is_new for each in own.members)
        return rollout_of(
            self.key,
            own.members,
            complete=own.is_complete and not has_old,
            desired=own.wanted,
            not_created=own.missing,
            kept_old_by="suspended" if self.is_suspended else self.key[0] if has_old else "",
            refusals=[own.refused],
        )
