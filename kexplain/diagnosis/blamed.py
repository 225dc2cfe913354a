"""Objects that are at fault and are no components: bindings of roles, what custom resources stand for.

Source: `rbac/v1`.
"""

from __future__ import annotations

from collections.abc import Collection

from kexplain.cluster import Cluster
from kexplain.diagnosis.caretakers import Caretaker
from kexplain.diagnosis.components import Component, components
from kexplain.diagnosis.records import ObjectReference
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.role_bindings import ClusterRole, ClusterRoleBinding
from kexplain.tables import table

_GROUPS = ("Group//system:serviceaccounts", "Group//system:authenticated")


def blamed(name: str, obj: KubernetesObject | ObjectReference, role: str = "", **about: object) -> Caretaker:
    """An object that is at fault, by a row of the table, in place of a component; `role` is what it has a part in."""
    what = ObjectReference(kind=obj.kind, name=obj.name, namespace=obj.namespace or "")
    about |= {"kind": what.kind, "name": what.name, "namespace": what.namespace}
    row = {field: each.format(**about) for field, each in table("blamed", dict[str, dict[str, str]])[name].items()}
    return Caretaker("", role or f"{what.kind} {what.name}", object=what, **row)


def without_rights(component: Component, cluster: Cluster) -> Caretaker | None:
    """The component, if the rights that it is meant to have in the cluster are another's, or of a role that is gone."""
    bindings = cluster.listers.every(ClusterRoleBinding)
    template = components(cluster)[component.made_by].template if bindings else None
    if template is None:
        return None
    account, role = template.spec.service_account_name or "", f"{component.kind} {component.key}"
    if component.kind == "Pod":
        # Those of the control plane are users of their own.
        return _of_no_role({f"User//system:{component.name}"}, role, cluster)
    mine = {f"ServiceAccount/{component.namespace}/{account}", *_GROUPS}
    if account not in ("", "default") and not any(each.is_for(mine) for each in bindings):
        same = ((each, one) for each in bindings for one in each.subjects or () if one.name == account)
        for each, one in ((each, one) for each, one in same if one.kind == "ServiceAccount"):
            there, own = one.namespace, component.namespace
            return blamed("bound-elsewhere", each, role, there=there, own=own, account=account)
    return _of_no_role(mine, role, cluster)


def _of_no_role(mine: Collection[str], role: str, cluster: Cluster) -> Caretaker | None:
    bindings = cluster.listers.every(ClusterRoleBinding)
    roles = {each.name for each in cluster.listers.every(ClusterRole)}
    gone = [each for each in bindings if each.role_ref.name not in roles]
    # A dump without all roles lacks those of other bindings too.
    are_theirs = 0 < len(gone) < len(bindings) and all(each.is_for(mine) for each in gone)
    return blamed("role-missing", gone[0], role, missing=gone[0].role_ref.name) if are_theirs else None
