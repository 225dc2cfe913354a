"""Cases read from files, or from files and a live cluster."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.admission import declared_replicas, pods_of
from kexplain.bounds import MAX_COPIES
from kexplain.case.case import Case
from kexplain.case.case_builder import CaseBuilder, Contents
from kexplain.case.events import with_events
from kexplain.case.field_checks import without_refused
from kexplain.case.notes import case_notes
from kexplain.case.own_pods import OwnerChains, has_ended, with_complaints, with_stuck
from kexplain.case.pods_to_place import check_namespace, nothing_to_place, pending, selected, stopped, to_place
from kexplain.case.records import OwnPods, PodToPlace, is_held
from kexplain.case.references import Reference, Scope, find, parted
from kexplain.config.releases.detection import ReleaseChoice, observed_release
from kexplain.config.scheduler_settings import SchedulerSettings, build_scheduler
from kexplain.errors import UsageError
from kexplain.load import Loaded, ReadListener, check_quantities, load
from kexplain.load.live.api_resources import SCHEDULING
from kexplain.load.text.source import unread, unread_note
from kexplain.objects.apps import DaemonSet, StatefulSet, lend_templates
from kexplain.objects.batch import Job
from kexplain.objects.collection import Objects
from kexplain.objects.core import Node, Pod
from kexplain.objects.events import Event
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.pod_selection import PodSelection
from kexplain.objects.well_known import DEFAULT_NAMESPACE
from kexplain.parameters import parameter
from kexplain.scheduler.comparing import with_plugins_of
from kexplain.scheduler.cycle import Scheduler
from kexplain.words import joined, plural, some, verb

if TYPE_CHECKING:
    from kexplain.load.live.cluster_reader import ClusterSource
else:
    #: As `help` shows it.
    ClusterSource = Any


class Inputs(Struct, frozen=True):
    """Where objects are read, and under which settings of the scheduler: the cluster's release where they name none.

    The cluster is in `files` (`-` is stdin); without any, `live` is asked for the one to read, and for the namespace of
    what names none if nothing else says which. What the files hold may be `known` already.
    """

    files: Sequence[str] = ()
    live: Callable[[], ClusterSource] | None = None
    namespace: str = ""
    settings: SchedulerSettings | None = None
    recursive: bool = False
    stdin: BinaryIO | None = None
    progress: ReadListener | None = None
    known: Loaded | None = None
    notes: Sequence[str] = ()

    def load(self, paths: Sequence[str], *, is_dump: bool = False) -> Loaded:
        """What is in these files. Raises InputError."""
        loaded = load(paths, recursive=self.recursive, stdin=self.stdin, progress=self.progress, is_dump=is_dump)
        kinds = loaded.objects.kinds
        loaded.beside_nodes |= kinds if Node in kinds else set()
        has_pods = Pod in kinds or any(pods_of(obj).pods for obj in loaded.objects.others)
        if not self.recursive and not has_pods:
            loaded.notes += [unread_note(path, len(left)) for path in paths if (left := unread(path))]
        return loaded

    def read(self) -> tuple[Loaded, ClusterSource | None]:
        """What is in the cluster; a live one is handed over too. Raises as `load_case` does."""
        source = self.live() if self.live and not self.files else None
        known = source.read(SCHEDULING) + source.around() if source else self.known
        loaded = known or self.load(self.files, is_dump=True)
        loaded.notes += self.notes
        return loaded, source

    def contents(self, loaded: Loaded, source: ClusterSource | None) -> Contents:
        """What was read, from a live cluster if there is one, with the scheduler that decides about it."""
        scheduler = scheduler_for(self.settings, loaded.objects, loaded.server_version)
        lend_templates(loaded.objects)
        found = source.namespace if source else ""
        return Contents(loaded, loaded.objects, scheduler, self.namespace or found or DEFAULT_NAMESPACE)


class Wanted(Struct, frozen=True):
    """Which pods are to be placed: of a workload a representative one, or `replicas` of them.

    `selection` leaves only some of what files hold, or of what is pending; with a node or a phase in it, of what runs,
    too. With `own_pods` a workload of the cluster means those of its pods that are pending, and one of a manifest all
    that it declares, unless `replicas` are to be placed; of a DaemonSet of a manifest that of `node`, if one is asked
    about. A manifest with fields that an API server refuses is not
    created; if `strict` they are faults, if None nobody looks.
    """

    replicas: int | None = None
    selection: PodSelection = msgspec.field(default_factory=PodSelection)
    all_namespaces: bool = False
    own_pods: bool = False
    may_be_empty: bool = False
    strict: bool | None = False
    node: str = ""

    @property
    def means_own_pods(self) -> bool:
        return self.own_pods and self.replicas is None

    def number_of(self, obj: KubernetesObject, builder: CaseBuilder) -> int | None:
        """How many pods of an object are to be placed; None for one that stands for all.

        A workload whose pods are there is updated, a few pods at a time, so that one stands for them.
        """
        declared = declared_replicas(obj) if self.means_own_pods and not obj.metadata.uid else None
        is_new = 1 < (declared or 0) <= MAX_COPIES and not builder.has_pods(obj)
        return self.replicas or (declared if is_new else None)

    def pods_of(self, obj: KubernetesObject, builder: CaseBuilder) -> Iterator[PodToPlace]:
        """The pods of an object that are to be placed."""
        is_new = self.means_own_pods and not obj.metadata.uid
        if is_new and isinstance(obj, DaemonSet) and not builder.has_pods(obj):
            return builder.daemon_pods(obj, self.node)
        return builder.pods(obj, self.number_of(obj, builder))


#: One pod of each workload that is named.
EACH_ONE = Wanted()


def load_case(
    references: Sequence[str | Reference], cluster: Sequence[str] | Inputs = (), wanted: Wanted = EACH_ONE
) -> Case:
    """The pods of these files (`-` is stdin) or names, in the cluster that these and others describe.

    A name that is text means a file where there is one of that name; a Reference never does. What the files of
    `references` hold beside pods to place joins the cluster; with nodes among it, no live one is asked. A name such as
    `web`, `pod/web` or `deploy/web` is looked up in the namespace, or in all; a running pod is placed anew. Without
    references every pending pod is placed.
    Raises InputError with every fault of the input, UsageError on a name that does not exist, or if there is nothing to
    place (unless it may be empty, or all that is pending was asked for) or no node, ClusterError if `live` fails.
    """
    inputs = _inputs(cluster)
    paths, named = parted(references)
    if named and wanted.selection.is_by_selector:
        raise UsageError(f"{named[0].name} is named already", "leave out either the name or the selector")
    manifests = inputs.load(paths)
    check_quantities(manifests)
    around, source = (replace(inputs, live=None) if Node in manifests.objects.kinds else inputs).read()
    contents = inputs.contents(_sound(manifests + around), source)
    if references:
        place = Scope(contents.namespace, everywhere=wanted.all_namespaces)
        found = find(named, contents.loaded, place, own_pods=wanted.means_own_pods)
        chosen = selected([*to_place(manifests.objects), *found.objects], wanted.selection, contents.namespace)
        case = _case(contents, chosen, wanted, None if wanted.may_be_empty or found.workloads else manifests)
        case = _with_workloads(replace(case, notes=(*case.notes, *found.notes)), found.workloads, contents)
    else:
        short = _short(contents, wanted)
        case = _with_workloads(_pending_case(contents, wanted), short, contents, are_asked_for=False)
    case = replace(case, observed=_observed(contents.objects, contents.loaded.server_version))
    return without_refused(case, strict=wanted.strict)


def _inputs(cluster: Sequence[str] | Inputs) -> Inputs:
    """The inputs, where only their files are said."""
    return cluster if isinstance(cluster, Inputs) else Inputs(cluster)


def _short(contents: Contents, wanted: Wanted) -> list[OwnPods]:
    """The workloads that lack pods, where all that is pending is asked for."""
    selection = wanted.selection
    if not wanted.means_own_pods or selection.is_by_selector or selection.means_placed:
        return []
    owner_chains = OwnerChains(contents.objects, contents.namespace)
    short = [key for key in owner_chains.short() if key[1] == (selection.namespace or key[1])]
    return [owner_chains.own_pods(*key) for key in short]


def _with_workloads(
    case: Case, workloads: Sequence[OwnPods], contents: Contents, *, are_asked_for: bool = True
) -> Case:
    """The case with these workloads, and why pods of theirs are missing; those that nobody named only if that is known.

    What was read may hold workloads without their pods: that some are missing says nothing by itself.
    """
    if not workloads:
        return case
    builder, objects = CaseBuilder(contents), Objects.these(contents.objects)
    events = [*objects.of(Event)]
    nodes = {node.name: node for node in objects.of(Node)}
    found = tuple(with_stuck(builder.with_next_pod(with_complaints(own, events)), nodes) for own in workloads)
    if not are_asked_for:
        found = tuple(own for own in found if own.is_explained)
    return replace(case, workloads=found)


def under(case: Case, settings: SchedulerSettings) -> Case:
    """The same case with the scheduler of other settings, which shares with the former one what both have.

    Raises what `build_scheduler` does, and QuantityError.
    """
    scheduler = with_plugins_of(build_scheduler(settings, case.observed), case.scheduler)
    return replace(case, scheduler=scheduler, cluster=case.cluster.counted_by(scheduler.rules))


def _sound(loaded: Loaded) -> Loaded:
    """What was read. Raises InputError on quantities in it that are none."""
    # Those of nodes and of the pods on them are read in any case, and fail then.
    check_quantities(loaded, loaded.objects.but(Node, Pod))
    return loaded


def load_contents(cluster: Sequence[str] | Inputs) -> Contents:
    """All objects of a cluster, to be edited before they become cases; see `load_case`."""
    inputs = _inputs(cluster)
    loaded, source = inputs.read()
    return inputs.contents(_sound(loaded), source)


def pending_case(contents: Contents) -> Case:
    """The case of every pending pod of what was read, which may be none."""
    return _pending_case(contents, Wanted(may_be_empty=True))


def scheduler_for(
    settings: SchedulerSettings | None, objects: Iterable[KubernetesObject], server_version: str = ""
) -> Scheduler:
    """The scheduler of these settings, of the cluster's release where they name none."""
    return build_scheduler(settings, _observed(objects, server_version))


