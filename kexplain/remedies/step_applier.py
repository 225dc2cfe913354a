"""Changes applied to the objects of one decision: the pod and the cluster as they would be then."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import product
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from kexplain.case.own_pods import updating
from kexplain.case.records import PodToPlace
from kexplain.cluster import Cluster
from kexplain.cluster.siblings import is_rolling, waiting_beside
from kexplain.framework.trace import Decision
from kexplain.grouping import grouped
from kexplain.objects.apps import DaemonSet, StatefulSet
from kexplain.objects.changes import JSON_PATCH, Change, Target
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.resource import ResourceClaim, ResourceClaimTemplate, ResourceSlice
from kexplain.objects.storage import CSINode
from kexplain.objects.workload_kinds import WORKLOAD_KIND_BY_NAME
from kexplain.remedies.commands import commands
from kexplain.remedies.controller_fields import (
    as_made,
    device_template_of,
    generated_alike,
    template_of_claim,
    to_recreate,
    with_devices_of,
    with_template_of,
)
from kexplain.remedies.makers import is_stored, left_alone, makers, rolling_out, rolling_out_text
from kexplain.remedies.pod_edits import Edit
from kexplain.remedies.steps import Step, change, edited, target_of
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.pod_copies import nominated
from kexplain.words import some
from kexplain.world.sources import CountedObjects
from kexplain.world.world import World, applied

_Object = TypeVar("_Object", bound=KubernetesObject)
#: So many others that wait are thought of, and as many of them followed as look at so many nodes.
MOST_OTHERS, NODES_LOOKED_AT = 20, 4_000
#: The kinds of objects whose changes controllers carry out.
FOLLOWED = frozenset(("Pod", *WORKLOAD_KIND_BY_NAME))


class Applied(NamedTuple):
    """What steps come to; `rolling_out` says what is done beside them so that they reach the pod."""

    pod: Pod
    cluster: Cluster
    changes: tuple[Change, ...] = ()
    rolling_out: str = ""


class StepApplier:
    """Steps applied to what was decided about a pod that was `placed`; others of its workload are `pending`, too."""

    def __init__(
        self, decision: Decision, placed: PodToPlace, pending: Sequence[Pod], scheduler: Scheduler | None = None
    ) -> None:
        self.decision, self.remake = decision, placed.remake
        self.made_of = made_of = placed.made_of or decision.pod
        self.makers = makers(decision.pod, made_of, decision.cluster)
        self.pending = (decision.pod, *pending) if isinstance(made_of, Pod) and is_stored(made_of) else ()
        #: The manifest of a workload whose pods are there, of which the pod is the next one.
        self.update = updating(made_of, decision.pod, decision.cluster)
        waiting = self.pending or (() if self.update else (decision.pod,))
        #: The first others that wait.
        profiles = scheduler.profiles if scheduler else ()
        self.others = waiting_beside(decision.pod, decision.cluster, profiles)[:MOST_OTHERS]
        #: Those that are tried as well, some of which have room kept on a node.
        most = NODES_LOOKED_AT // max(len(decision.cluster.node_infos), 1) if waiting else 0
        self.beside = _beside(decision.cluster, waiting, self.others[:most])
        self.world = World(CountedObjects(decision.cluster, scheduler, (*waiting, *self.beside)))
        #: The same where controllers act on the manifest.
        self._acting = self.world.after([partial(applied, self.update)]) if self.update else self.world
        #: The steps that were applied last, and what they came to.
        self._last: tuple[Sequence[Step], tuple[Cluster, tuple[Change, ...]]] | None = None

    def apply(self, steps: Sequence[Step]) -> Applied:
        """What the steps come to.

        Raises KexplainError, QuantityError, ValidationError or LookupError where they cannot be made.
        """
        of_templates = [step for step in steps if self._template_of(step)]
        own = self._changed_pod([step.edit for step in steps if step.is_of_pod and step.edit], of_templates)
        cluster, of_others = self._changed_cluster(self._of_others(steps))
        return own._replace(cluster=cluster, changes=(*own.changes, *of_others))

    @cached_property
    def goes_on(self) -> bool:
        """Whether the pod's workload does more once it runs: others come after it, or old ones make way."""
        return isinstance(self.makers.targets[0], StatefulSet) or is_rolling(self.decision.pod, self.decision.cluster)

    def is_followed(self, changes: Iterable[Change]) -> bool:
        """Whether more comes of it than that pods find a node; where nodes change, DaemonSets have pods on them."""
        is_of_nodes = any(each.target.kind == Node.__name__ for each in changes)
        return self.goes_on or (is_of_nodes and any(self.decision.cluster.listers.every(DaemonSet)))

    def until_controllers_act(self, steps: Iterable[Step]) -> World:
        """The world after these steps, but for changes of pods and workloads, which are for controllers to make."""
        others = self._of_others([step for step in steps if step.created or step.kind.__name__ not in FOLLOWED])
        return self._acting.after(self._with_templates(others))

    def after(self, changes: Iterable[Change]) -> World:
        """The world after those of the changes that no controller carries out."""
        return self._acting.after(each for each in changes if each.target.kind not in FOLLOWED)

    def _of_others(self, steps: Sequence[Step]) -> list[Step]:
        """The steps that are done to other objects than the pod, to all that are alike."""
        others = [step for step in steps if not step.is_of_pod]
        return [*others, *self._alike(others, [step for step in others if self._template_of(step)])]

    def _template_of(self, step: Step) -> str:
        """The name of the template that the claim of a step is made of; empty if nothing of that changes."""
        found = self._found(step.kind, step.namespace, step.name) if step.kind is PersistentVolumeClaim else None
        is_beside = found is not None and step.edit is not None and step.edit(found).spec == found.spec
        return template_of_claim(found, self.decision.pod) if found and not is_beside else ""

    def _alike(self, others: Sequence[Step], of_templates: Sequence[Step]) -> Iterator[Step]:
        """The same for what other pods without a node were given of the templates that change."""
        if isinstance(self.makers.targets[0], StatefulSet):
            for step, pod in product(of_templates, self.pending[1:]):
                yield replace(step, name=f"{self._template_of(step)}-{pod.name}", follows=True)
        for step in others:
            if step.kind is ResourceClaim and step.edit is not None:
                for name in generated_alike(step.name, self.decision.pod, self.pending[1:]):
                    yield replace(step, name=name, follows=True)

    def _changed_cluster(self, steps: Sequence[Step]) -> tuple[Cluster, tuple[Change, ...]]:
        """The cluster after the steps, and the changes for them; what was asked for last is often asked for again."""
        if self._last is None or [*map(id, self._last[0])] != [*map(id, steps)]:
            self._last = (steps, self._others(steps))
        return self._last[1]

    def _others(self, steps: Sequence[Step]) -> tuple[Cluster, tuple[Change, ...]]:
        every = [*self._with_templates(steps)]
        before, world = self.world.edited, self.world.after(every)
        # What follows from what is published, or is no change of an object, is not.
        quiet = {step.key for step in every if _goes_without_saying(step) or step.is_by_hand or self._template_of(step)}
        published = dict.fromkeys(step.key for step in every if step.key not in quiet)
        pairs = ((before.find(*key), world.edited.find(*key)) for key in published)
        changes = [found for pair in pairs if (found := change(*pair))]
        changes += self._made_anew() if len(every) > len(steps) else ()
        return world.cluster, tuple(changes)

    def _with_templates(self, steps: Iterable[Step]) -> Iterator[Step]:
        """The steps, each of a claim on devices behind that of the template of which the claim was generated."""
        for step in steps:
            above = self._device_template(step)
            if above is not None:
                yield above
            yield replace(step, follows=True) if above else step

    def _device_template(self, step: Step) -> Step | None:
        """The same for the template of a claim on devices; None if it was made of none, or that does not change."""
        claim = self._found(ResourceClaim, step.namespace, step.name) if step.kind is ResourceClaim else None
        name = device_template_of(claim, self.decision.pod) if claim else ""
        found = self._found(ResourceClaimTemplate, step.namespace, name) if name else None
        if found is None or not change(found, with_devices_of(found, step)):
            return None
        return Step(ResourceClaimTemplate, step.namespace, name, lambda old: with_devices_of(old, step))

    def _made_anew(self) -> Iterator[Change]:
        """The pods without a node, each made once more, by its controller or by hand."""
        for pod in self.pending:
            if pod.metadata.controller:
                yield Change(target=target_of(pod), verb="delete")
            else:
                yield Change(target=target_of(pod), verb="patch", patch_type=JSON_PATCH, patch=[], recreate=True)

    def commands(self, steps: Sequence[Step], changes: Sequence[Change]) -> tuple[str, ...]:
        """The changes for a shell; what is a manifest still is for an editor, and what would be undone has none."""
        own = {target_of(each) for each in self.makers.targets}
        pairs = ((step, each.target) for step in steps if step.command for each in changes)
        alike = ((step, target) for step, target in pairs if (target.kind, target.name) == step.key[::2])
        shorter = grouped((target, step.command) for step, target in alike)
        is_undone = self.makers.out_of_reach is not None
        kept = [each for each in changes if not each.in_manifest and not (is_undone and each.target in own)]
        return tuple(dict.fromkeys(commands(kept, shorter)))

    def _changed_pod(self, edits: Sequence[Edit], of_templates: Sequence[Step]) -> Applied:
        """The pod made again, and the changes for it alone. Raises LookupError where nothing can be changed for it."""
        every, source = list(self.makers.targets), self.made_of
        for edit in edits:
            old, old_source = every, source
            every, source = [edited(each, edit) for each in every], edited(source, edit)
            if change(old_source, source) and not change(old[0], every[0]):
                raise LookupError(every[0].name)
        for of_template in of_templates:
            every = [with_template_of(each, of_template, self._template_of(of_template)) for each in every]
        is_changed = any(change(*pair) for pair in zip(self.makers.targets, every, strict=True))
        if not is_changed and of_templates:
            raise LookupError(every[0].name)
        if not is_changed:
            return Applied(self.decision.pod, self.decision.cluster)
        return self._rolled_out(self._made_again(source) if edits else self.decision.pod, every, of_templates)

    def _rolled_out(self, pod: Pod, every: Sequence[KubernetesObject], of_templates: Sequence[Step]) -> Applied:
        """The changes of what makes the pod, and all that has to go so that they reach it."""
        top = rolling_out(every[0], self.pending)
        pairs = zip(self.makers.targets, (top, *every[1:]), strict=True)
        changes = [each for before, after in pairs if (each := self._own_change(before, after))]
        words = "; ".join((self._where(), *filter(None, [rolling_out_text(every[0], top)])))
        if self.makers.out_of_reach is None:
            claims = list(self._claims_of(top, of_templates))
            gone = (*claims, *map(target_of, left_alone(top, self.pending)))
            changes += [Change(target=each, verb="delete") for each in gone]
            if claims:
                words += f"; this deletes claim {some([each.name for each in claims])}, without a volume so far"
        return Applied(pod, self.decision.cluster, tuple(changes), words)

    def _claims_of(self, workload: KubernetesObject, of_templates: Sequence[Step]) -> Iterator[Target]:
        """The claims of pods without a node that a stateful set makes anew, but for claims with volumes."""
        if isinstance(workload, StatefulSet):
            for template, pod in product(dict.fromkeys(map(self._template_of, of_templates)), self.pending):
                found = self._found(PersistentVolumeClaim, pod.namespace, f"{template}-{pod.name}")
                if found and found.is_stored and not found.volume_name:
                    yield target_of(found)

    def _where(self) -> str:
        """Who has to be told of a change that would be undone otherwise; empty where the change says so itself."""
        owner = self.makers.out_of_reach
        return f" in {owner.kind} {owner.name}, which makes the pod" if owner else ""

    def _own_change(self, before: KubernetesObject, after: KubernetesObject) -> Change | None:
        """The change of what makes the pod, or of the pod itself; what is made anew is as people would write it."""
        found = change(before, after, is_stored=is_stored(self.made_of))
        return change(before, to_recreate(after)) if found and found.recreate else found

    def _found(self, kind: type[_Object], namespace: str, name: str) -> _Object | None:
        return self.decision.cluster.listers.get(kind, name, namespace)

    def _made_again(self, changed: KubernetesObject) -> Pod:
        pod = self.decision.pod
        if self.remake is not None:
            made = self.remake(changed)
        elif isinstance(changed, Pod):
            made = changed
        else:
            raise LookupError(target_of(changed).kind)
        # Another pod comes in its place, for which no room is kept.
        made = nominated(replace(made, metadata=pod.metadata, status=pod.status), "")
        return as_made(made, pod)


def _goes_without_saying(step: Step) -> bool:
    """Whether it follows from what is changed, and whoever applies that knows; what drivers say of a node, nobody."""
    return step.follows and not (step.kind in (CSINode, ResourceSlice) and step.created is not None)


def _beside(cluster: Cluster, pods: Sequence[Pod], others: Sequence[Pod]) -> list[Pod]:
    kept, own = (each.pod for every in cluster.nominated_by_node.values() for each in every), {pod.uid for pod in pods}
    return [*{pod.uid: pod for pod in (*kept, *others) if pod.uid not in own}.values()]
