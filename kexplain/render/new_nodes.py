"""What one more node of each pool would come to, as a table."""

from __future__ import annotations

from collections.abc import Iterator

from kexplain.explanation.records import PodExplanation
from kexplain.remedies.new_nodes import NewNode
from kexplain.render.pages import Sheet, columns
from kexplain.render.view import View
from kexplain.words import some


def new_nodes_sheets(pod: PodExplanation, view: View) -> Iterator[Sheet]:
    """A row a pool; without all details only where an autoscaler has a say, or the pod's own pool would not help."""
    own = pod.diagnosis.pool if pod.diagnosis else ""
    found = [
        each
        for each in pod.new_nodes
        if each.fits is not None or each.node_pool is not None
        if view.is_detailed or view.draws or each.node_pool is not None or (each.pool == own and not each.fits)
    ]
    if found:
        rows = [(_pool(each), str(each.nodes), _verdict(each), _because(each, view)) for each in found]
        yield Sheet("ONE MORE NODE OF A POOL", columns("POOL", "NODES", "A NEW ONE", "BECAUSE"), rows)


def _pool(new: NewNode) -> str:
    return new.pool if new.node_pool is None else f"{new.pool} (Karpenter)"


def _verdict(new: NewNode) -> str:
    if new.node_pool:
        return "is not added"
    if new.fits is None:
        return "may be added"
    return "takes the pod" if new.fits else "does not fit"


def _because(new: NewNode, view: View) -> str:
    said = [each.text for each in new.node_pool or ()]
    said += [f"{each.plugin}: {each.detail}" for each in new.stopped_by]
    if not said and new.fits:
        said.append(f"it is like {new.like}")
    elif not said and new.node_pool is not None:
        said.append("its requirements, taints and limits allow the pod; the instance types of the cloud are not known")
    elif not said:
        said.append("not tried, as there are too many nodes")
    if new.companions and view.is_detailed:
        said.append(f"{some(new.companions, 3)} {'runs' if len(new.companions) == 1 else 'run'} there too")
    return "; ".join(said)
