"""Which of the objects that were read are to be placed, where nobody names them."""

from collections import Counter
from collections.abc import Iterable, Sequence

from kexplain.admission import is_from_cluster, pods_of
from kexplain.admission.refusals import INITIAL_NAMESPACES
from kexplain.case.records import Searched
from kexplain.errors import UsageError
from kexplain.load import Loaded
from kexplain.objects.core import Namespace, Node, Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.pod_selection import PodSelection
from kexplain.words import did_you_mean, joined, some


def to_place(objects: Sequence[KubernetesObject]) -> list[KubernetesObject]:
    """The pods and workloads that are to be placed, out of everything that the files hold.

    Pods that are bound already, or finished, are part of the cluster, unless a manifest of somebody's own holds
    nothing else, or there is only one, as where it was saved. Workloads that another one made are placed through that
    one.
    """
    unplaced = [obj for obj in objects if _is_unplaced(obj)]
    is_one = len(objects) == 1
    return unplaced or [obj for obj in objects if isinstance(obj, Pod) and (is_one or not is_from_cluster(obj))]


def pending(
    objects: Iterable[KubernetesObject], selection: PodSelection, namespace: str
) -> tuple[list[KubernetesObject], Searched]:
    """The selected pods that have no node, or that the selection asks for although they have one; and the search.

    They come in the order in which they were created, as they came into the queue of the scheduler.
    """
    pods = (obj for obj in objects if isinstance(obj, Pod))
    has_all = selection == PodSelection()
    meant = [pod for pod in pods if has_all or selection.matches(pod.in_namespace(namespace))]
    chosen: list[KubernetesObject] = [pod for pod in meant if selection.means_placed or _is_unplaced(pod)]
    chosen.sort(key=lambda pod: pod.metadata.creation_timestamp or "")
    return chosen, Searched(len(meant), len({pod.namespace for pod in meant}), selection.namespace)


def stopped(objects: Iterable[KubernetesObject], selection: PodSelection, namespace: str) -> tuple[Pod, ...]:
    """The selected pods of the cluster whose status may say that they do not run on the node that they have."""
    if selection.means_placed:
        return ()
    pods = (obj for obj in objects if isinstance(obj, Pod) and obj.may_be_stopped and obj.metadata.uid)
    return tuple(pod for pod in pods if selection.matches(pod.in_namespace(namespace)))


def check_namespace(name: str, objects: Iterable[KubernetesObject]) -> None:
    """Raise UsageError on a namespace that is not there, as far as that can be known.

    Without any namespace among the objects, those that hold something are all that is known.
    """
    every = list(objects)
    listed = {obj.name for obj in every if isinstance(obj, Namespace)}
    used = {obj.namespace for obj in every if obj.namespace}
    if name not in listed and name not in used and (listed or used) and name not in INITIAL_NAMESPACES:
        where = "there is no namespace" if listed else "nothing that was read is in namespace"
        known = sorted(listed or used)
        raise UsageError(f"{where} {name}", did_you_mean(name, known) or f"there are {some(known, 5)}")


def selected(objects: Iterable[KubernetesObject], selection: PodSelection, namespace: str) -> list[KubernetesObject]:
    """The objects with pods that the selection takes; it may leave out all others only if it goes by selectors."""
    if not selection.is_by_selector:
        return [*objects]
    return [obj for obj in objects if any(selection.matches(pod.in_namespace(namespace)) for pod in pods_of(obj).pods)]


class NothingToPlaceError(UsageError):
    """That there are no pods in what was read, where a kind may be misspelt."""


def nothing_to_place(loaded: Loaded, around: Iterable[KubernetesObject] = ()) -> UsageError:
    """The error that says why there is nothing to place in what was read, though it may stand among others."""
    pods = sum(1 for obj in loaded.objects if isinstance(obj, Pod))
    if pods:
        which = f"all {pods} pods are" if pods > 1 else "the only pod is"
        return UsageError(
            f"nothing to place: {which} bound or finished", "name one, such as pod/NAME, to place it again"
        )
    if any(isinstance(obj, Node) for obj in loaded.objects) and any(map(_is_unplaced, around)):
        return UsageError("nothing to place: nodes stand where pods belong, and pods where nodes do", "swap the files")
    kinds = Counter(obj.kind for obj in loaded.objects) + loaded.passed_over
    found = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    empty = f"there is no object in {joined(loaded.empty)}" if loaded.empty else "the input is empty"
    return NothingToPlaceError(f"nothing to place: {f'no pods, only {found}' if found else empty}", *loaded.notes[-1:])


def _is_unplaced(obj: KubernetesObject) -> bool:
    if isinstance(obj, Pod):
        return not obj.spec.node_name and not obj.is_terminated
    return not any(owner.controller for owner in obj.metadata.owner_references or ()) and bool(pods_of(obj).pods)
