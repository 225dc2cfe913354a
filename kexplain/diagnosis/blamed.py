"""Objects that are at fault and are no components: bindings of roles, what custom resources stand for.

Source: `rbac/v1`.
"""

from __future__ import annotations

from collections.abc import Iterable

from kexplain.cluster import Cluster
from kexplain.diagnosis.caretakers import Caretaker
from kexplain.diagnosis.components import Component, components
from kexplain.diagnosis.records import ObjectReference
from kexplain.grouping import grouped
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.other_resources import OtherResource
from kexplain.tables import table

#: Those that every pod is one of.
_ALL = (("Group", "", "system:serviceaccounts"), ("Group", "", "system:authenticated"))


def blamed(name: str, obj: KubernetesObject | ObjectReference, role: str = "", **about: object) -> Caretaker:
    """An object that is at fault, by a row of the table, in place of a component; `role` is what it has a part in."""
    what = ObjectReference(kind=obj.kind, name=obj.name, namespace=obj.namespace or "")
    about |= {"kind": what.kind, "name": what.name, "namespace": what.namespace}
    row = {field: each.format(**about) for field, each in table("blamed", dict[str, dict[str, str]])[name].items()}
    return Caretaker("", role or f"{what.kind} {what.name}", object=what, **row)


def without_rights(component: Component, cluster: Cluster) -> Caretaker | None:
    """The component, if the rights that it is meant to have in the cluster are another's, or of a role that is gone."""
    rights = grouped((each.kind, each) for each in cluster.listers.every(OtherResource) if each.is_of_rights)
    bindings, roles = rights.get("ClusterRoleBinding", []), {each.name for each in rights.get("ClusterRole", ())}
    role, mine = f"{component.kind} {component.key}", _user(component, cluster)
    given = [each for each in bindings if {mine, *_ALL} & {*each.subjects}]
    if given:
        gone = [each for each in bindings if each.target[-1] not in roles]
        # A dump without all roles lacks those of other bindings too.
        are_theirs = len(given) < len(bindings) and all(each in given for each in gone)
        return blamed("role-missing", gone[0], role, missing=gone[0].target[-1]) if gone and are_theirs else None
    return _bound_elsewhere(role, component.namespace, mine[-1], bindings) if mine[0] == "ServiceAccount" else None


def _user(component: Component, cluster: Cluster) -> tuple[str, str, str]:
    """As whom it asks API servers; those of the control plane, which run as a pod alone, are users of their own."""
    if component.kind == "Pod":
        return "User", "", f"system:{component.name}"
    template = components(cluster)[component.made_by].template
    return "ServiceAccount", component.namespace, (template.spec.service_account_name if template else None) or ""


def _bound_elsewhere(role: str, own: str, account: str, bindings: Iterable[OtherResource]) -> Caretaker | None:
    """That the account of that name in another namespace is given rights, which it is not."""
    found = ((each, subject) for each in bindings for subject in each.subjects if account not in ("", "default"))
    for each, (kind, there, name) in found:
        if (kind, name) == ("ServiceAccount", account):
            return blamed("bound-elsewhere", each, role, there=there, own=own, account=account)
    return None
