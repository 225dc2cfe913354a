"""Deployments: replica sets, one a revision, that grow and shrink against each other.

Source: kube-controller-manager `deployment` (rolling.go, recreate.go, sync.go), release 1.36.
"""

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from kexplain.objects.apps import Deployment, ReplicaSet, ReplicaSetAnnotations, is_recreated
from kexplain.world.control_plane import ControlPlane
from kexplain.world.members import Refused, Rollout, rollout_of
from kexplain.world.replica_sets import Replicas
from kexplain.world.surge import Bounds, deployment_bounds, keeps_old


class Revision(Struct, eq=False):
    """The replica set of one template: its pods, its age and number, and the sizes that were noted when it was last
    scaled.
    """

    replicas: Replicas
    created: str = ""
    number: int = 0
    desired: int | None = None
    most: int | None = None

    @property
    def size(self) -> int:
        return self.replicas.wanted

    def noted_on(self, replica_set: ReplicaSet) -> ReplicaSet:
        """Its replica set, of its size, with the sizes that were noted."""
        sized = replace(replica_set, spec=replace(replica_set.spec, replicas=self.size))
        if self.desired is None:
            return sized
        noted = replica_set.metadata.annotations or ReplicaSetAnnotations()
        noted = replace(noted, desired_replicas=str(self.desired), max_replicas=str(self.most))
        return replace(sized, metadata=replace(replica_set.metadata, annotations=noted))


