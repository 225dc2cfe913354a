"""Just where each pod goes, for scripts."""

from kexplain.render.harmless import printable
from kexplain.render.view import View
from kexplain.report.records import Report


def render(report: Report, view: View) -> str:
    """A line a pod: `NAMESPACE/NAME`, a tab, and `node/NAME` or `<none>`.

    The pods of named workloads that have a node come first.
    """
    placed = [(workload.namespace, pod.name, pod.node) for workload in report.workloads for pod in workload.placed]
    nodes = ((pod.pod, pod.choice.node if pod.choice and not pod.refused else "") for pod in report.pods)
    tried = [(each.namespace, each.name, node) for each, node in nodes]
    named = ((f"{printable(namespace)}/{printable(name)}", node) for namespace, name, node in (*placed, *tried))
    return "".join(f"{name}\t{f'node/{printable(node)}' if node else '<none>'}\n" for name, node in named)
