"""What an API server refuses of a new pod although a scheduler would have a node for it: the one place that says so.

Source: plugin/pkg/admission `priority`, `runtimeclass`, `serviceaccount`, `limitranger`, `namespace/lifecycle` and the
optional plugins, pod-security-admission, release 1.36. Quotas are `quotas.QuotaRoom`'s, as each new object leaves less
of them; what is wrong with a pod as such is validation's. What a stored pod uses is there.
"""

from collections.abc import Collection, Iterator, Mapping

from msgspec.structs import replace

from kexplain.admission.chain import AdmissionObjects, is_from_cluster
from kexplain.admission.limits import limit_problems
from kexplain.admission.optional_plugins import optional_refusals
from kexplain.admission.pod_security import security_problems
from kexplain.admission.priority import PREEMPT_LOWER_PRIORITY, SYSTEM_PRIORITY_CLASSES, class_of
from kexplain.objects import quantity
from kexplain.objects.core import Namespace, Pod, PodSpec, ServiceAccount
from kexplain.objects.json_values import shown
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.problem import Path, Problem, Stage, slip_edit
from kexplain.objects.requests import nanos_of
from kexplain.objects.scheduling import PriorityClass, RuntimeClass
from kexplain.words import ask, clauses, near

#: What every cluster has, without anybody's doing.
INITIAL_NAMESPACES = frozenset({"default", "kube-system", "kube-public", "kube-node-lease"})
_ALWAYS_THERE: Mapping[type[KubernetesObject], Collection[str]] = {
    Namespace: INITIAL_NAMESPACES,
    PriorityClass: SYSTEM_PRIORITY_CLASSES,
}
_OVERHEAD = ("spec", "overhead")
_DEFAULT_ACCOUNT = "default"


class Missing(Problem, frozen=True, kw_only=True):
    """An object that is named, and is not there; `near` are those that may be meant, in words.

    `elsewhere` is another namespace that has one of that name.
    """

    kind: type[KubernetesObject]
    name: str
    near: str
    elsewhere: str = ""

    @property
    def in_words(self) -> str:
        """It names what is not there, not the field."""
        return self.message


def missing_namespace(namespace: str, objects: AdmissionObjects) -> Iterator[Missing]:
    """The namespace that a new object goes to, if it is not there: nothing can be made in it."""
    yield from _missing(Namespace, namespace, objects.namespaces, objects, ("metadata", "namespace"), namespace)


def refusals(admitted: Pod, objects: AdmissionObjects, written: PodSpec | None = None) -> Iterator[Problem]:
    """Why a pod is not created in a namespace that is there.

    `written` is its spec before admission, None where that has filled in priority and overhead long ago.
    """
    yield from (replace(each, stage=Stage.ADMISSION) for each in _of_admission(admitted, objects, written))
    yield from (replace(each, stage=Stage.POLICY) for each in _of_policy(admitted, objects, written))


def _of_admission(admitted: Pod, objects: AdmissionObjects, written: PodSpec | None) -> Iterator[Problem]:
    spec, home = admitted.spec, admitted.namespace
    named: tuple[tuple[type[KubernetesObject], str | None, Collection[str], str], ...] = (
        (PriorityClass, spec.priority_class_name, objects.priority_classes, "priorityClassName"),
        (RuntimeClass, spec.runtime_class_name, objects.runtime_classes, "runtimeClassName"),
    )
    accounts = objects.service_accounts.get(home, ())
    if _DEFAULT_ACCOUNT in accounts:
        # Every namespace gets that one: where it is not among them, they were not all read.
        is_alias = written is not None and written.service_account and not written.service_account_name
        field = "serviceAccount" if is_alias else "serviceAccountName"
        named += ((ServiceAccount, spec.service_account_name, accounts, field),)
    for kind, name, there, field in named:
        yield from _missing(kind, name, there, objects, ("spec", field), home)
    if written is not None:
        yield from _other_priority(written, objects)
    if (found := objects.runtime_classes.get(spec.runtime_class_name or "")) is not None:
        yield from _other_than_runtime_class(spec if written is None else written, found)
    if objects.plugins:
        yield from optional_refusals(spec, objects.namespaces.get(home), objects.plugins)


def _of_policy(admitted: Pod, objects: AdmissionObjects, written: PodSpec | None) -> Iterator[Problem]:
    if written is not None and written.overhead is not None and _says_no_overhead(written.runtime_class_name, objects):
        yield Problem(_OVERHEAD, "is what a RuntimeClass says, and none says so here: leave it out")
    if limit_ranges := objects.limit_ranges.get(admitted.namespace, ()):
        yield from limit_problems(admitted.spec, limit_ranges)
    if (namespace := objects.namespaces.get(admitted.namespace)) and namespace.labels:
        yield from security_problems(admitted, namespace, objects.minor)


