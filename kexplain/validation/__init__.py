"""Would an API server take a manifest? Everything that it would find wrong, with the fields that it would name.

Source: kube-apiserver 1.36, strict decoding and a new object: `ValidatePodCreate` and all that it calls, the same for
the workloads, claims, quotas, limit ranges, classes, budgets and namespaces, and the default admission plugins
NamespaceLifecycle, LimitRanger, Priority, RuntimeClass and ResourceQuota. Not asked: ServiceAccount and PodSecurity,
webhooks and policies of a cluster, updates of what is there already. Of services, nodes, volumes and devices it is
little more than the schema that is checked.
"""

from __future__ import annotations

from kexplain.validation.check import check
from kexplain.validation.problem import Path, Problem, Stage

__all__ = ["Path", "Problem", "Stage", "check"]
