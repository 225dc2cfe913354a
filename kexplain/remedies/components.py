"""What would mend the component that looks after what keeps a pod from running."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kexplain.cluster import Cluster
from kexplain.diagnosis.caretakers import Subject
from kexplain.diagnosis.components import Component, State
from kexplain.diagnosis.culprits import Care
from kexplain.objects.apps import DaemonSet
from kexplain.objects.changes import JSON_PATCH, PATCH, Change, Target
from kexplain.remedies.commands import commands
from kexplain.remedies.records import Action, Rank, Remedy
from kexplain.shell import command

#: Reasons of containers that are about the image.
_IMAGE = ("ErrImagePull", "ImagePullBackOff", "InvalidImageName")


def mending(care: Care, cluster: Cluster) -> Iterator[Remedy]:
    """What would get the component to do what it is there for, nothing of which can be tried."""
    found = care.component
    if found is None:
        text = f"install {care.who.install or care.who.role.removesuffix(',')}, or see why it is not there"
        listing = command("kubectl get deployments,daemonsets,statefulsets --all-namespaces")
        yield _looking(text, [listing])
        return
    what, pod = f"{found.kind} {found.key}", found.pod
    match found.state:
        case State.FAILING if found.reason in _IMAGE:
            yield _looking(f"see why the image of {what}, which {care.does}, cannot be pulled", [_describe(found)])
        case State.FAILING:
            logs = command("kubectl logs --previous --all-containers", pod, namespace=found.namespace)
            yield _looking(f"get {what} running, which {care.does}: see why its container fails", [logs])
        case State.PENDING if found.taint:
            yield _tolerating(care, found, cluster)
        case State.PENDING:
            yield _looking(
                f"get {what} running, which {care.does}: see why its pod {pod} is pending", [_describe(found)]
            )
        case State.SCALED_DOWN:
            kind, size = found.kind.lower(), ["--replicas=1"]
            line = command("kubectl scale", kind, found.name, namespace=found.namespace, flags=size)
            yield _looking(f"scale {what} up, which {care.does}", [line])
        case State.NOT_THERE if found.lacks:
            labels = [each for each in found.lacks if "=" in each]
            lines = [command("kubectl label node", found.node, *labels)] if len(labels) == len(found.lacks) else []
            yield _looking(f"label {found.node} with {' and '.join(found.lacks)}, for {what} to run there", lines)
        case State.RUNS:
            yield _seeing(care, found)
        case _:
            describing = command("kubectl describe", found.kind.lower(), found.name, namespace=found.namespace)
            yield _looking(f"get {what} running, which {care.does}", [_describe(found) if pod else describing])


def _seeing(care: Care, found: Component) -> Remedy:
    """What runs is looked into, or started anew where that is when it does what it is there for."""
    what = f"{found.kind} {found.key}"
    if care.is_undone:
        line = command("kubectl rollout restart", found.kind.lower(), found.name, namespace=found.namespace)
        does = care.does if care.subject is Subject.TAINT else "registers with the kubelet"
        return _looking(f"restart {what}, which {does} when it starts", [line])
    node = f" on {found.node}" if found.node else ""
    text = f"look at {what}, which {care.does}, and at its devices{node}: its log says what it found"
    return _looking(text, [command("kubectl logs", found.pod, namespace=found.namespace)])


def _tolerating(care: Care, found: Component, cluster: Cluster) -> Remedy:
    """The pods of the component let onto nodes that have the very taint."""
    text = (
        f"let {found.kind} {found.key}, which {care.does}, tolerate {found.taint}: its pod starts on {found.node} then"
    )
    workload = cluster.listers.get(DaemonSet, found.name, found.namespace) if found.kind == "DaemonSet" else None
    changes: tuple[Change, ...] = ()
    if workload is not None and workload.spec.template is not None:
        toleration = {"key": found.taint, "operator": "Exists"}
        path = "/spec/template/spec/tolerations"
        has_any = bool(workload.spec.template.spec.tolerations)
        operation = {
            "op": "add",
            "path": f"{path}/-" if has_any else path,
            "value": toleration if has_any else [toleration],
        }
        target = Target(api_version="apps/v1", kind=found.kind, namespace=found.namespace, name=found.name)
        changes = (Change(target=target, verb=PATCH, patch_type=JSON_PATCH, patch=[operation]),)
    lines = commands(changes, {})
    return Remedy(action=Action.TOLERATE, text=text, rank=Rank.MENDS, changes=changes, commands=lines)


def _looking(text: str, lines: Sequence[str]) -> Remedy:
    return Remedy(action=Action.CHECK_CONTROLLER, text=text, rank=Rank.MENDS, commands=tuple(lines))


def _describe(found: Component) -> str:
    return command("kubectl describe pod", found.pod, namespace=found.namespace)