def _observed(objects: Iterable[KubernetesObject], server_version: str) -> ReleaseChoice:
    """The release that the cluster lets on."""
    nodes = Objects.these(objects).of(Node)
    return observed_release((node.status.kubelet_version for node in nodes), server_version)


def _pending_case(contents: Contents, wanted: Wanted) -> Case:
    """The case of all pending pods; there may be none in a cluster that is known to list its pods."""
    loaded, selection = contents.loaded, wanted.selection
    chosen, searched = pending(contents.objects, selection, contents.namespace)
    if not searched.pods and selection.namespace:
        check_namespace(selection.namespace, contents.objects)
    # What a cluster has stored has an identity: of a cluster it is an answer that it has no pods.
    is_read_from_cluster = any(each.metadata.uid for each in contents.objects)
    may_be_empty = wanted.may_be_empty or Pod in {*loaded.listed, *loaded.objects.kinds} or is_read_from_cluster
    case = _case(contents, chosen, wanted, None if may_be_empty else loaded)
    case = replace(case, notes=(*case.notes, *_jobs(contents.objects, selection.namespace)))
    idle = stopped(contents.objects, selection, contents.namespace)
    keys = {(pod.namespace, pod.name) for pod in idle}
    events = Objects.these(contents.objects).of(Event) if keys else ()
    said = tuple(each for each in events if (each.namespace, each.subject.name) in keys)
    return replace(case, searched=searched, stopped=idle, stopped_events=said)


