"""Changes applied to the objects of one decision: the pod and the cluster as they would be then."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from msgspec.structs import replace

from kexplain.case.records import PodToPlace
from kexplain.cluster import Cluster
from kexplain.framework.trace import Decision
from kexplain.objects.apps import StatefulSet
from kexplain.objects.changes import JSON_PATCH, Change, Target
from kexplain.objects.core import Node, Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.resource import ResourceClaim, ResourceClaimTemplate, ResourceSlice
from kexplain.objects.storage import CSINode
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
from kexplain.remedies.makers import left_alone, makers, rolling_out, rolling_out_text
from kexplain.remedies.pod_edits import Edit
from kexplain.remedies.steps import Step, change, edited, target_of
from kexplain.scheduler.pod_copies import nominated
from kexplain.words import some
from kexplain.world.changed_cluster import changed_cluster, turned_out

_Key = tuple[type[KubernetesObject], str, str]
_Objects = dict[_Key, KubernetesObject | None]


class Applied(NamedTuple):
    """What steps come to; `rolling_out` says what is done beside them so that they reach the pod."""

    pod: Pod
    cluster: Cluster
    changes: tuple[Change, ...] = ()
    rolling_out: str = ""


class StepApplier:
    """Steps applied to what was decided about a pod that was `placed`; others of its workload are `pending`, too."""

    def __init__(self, decision: Decision, placed: PodToPlace, pending: Sequence[Pod]) -> None:
        self.decision, self.remake = decision, placed.remake
        self.made_of = made_of = placed.made_of or decision.pod
        self.makers = makers(decision.pod, made_of, decision.cluster)
        self.pending = (decision.pod, *pending) if isinstance(made_of, Pod) and made_of.is_stored else ()
        #: The steps that were applied last, and what they came to.
        self._last: tuple[Sequence[Step], tuple[Cluster, tuple[Change, ...]]] | None = None

    def apply(self, steps: Sequence[Step]) -> Applied:
        """What the steps come to.

        Raises KexplainError, QuantityError, ValidationError or LookupError where they cannot be made.
        """
        others = [step for step in steps if not step.is_of_pod]
        of_templates = [step for step in others if self._template_of(step)]
        own = self._changed_pod([step.edit for step in steps if step.is_of_pod and step.edit], of_templates)
        cluster, of_others = self._changed_cluster([*others, *self._alike(others, of_templates)])
        return own._replace(cluster=cluster, changes=(*own.changes, *of_others))

    def _template_of(self, step: Step) -> str:
        """The name of the template that the claim of a step is made of; empty if it is no such claim."""
        found = self._found(step.kind, step.namespace, step.name) if step.kind is PersistentVolumeClaim else None
        return template_of_claim(found, self.decision.pod) if isinstance(found, PersistentVolumeClaim) else ""

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
        before: _Objects = {}
        after: _Objects = {}
        of_templates: set[_Key] = set()
        for step in steps:
            key = (step.kind, step.namespace, step.name)
            if key not in before:
                before[key] = after[key] = self._found(*key)
            template = self._device_template(step, after[key])
            if template is not None:
                above = (ResourceClaimTemplate, template.namespace, template.name)
                before.setdefault(above, self._found(*above))
                after[above] = template
                of_templates.add(key)
            after[key] = _done(step, after[key])
        following = of_templates | self._following(steps) | {*self._turned_out(before, after)}
        changes = [found for key in before if key not in following if (found := change(before[key], after[key]))]
        changes += self._made_anew() if of_templates else ()
        gone = [old for key, old in before.items() if old is not None and after[key] is not old]
        made = [new for key, new in after.items() if new is not None and before[key] is not new]
        return changed_cluster(self.decision.cluster, gone, made), tuple(changes)

    def _following(self, steps: Sequence[Step]) -> set[_Key]:
        """What is not to be published: it follows from what is, or is no change of an object."""
        return {
            (step.kind, step.namespace, step.name)
            for step in steps
            if _goes_without_saying(step) or step.is_by_hand or self._template_of(step)
        }

    def _turned_out(self, before: _Objects, after: _Objects) -> Iterator[_Key]:
        """The pods that do not bear nodes as they are then, of which nothing else is done, leave."""
        for node in [each for each in after.values() if isinstance(each, Node)]:
            node_info = self.decision.cluster.node_info_by_name.get(node.name)
            pods = [info.pod for info in node_info.pods] if node_info else ()
            for pod in turned_out(node_info.node if node_info else None, node, pods):
                key = (Pod, pod.namespace, pod.name)
                if key not in before:
                    before[key], after[key] = pod, None
                    yield key

    def _device_template(self, step: Step, claim: KubernetesObject | None) -> ResourceClaimTemplate | None:
        """The changed template that a claim on devices was generated of; None if it was not, or does not change."""
        name = device_template_of(claim, self.decision.pod) if isinstance(claim, ResourceClaim) else ""
        found = self._found(ResourceClaimTemplate, step.namespace, name) if name else None
        if not isinstance(found, ResourceClaimTemplate):
            return None
        changed = with_devices_of(found, step)
        return changed if change(found, changed) else None

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
        shorter: dict[Target, list[str]] = {}
        for step in steps:
            if step.command:
                for each in changes:
                    if (each.target.kind, each.target.name) == (step.kind.__name__, step.name):
                        shorter.setdefault(each.target, []).append(step.command)
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
        pod = self._made_again(source) if edits else self.decision.pod
        return self._rolled_out(pod, every, of_templates)

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
                if isinstance(found, PersistentVolumeClaim) and found.is_stored and not found.volume_name:
                    yield target_of(found)

    def _where(self) -> str:
        """Who has to be told of a change that would be undone otherwise; empty where the change says so itself."""
        owner = self.makers.out_of_reach
        return f" in {owner.kind} {owner.name}, which makes the pod" if owner else ""

    def _own_change(self, before: KubernetesObject, after: KubernetesObject) -> Change | None:
        """The change of what makes the pod, or of the pod itself; what is made anew is as people would write it."""
        found = change(before, after, is_stored=self.made_of.is_stored)
        return change(before, to_recreate(after)) if found and found.recreate else found

    def _found(self, kind: type[KubernetesObject], namespace: str, name: str) -> KubernetesObject | None:
        cluster = self.decision.cluster
        if kind is Node:
            node_info = cluster.node_info_by_name.get(name)
            return node_info.node if node_info else None
        if kind is Pod:
            placed = cluster.placed_pods.named(namespace, name)
            return placed.pod if placed else None
        return cluster.listers.get(kind, name, namespace)

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


def _done(step: Step, obj: KubernetesObject | None) -> KubernetesObject | None:
    """The object after the step; None if it is gone, or was not there to be changed.

    Raises LookupError where it is nowhere yet.
    """
    if step.created is not None or step.edit is None or obj is None:
        return step.created
    if isinstance(obj, Pod) and not obj.spec.node_name:
        # A replica that was only just placed here is made of what changes.
        raise LookupError(obj.name)
    changed: KubernetesObject = step.edit(obj)
    return changed