class DeploymentController(Struct, eq=False):
    """A deployment; `start` makes the replica set of its template where there is none."""

    deployment: Deployment
    wanted: int
    revisions: list[Revision]
    start: Callable[[ControlPlane], Revision | Refused]
    refused: Refused | None = None

    @property
    def newest(self) -> Revision | None:
        """The replica set of the newest template, if it is there."""
        return next((each for each in self.revisions if each.replicas.is_new), None)

    @property
    def old(self) -> list[Revision]:
        """All others, the oldest first."""
        return sorted((each for each in self.revisions if not each.replicas.is_new), key=lambda each: each.created)

    @property
    def bounds(self) -> Bounds:
        """How many pods more, and how many fewer."""
        return Bounds(0, 0) if is_recreated(self.deployment) else deployment_bounds(self.deployment, self.wanted)

    # ------------------------------------------------------------------------------------------------- one step

    def reconcile(self, plane: ControlPlane) -> bool:
        """The sizes of the replica sets first, then their pods."""
        moved = self._resize(plane)
        for revision in self.revisions:
            moved |= revision.replicas.reconcile(plane)
        return moved

    def _resize(self, plane: ControlPlane) -> bool:
        if self.deployment.spec.paused or self._is_scaled:
            return self._scale()
        return self._recreate(plane) if is_recreated(self.deployment) else self._grow(plane) or self._shrink()

    @property
    def _is_scaled(self) -> bool:
        noted = [each.desired for each in self.revisions if each.size and each.desired is not None]
        return any(desired != self.wanted for desired in noted)

    def _set(self, revision: Revision, size: int) -> bool:
        """Note the sizes with each change, as upstream does; whether the size is another."""
        has_changed = size != revision.size
        revision.replicas.wanted = size
        revision.desired, revision.most = self.wanted, self.wanted + self.bounds.surge
        return has_changed

    def _set_all(self, sizes: Iterable[tuple[Revision, int]]) -> bool:
        changed = [self._set(revision, size) for revision, size in sizes]
        return any(changed)

    # ------------------------------------------------------------------------------------- a template that changes

    def _total(self) -> int:
        return sum(each.size for each in self.revisions)

    def _room(self, newest_size: int) -> int:
        """The size that the newest replica set may have now."""
        room = self.wanted + self.bounds.surge - self._total()
        return newest_size + max(min(room, self.wanted - newest_size), 0)

    def _started(self, plane: ControlPlane) -> Revision | None:
        newest = self.newest
        if newest is not None:
            return newest
        started = self.start(plane)
        self.refused = started if isinstance(started, Refused) else None
        if isinstance(started, Refused):
            return None
        self.revisions.append(started)
        return started

    def _grow(self, plane: ControlPlane) -> bool:
        newest = self._started(plane)
        if newest is None or newest.size == self.wanted:
            return False
        size = self.wanted if newest.size > self.wanted else self._room(newest.size)
        return size != newest.size and self._set(newest, size)

    def _shrink(self) -> bool:
        """Old pods that do not serve go first, then others as far as enough still serve."""
        old = [each for each in self.old if each.size]
        newest = self.newest
        if not old or newest is None:
            return False
        if keeps_old(self.deployment) and newest.replicas.pods.available < self.wanted:
            return False
        least = self.wanted - self.bounds.unavailable
        spare = self._total() - least - (newest.size - newest.replicas.pods.available)
        if spare <= 0:
            return False
        has_shrunk = False
        for each in old:
            gone = min(spare, max(each.size - each.replicas.pods.available, 0))
            has_shrunk |= gone > 0 and self._set(each, each.size - gone)
            spare -= gone
        # What was cleaned up did not serve, so that as many serve as before.
        spare = sum(each.replicas.pods.available for each in self.revisions) - least
        for each in old:
            gone = max(min(each.size, spare), 0)
            has_shrunk |= gone > 0 and self._set(each, each.size - gone)
            spare -= gone
        return has_shrunk

    def _recreate(self, plane: ControlPlane) -> bool:
        old = [each for each in self.old if each.size]
        if old:
            return self._set_all((each, 0) for each in old)
        if any(each.replicas.members for each in self.old):
            return False
        newest = self._started(plane)
        return newest is not None and newest.size != self.wanted and self._set(newest, self.wanted)

    # -------------------------------------------------------------------------------------- a number that changes

    def _scale(self) -> bool:
        """All replica sets in proportion, so that a change of the template does not go on by it."""
        active = [each for each in self.revisions if each.size]
        if len(active) < 2:
            only = [*active, *filter(None, [self.newest]), *reversed(self.old)][:1]
            return self._set_all((each, self.wanted) for each in only if each.size != self.wanted)
        newest = self.newest
        if newest is not None and newest.size == newest.desired == self.wanted == newest.replicas.pods.available:
            return self._set_all((each, 0) for each in active if each is not newest)
        return False if is_recreated(self.deployment) else self._scale_in_proportion(active)

    def _scale_in_proportion(self, active: list[Revision]) -> bool:
        allowed = self.wanted + self.bounds.surge if self.wanted else 0
        to_add = allowed - sum(each.size for each in active)
        newer_first = to_add > 0
        active.sort(key=lambda each: each.created, reverse=newer_first)
        active.sort(key=lambda each: -each.size)
        sizes, added = [], 0
        for each in active:
            share = self._share(each, allowed, to_add - added) if to_add else 0
            sizes.append(each.size + share)
            added += share
        sizes[0] = max(sizes[0] + to_add - added, 0)
        return self._set_all(zip(active, sizes, strict=True))

    def _share(self, revision: Revision, allowed: int, left: int) -> int:
        if not left:
            return 0
        before = revision.most or self._total()
        fraction = -revision.size if not self.wanted else _rounded(revision.size * allowed, before) - revision.size
        return min(fraction, left) if left > 0 else max(fraction, left)

    # ------------------------------------------------------------------------------------------------- the end

    def rollout(self) -> Rollout:
        """Complete is what has all pods of the newest template, serving, and no others."""
        newest = self.newest
        members = [member for revision in self.revisions for member in revision.replicas.members]
        has_old = not all(each.is_new for each in members)
        is_complete = newest is not None and newest.size == self.wanted and newest.replicas.is_complete and not has_old
        home = self.deployment
        return rollout_of(
            (home.kind, home.namespace, home.name),
            members,
            complete=is_complete or not (members or self.wanted),
            desired=self.wanted,
            not_created=sum(each.replicas.missing for each in self.revisions),
            kept_old_by="paused" if home.spec.paused and (has_old or not members) else "",
            refusals=[self.refused, *(each.replicas.refused for each in self.revisions)],
            bounds="" if is_recreated(home) else str(self.bounds),
        )


def _rounded(part: int, whole: int) -> int:
    """Half away from zero, as `integer.RoundToInt32` does."""
    return (2 * part + whole) // (2 * whole) if whole else 0