def _says_no_overhead(name: str | None, objects: AdmissionObjects) -> bool:
    """Whether no runtime class gives an overhead; of one that was not read, nobody knows."""
    found = objects.runtime_classes.get(name or "")
    return not name or (found is not None and found.overhead is None)


# ------------------------------------------------------------------------------------------- what is not there


def _missing(
    kind: type[KubernetesObject],
    name: str | None,
    there: Collection[str],
    objects: AdmissionObjects,
    path: Path,
    namespace: str,
) -> Iterator[Missing]:
    if not name or name in there or kind not in objects.known or name in _ALWAYS_THERE.get(kind, ()):
        return
    if any(is_from_cluster(pod) and _uses(pod, kind, name, namespace) for pod in objects.stored.of(Pod)):
        return
    # The system's own classes are meant by nothing but names that begin as only theirs may.
    is_own = kind is not PriorityClass or name.startswith("system-")
    meant = near(name, there if is_own else [each for each in there if each not in SYSTEM_PRIORITY_CLASSES])
    question = ask(*meant)
    elsewhere, where = _other_home(kind, name, objects, namespace)
    message = clauses(f"{kind.__name__} {shown(name)} {where}", question)
    would_do = meant[0] if meant and kind is not Namespace else None
    edit = slip_edit(name, meant) if kind is not Namespace else None
    stage = Stage.ADMISSION
    found = Missing(path, message, edit=edit, stage=stage, kind=kind, name=name, near=question, would_do=would_do)
    yield replace(found, elsewhere=elsewhere)


def _other_home(kind: type[KubernetesObject], name: str, objects: AdmissionObjects, namespace: str) -> tuple[str, str]:
    """A namespace that has an account of that name, empty if none has; and where such an object is, in words."""
    homes = objects.service_accounts.items() if kind is ServiceAccount else ()
    for home in (home for home, names in homes if name in names):
        return home, f"is in namespace {home}, not in {namespace}"
    return "", "does not exist"


def _uses(pod: Pod, kind: type[KubernetesObject], name: str, namespace: str) -> bool:
    """Whether a stored pod could not be without the object of that name."""
    spec = pod.spec
    used = {Namespace: pod.namespace, PriorityClass: spec.priority_class_name, RuntimeClass: spec.runtime_class_name}
    return used.get(kind, spec.service_account_name if pod.namespace == namespace else None) == name


# ------------------------------------------------------------------------------- what differs from what is there


def _other_priority(spec: PodSpec, objects: AdmissionObjects) -> Iterator[Problem]:
    """A priority, or a preemption policy, that is written out, and differs from what the class gives."""
    name, classes = spec.priority_class_name, objects.priority_classes
    chosen = class_of(name, classes)
    if chosen is None and (name or not classes):
        return
    value = chosen.value if chosen else 0
    policy = (chosen.preemption_policy if chosen else None) or PREEMPT_LOWER_PRIORITY
    origin = f"PriorityClass {chosen.name}" if chosen else "no PriorityClass"
    if spec.priority is not None and spec.priority != value:
        yield Problem(("spec", "priority"), f"{spec.priority} is not {value}, which {origin} gives: leave it out")
    if spec.preemption_policy is not None and spec.preemption_policy != policy:
        said = f"{shown(spec.preemption_policy)} is not {policy}, which {origin} gives: leave it out"
        yield Problem(("spec", "preemptionPolicy"), said)


def _other_than_runtime_class(spec: PodSpec, found: RuntimeClass) -> Iterator[Problem]:
    if spec.overhead and found.overhead and nanos_of(spec.overhead) != nanos_of(found.overhead.pod_fixed):
        yield Problem(_OVERHEAD, f"is not what RuntimeClass {found.name} says: leave it out")
    selector = spec.node_selector or {}
    for key, value in ((found.scheduling.node_selector if found.scheduling else None) or {}).items():
        if selector.get(key, value) != value:
            said = f"{shown(selector[key])} is not {value}, as RuntimeClass {found.name} says"
            yield Problem(("spec", "nodeSelector", key), said)


# --------------------------------------------------------------------------------------------- what comes of both


def requests_above_limits(admitted: Pod) -> Iterator[Problem]:
    """Requests that exceed what admission, or the pod itself, allows: where nobody validates what admission made."""
    for at, container in admitted.spec.placed_containers():
        limits = container.limits
        for name, request in container.requests.items():
            if name in limits and quantity.parse(request) > quantity.parse(limits[name]):
                path = ("spec", *at, "resources", "requests", name)
                yield Problem(path, f"{request} is more than its limit of {limits[name]}", would_do=limits[name])
