"""What helps against objections because of claims on storage."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from kexplain.cluster import NodeInfo
from kexplain.cluster.listers import volumes_of
from kexplain.diagnosis.beyond_templates import remade_claim
from kexplain.diagnosis.judges.storage import is_unused
from kexplain.diagnosis.places import known_otherwise
from kexplain.diagnosis.scene import Scene
from kexplain.explain.objections.claims import EXAMPLES, ClaimInUseFact, NoVolumeFact, UnusableClaimFact, claim_text
from kexplain.explain.objections.storage import (
    ProvisionedElsewhereFact,
    TopologyFact,
    VolumeOutOfReachFact,
    VolumeZoneFact,
)
from kexplain.framework.evidence.storage import ClaimProblem, NotEnoughStorage, Unfit, UnfitVolume
from kexplain.objects import quantity
from kexplain.objects.core import (
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    PersistentVolumeClaimSpec,
    VolumeResourceRequirements,
)
from kexplain.objects.events import made_by
from kexplain.objects.node_pools import zone_of
from kexplain.objects.persistent_volumes import ClaimMeta, PersistentVolume, PersistentVolumeClaim, VolumeNodeAffinity
from kexplain.objects.pod_claims import is_of_set, pod_claims
from kexplain.objects.storage import WAIT_FOR_FIRST_CONSUMER, StorageClass
from kexplain.objects.well_known import HOSTNAME
from kexplain.remedies import pod_edits
from kexplain.remedies.advice import proposed
from kexplain.remedies.against.against import Against
from kexplain.remedies.controller_fields import template_of_claim
from kexplain.remedies.moved_pods import named
from kexplain.remedies.proposal import Proposal
from kexplain.remedies.records import Action, Rank
from kexplain.remedies.steps import Step, deletion
from kexplain.shell import command
from kexplain.tables import words
from kexplain.words import ask, joined, near, some

_ClaimFactT = TypeVar(
    "_ClaimFactT",
    bound=ClaimInUseFact | NotEnoughStorage | NoVolumeFact | ProvisionedElsewhereFact | TopologyFact | UnusableClaimFact
    | VolumeOutOfReachFact | VolumeZoneFact,
)  # fmt: skip


class AgainstClaim(Against[_ClaimFactT]):
    """What helps against the objections to a claim: the pod starts without it."""

    def proposals(self, home: Scene, facts_by_node: Mapping[str, Sequence[_ClaimFactT]]) -> Iterator[Proposal]:
        yield from without_claims((fact.claim for facts in facts_by_node.values() for fact in facts), home)


class AgainstUnusableClaims(AgainstClaim[UnusableClaimFact]):
    """A claim cannot be used wherever the pod would go."""

    def proposals(self, home: Scene, facts_by_node: Mapping[str, Sequence[UnusableClaimFact]]) -> Iterator[Proposal]:
        """See to the provisioner that should have made the volume, and the pod without the claim."""
        (fact, *_) = next(iter(facts_by_node.values()))
        if _waits_for_provisioner(fact):
            storage_class = home.cluster.listers.get(StorageClass, fact.class_name)
            maker = storage_class.provisioner if storage_class else f"the provisioner of class {fact.class_name}"
            namespace, _, name = fact.claim.partition("/")
            shows = command("kubectl describe pvc", name, namespace=namespace)
            yield proposed("claim/provisioner", maker, name, shows, order=1)
        yield from _of_its_template(fact.claim, home)
        yield from super().proposals(home, facts_by_node)

    def by_hand(self, fact: UnusableClaimFact) -> Proposal | None:
        """Mend the claim; only then is it known what its volume asks of nodes."""
        if _waits_for_provisioner(fact):
            return None
        if fact.volume and fact.volumes:
            create = f"create volume {fact.volume}, or " if fact.volumes[0].why == Unfit.MISSING.value else ""
            return Proposal(Action.CHANGE_STORAGE, f"{create}have the claim name another volume", is_enough=None)
        if fact.volumes:
            return proposed("volume/create", fact.class_name, fact.wanted)
        namespace, _, name = fact.claim.partition("/")
        known, shows = some(fact.known, EXAMPLES), command("kubectl describe pvc", name, namespace=namespace)
        about = {"claim": f"claim {fact.claim}", "volume": fact.volume, "class_name": fact.class_name}
        text = claim_text("helps", fact.problem, known, **about, known=known, meant=ask(*fact.known), shows=shows)
        return Proposal(Action.CHANGE_STORAGE, text, rank=Rank.MENDS, is_enough=None)

    def at_node(self, node_info: NodeInfo, facts: Sequence[UnusableClaimFact], home: Scene) -> Iterator[Proposal]:
        """Use the claim that was meant, or a class that makes volumes."""
        fact = facts[0]
        problem, name = ClaimProblem(fact.problem), fact.claim.partition("/")[2]
        if problem is ClaimProblem.MISSING:
            for known in fact.known[:2]:
                yield proposed("claim/other", known, name, edit=pod_edits.using_claim(name, known), order=1)
            yield from _new_claim(fact, home)
        yield from _with_volumes(fact.claim, fact.volumes, home)
        if problem in (ClaimProblem.NO_CLASS, ClaimProblem.CLASS_MISSING, ClaimProblem.UNBOUND):
            yield from of_other_class(fact.claim, home, is_static=bool(fact.volumes))


def _waits_for_provisioner(fact: UnusableClaimFact) -> bool:
    return fact.problem == ClaimProblem.UNBOUND.value and not (fact.volume or fact.volumes)


def _with_volumes(key: str, volumes: Iterable[UnfitVolume], home: Scene) -> Iterator[Proposal]:
    """The claim made again as a volume could serve it, and volumes freed that an earlier claim has kept."""
    claim = home.cluster.listers.at(PersistentVolumeClaim, key)
    if claim is None:
        return
    for why, each in {each.why: each for each in reversed([*volumes])}.items():
        if why == Unfit.RELEASED.value:
            yield proposed("volume/free", each, order=1, steps=(_freed(each.volume),))
        elif why == Unfit.TOO_SMALL.value:
            yield from of_size(key, each.detail, home, Rank.MENDS)
        elif why == Unfit.ACCESS_MODES.value and each.detail:
            yield _anew(claim, f"access mode {each.detail}", home, access_modes=tuple(each.detail.split(", ")))
        elif why == Unfit.SELECTOR.value:
            yield from _labelled(each.volume, claim)
        elif why == Unfit.CLASS.value and claim.volume_name:
            what = f"class {each.detail}" if each.detail else 'storageClassName ""'
            yield _anew(claim, what, home, storage_class_name=each.detail)
        if claim.volume_name:
            yield _anew(claim, "no volumeName", home, volume_name=None)


def _of_its_template(key: str, home: Scene) -> Iterator[Proposal]:
    """The claim deleted with its pod, where the set that makes both would make another one now."""
    claim = home.cluster.listers.at(PersistentVolumeClaim, key)
    if claim and remade_claim(claim, home.pod, home.cluster):
        gone = (("pvc", claim), ("pod", home.pod))
        lines = tuple(command("kubectl delete", kind, each.name, namespace=each.namespace) for kind, each in gone)
        yield proposed("claim/of-template", made_by(home.pod)[1], order=0, commands=lines, is_enough=None)


def _labelled(volume: str, claim: PersistentVolumeClaim) -> Iterator[Proposal]:
    """The volume with what the claim selects by, where that is labels alone."""
    selector = claim.spec.selector
    labels = (selector.match_labels or {}) if selector and not selector.match_expressions else {}

    def edit(old: PersistentVolume) -> PersistentVolume:
        return replace(old, metadata=replace(old.metadata, labels={**old.labels, **labels}))

    if pairs := [f"{key}={value}" for key, value in labels.items()]:
        line = command("kubectl label persistentvolume", volume, *pairs, flags=["--overwrite"])
        step = Step(PersistentVolume, "", volume, edit, command=line)
        yield proposed("volume/label", volume, pairs, claim.name, order=1, steps=(step,))


def of_size(key: str, size: str, home: Scene, rank: Rank) -> Iterator[Proposal]:
    """The claim made again with another size."""
    claim = home.cluster.listers.at(PersistentVolumeClaim, key)
    if claim is not None and claim.spec.resources is not None:
        yield _anew(claim, size, home, rank, resources=replace(claim.spec.resources, requests={"storage": size}))


def _freed(name: str) -> Step:
    def edit(old: PersistentVolume) -> PersistentVolume:
        return replace(old, spec=replace(old.spec, claim_ref=None), status=replace(old.status, phase="Available"))

    patch = json.dumps([{"op": "remove", "path": "/spec/claimRef"}])
    done = command("kubectl patch persistentvolume", name, flags=("--type", "json", "-p", patch))
    return Step(PersistentVolume, "", name, edit, command=done)


def _new_claim(fact: UnusableClaimFact, home: Scene) -> Iterator[Proposal]:
    """The claim that is missing, of the first class that waits for a pod."""
    namespace, _, name = fact.claim.partition("/")
    for each in _making_classes(home)[:1]:
        spec = PersistentVolumeClaimSpec(
            access_modes=("ReadWriteOnce",),
            resources=VolumeResourceRequirements(requests={"storage": "1Gi"}),
            storage_class_name=each.name,
        )
        claim = PersistentVolumeClaim(metadata=ClaimMeta(name=name, namespace=namespace), spec=spec)
        step = Step(PersistentVolumeClaim, namespace, name, created=claim)
        yield proposed("claim/create", fact, _with_place(each, home), order=4, steps=(step,))


def _making_classes(home: Scene, wrong: str = "") -> list[StorageClass]:
    """The classes that make volumes: first the one that `wrong` is a slip for, then those that wait for a pod."""
    classes = home.cluster.listers.every(StorageClass)
    meant = near(wrong, (each.name for each in classes)) if wrong else []

    def order(each: StorageClass) -> tuple[bool, bool, bool, str]:
        waits = each.volume_binding_mode == WAIT_FOR_FIRST_CONSUMER
        return each.name not in meant, not waits, not each.is_default, each.name

    return sorted((each for each in classes if each.makes_volumes), key=order)


def _with_place(of: StorageClass, home: Scene) -> str:
    """The name of a class, with where its volumes are made if that is known of none before a node is chosen."""
    is_open = of.volume_binding_mode != WAIT_FOR_FIRST_CONSUMER and not of.allowed_topologies
    zones = {zone_of(info.labels) for info in home.cluster.node_infos} if is_open else ()
    return f"{of.name} (picks any zone)" if len(zones) > 1 else of.name or ""


def _can_make(storage_class: StorageClass, spec: PersistentVolumeClaimSpec) -> bool:
    """Whether the class may make a volume for that, as far as is known: no disk holds files for many nodes."""
    is_shared = "ReadWriteMany" in (spec.access_modes or ()) and spec.volume_mode != "Block"
    return not (is_shared and storage_class.provisioner in _OF_DISKS)


def of_other_class(key: str, home: Scene, *, is_static: bool = False) -> Iterator[Proposal]:
    """The claim with each other class that makes volumes, one at a time.

    Where it `is_static`, volumes of its class are made by hand, and need no such object.
    """
    claim = home.cluster.listers.at(PersistentVolumeClaim, key)
    if claim is None or claim.volume_name:
        return
    wrong = claim.class_name or ""
    is_missing = bool(wrong) and not is_static and home.cluster.listers.get(StorageClass, wrong) is None
    for each in _making_classes(home, wrong if is_missing else "")[:3]:
        if each.name != wrong and _can_make(each, claim.spec):
            rank = Rank.MENDS if is_missing or not (wrong or is_static) else Rank.LOOSENS
            found = _anew(claim, f"class {_with_place(each, home)}", home, rank, storage_class_name=each.name)
            yield replace(found, text=f"{found.text}, as there is no class {wrong}") if is_missing else found


def _anew(claim: PersistentVolumeClaim, what: str, home: Scene, rank: Rank = Rank.MENDS, **fields: object) -> Proposal:
    """A claim with something else: its template has it, if it is yet to be made, or it is made again."""

    def edit(old: PersistentVolumeClaim) -> PersistentVolumeClaim:
        return replace(old, spec=replace(old.spec, **fields))

    step = Step(PersistentVolumeClaim, claim.namespace, claim.name, edit)
    return proposed("claim/anew", claim, template_of_claim(claim, home.pod), what, rank=rank, steps=(step,))


#: Provisioners of what is attached to one node at a time.
_OF_DISKS = words("disk-drivers")
#: Where a volume would have to be for the pod to go there.
ELSEWHERE = "where the pod can go"


def restored(claims: Sequence[str], where: str) -> str:
    """That what is in the volumes of claims is brought to new ones."""
    return f"restore the data of claim {joined(claims)} into a new volume {where} (for example from a snapshot)"


def restored_elsewhere(home: Scene) -> Iterator[Proposal]:
    """What is in volumes that only some nodes reach, brought to where the pod can go."""

    def edit(old: PersistentVolume) -> PersistentVolume:
        return replace(old, metadata=replace(old.metadata, labels=None), spec=replace(old.spec, node_affinity=None))

    found = volumes_of(home.pod, home.cluster.listers)
    tied = {claim.key: volume.name for claim, volume in found if volume.spec.node_affinity}
    steps = tuple(Step(PersistentVolume, "", name, edit, is_by_hand=True) for name in tied.values())
    if steps:
        yield Proposal(Action.CHANGE_STORAGE, restored([*tied], ELSEWHERE), rank=Rank.ADDS_NODES, order=4, steps=steps)


def renamed(volumes: Iterable[str], home: Scene) -> Iterator[Proposal]:
    """Volumes made again that name their node otherwise than its label does; or their node, if it is gone, back."""
    for name in volumes:
        value = node_of(home.cluster.listers.get(PersistentVolume, name))
        meant = known_otherwise(value, home.cluster) if value else None
        if not value or value in home.cluster.names_by_label(HOSTNAME):
            continue
        if meant is None:
            yield proposed("volume/node-back", value, name, order=0, is_enough=None)
            continue
        label = meant.labels[HOSTNAME]
        step = Step(PersistentVolume, "", name, reachable_by({HOSTNAME: label}), is_by_hand=True)
        yield proposed("volume/other-node", name, f"{HOSTNAME}={label}", value, order=0, steps=(step,))


def node_of(volume: PersistentVolume | None) -> str:
    """The one node that a volume names by its label; empty if it names none, or several."""
    terms = volume.spec.node_affinity.terms if volume and volume.spec.node_affinity else ()
    wanted = [each for term in terms for each in term.match_expressions or () if each.key == HOSTNAME]
    (value, *more) = wanted[0].values or ("",) if len(wanted) == 1 else ("", "")
    return "" if more else value


def reachable_by(
    labels: Mapping[str, str], gone: Collection[str] = ()
) -> Callable[[PersistentVolume], PersistentVolume]:
    """A volume for nodes with these labels, without labels of its own that are gone."""
    wanted = (NodeSelectorRequirement(key=key, operator="In", values=(value,)) for key, value in labels.items())
    term = NodeSelectorTerm(match_expressions=tuple(wanted))
    affinity = VolumeNodeAffinity(required=NodeSelector(node_selector_terms=(term,)))

    def edit(old: PersistentVolume) -> PersistentVolume:
        own = {key: value for key, value in old.labels.items() if key not in gone}
        metadata = replace(old.metadata, labels={**own, **labels} if gone else own)
        return replace(old, metadata=metadata, spec=replace(old.spec, node_affinity=affinity))

    return edit


def without_claims(keys: Iterable[str], home: Scene) -> Iterator[Proposal]:
    """The pod with empty volumes in place of these claims, where nothing else helps; a set makes its own claims."""
    names, pod, cluster = list(dict.fromkeys(keys)), home.pod, home.cluster
    if any(is_of_set(pod, f"{pod.namespace}/{each.name}") for each in pod_claims(pod)):
        return
    kept = {one.key for one, volume in volumes_of(pod, cluster.listers) if not is_unused(one, volume, pod, cluster)}
    volumes = pod_edits.volumes_of(pod, names)
    # A scheduler names one claim at a time: the next may be no better.
    every = [each.volume.name or "" for each in pod_claims(pod)]
    for emptied, which, behind in (
        (volumes, f"claim {joined(names)}", kept.intersection(names)),
        (every if len(every) > len(volumes) else (), "each claim", kept),
    ):
        stays = ", whose data stays behind in its volume" if behind else ""
        text, edit = f"start with an empty emptyDir in place of {which}{stays}", pod_edits.with_empty_volumes(emptied)
        if emptied:
            yield Proposal(Action.DROP_VOLUME, text, edit, rank=Rank.LAST_RESORT, is_fallback=True)


class AgainstClaimsInUse(AgainstClaim[ClaimInUseFact]):
    """Another pod uses a claim that only one may use."""

    def by_hand(self, fact: ClaimInUseFact) -> Proposal:
        return proposed("claim/in-use", ", ".join(fact.pods), len(fact.pods))

    def at_node(self, node_info: NodeInfo, facts: Sequence[ClaimInUseFact], home: Scene) -> Iterator[Proposal]:
        """End the pods that use it."""
        pods = named(list(dict.fromkeys(key for fact in facts for key in fact.pods)), home.cluster)
        if pods:
            steps = tuple(deletion(pod.key) for pod in pods)
            yield proposed("claim/stop-users", [pod.key for pod in pods], facts[0], steps=steps)


class AgainstNoVolumes(AgainstClaim[NoVolumeFact]):
    """No volume fits a claim."""

    def by_hand(self, fact: NoVolumeFact) -> Proposal:
        return proposed("volume/create", fact.class_name, quantity.format_bytes(fact.requested_bytes))

    def at_node(self, node_info: NodeInfo, facts: Sequence[NoVolumeFact], home: Scene) -> Iterator[Proposal]:
        """What a volume that is there could serve, or a class that makes volumes."""
        yield from _with_volumes(facts[0].claim, facts[0].volumes, home)
        yield from of_other_class(facts[0].claim, home, is_static=bool(facts[0].volumes))