def _jobs(objects: Iterable[KubernetesObject], namespace: str) -> Iterator[str]:
    """The jobs, perhaps of that namespace, that wait for somebody to start them, or have failed for good."""
    every = (each for each in Objects.these(objects).of(Job) if each.namespace == (namespace or each.namespace))
    jobs = [each for each in every if each.metadata.controller is None or is_held(each)]
    suspended = [each.key for each in jobs if is_held(each) and not has_ended(each)]
    if suspended:
        count = len(suspended)
        makes = f"{verb(count, 'is')} suspended, and {verb(count, 'makes')} no pods"
        yield f"{plural(count, 'Job')} {makes}: {some(suspended)}"
    # Those of a CronJob are followed by others.
    failed = [each.key for each in jobs if each.metadata.controller is None and each.status.condition("Failed")]
    if failed:
        count = len(failed)
        makes = f"{verb(count, 'has')} failed, and {verb(count, 'makes')} no more pods"
        yield f"{plural(count, 'Job')} {makes}: {some(failed)}"


def _case(contents: Contents, chosen: Sequence[KubernetesObject], wanted: Wanted, required: Loaded | None) -> Case:
    """The case of the chosen objects; UsageError if they have no pods, but these objects are required to have some."""
    check_quantities(contents.loaded, chosen)
    builder = CaseBuilder(contents)
    pods = [pod for obj in chosen for pod in wanted.pods_of(obj, builder)]
    if not pods and required is not None:
        raise nothing_to_place(required, contents.objects)
    # A run whose input is wrong gets no further than here.
    from kexplain.case.creation import create_pods  # noqa: PLC0415

    created, not_created = create_pods(builder, pods)
    pods = [*created]
    gone = {id(obj) for obj in chosen}
    objects = Objects.these(contents.objects)
    replaced = _of_the_same_name(pods, objects, gone)
    gone |= replaced.keys()
    cluster = builder.cluster(gone)
    if not cluster.node_infos and Node not in contents.loaded.listed:
        empty = contents.loaded.empty
        where = f": there is no object in {joined(empty)}" if empty else ""
        raise UsageError(f"there are no nodes to place pods on{where}", _where_nodes_come_from())
    by_key = {pod.key: pod for pod in replaced.values()}
    notes = [*builder.notes, *_replacing(pods, (pod.key for pod in replaced.values()))]
    # A pod that a stateful set of the cluster has already still runs where it does.
    pods = [replace(each, running=by_key.get(each.pod.key)) if _is_kept(each) else each for each in pods]
    placed = tuple(with_events(pods, objects))
    told = (*case_notes(contents.loaded, cluster, gone, placed), *notes)
    return Case(cluster, placed, told, contents.scheduler, not_created=not_created, builder=builder)


def _replacing(pods: Iterable[PodToPlace], replaced: Iterable[str]) -> Iterator[str]:
    """What manifests replace; a workload of the cluster is no manifest."""
    stored = {each.pod.key for each in pods if each.made_of is not None and each.made_of.is_stored}
    return (f"{key} is in the cluster already; the manifest replaces it" for key in replaced if key not in stored)


def _where_nodes_come_from() -> str:
    files = f"give {parameter('cluster', 'nodes.yaml')}, from kubectl get nodes -o yaml > nodes.yaml"
    return f"{files}, or a whole dump (kexplain help cluster); or name a live one with {parameter('kubeconfig')}"


def _is_kept(placed: PodToPlace) -> bool:
    return isinstance(placed.made_of, StatefulSet) and bool(placed.made_of.metadata.uid)


def _of_the_same_name(pods: Iterable[PodToPlace], objects: Objects, chosen: Collection[int]) -> dict[int, Pod]:
    """The pods in the cluster that manifests hold too, by their identity."""
    keys = {placed.pod.key for placed in pods if placed.pod.name}
    others = (pod for pod in objects.pods_named({placed.pod.name for placed in pods}) if id(pod) not in chosen)
    return {id(pod): pod for pod in others if pod.key in keys}
