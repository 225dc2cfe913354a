"""What one more node of each pool would come to, as a table."""

from kexplain.diagnosis.records import Finding, Kind
from kexplain.explanation.records import PodExplanation
from kexplain.remedies.records import NewNode
from kexplain.render.pages import Sheet, columns, numbers
from kexplain.render.view import View
from kexplain.words import some, verb


def new_nodes_sheet(pod: PodExplanation, view: View) -> Sheet:
    """A row a pool; without all details only where an autoscaler has a say, or the pod's own pool would not help."""
    found = [each for each in pod.new_nodes if _is_of_interest(each, pod.diagnosis, view)]
    rows = [(_pool(each), str(each.nodes), _verdict(each), _because(each, view)) for each in found]
    heads = (*columns("POOL"), *numbers("NODES"), *columns("A NEW ONE", "BECAUSE"))
    return Sheet("ONE MORE NODE OF A POOL", heads, rows)


def _is_of_interest(new: NewNode, said: Finding | None, view: View) -> bool:
    of_autoscaler = new.node_pool is not None or bool(new.node_groups)
    if of_autoscaler or view.is_detailed or view.draws or said is None:
        return of_autoscaler or (new.fits is not None and (view.is_detailed or view.draws))
    # That what the first sentence says stops a new one, too, is no news.
    is_news = said.kind is Kind.NO_ROOM or any(each.plugin != said.plugin for each in new.stopped_by)
    return is_news and new.fits is False and new.pool == said.pool


def _pool(new: NewNode) -> str:
    if new.node_pool is not None:
        of_karpenter = "Karpenter" if "Karpenter" not in new.pool else ""
        notes = ", ".join(filter(None, (of_karpenter, f"weight {new.weight}" if new.weight else "")))
        return f"{new.pool} ({notes})" if notes else new.pool
    sizes = [f"{group.target} of {group.most}" for group in new.node_groups if group.most is not None]
    return f"{new.pool} (groups with {some(sizes, 3)})" if sizes else new.pool


def _verdict(new: NewNode) -> str:
    if new.refused:
        return "is not added"
    if any(not claim.fails for claim in new.on_their_way) and new.fits is not False:
        return "is on its way"
    if new.fits is None:
        return "may be added"
    return "takes the pod" if new.fits else "does not fit"


def _because(new: NewNode, view: View) -> str:
    said = [*filter(None, [new.refused])]
    said += map(str, new.on_their_way)
    said += [f"{each.plugin}: {each.detail}" for each in new.stopped_by]
    said += [f"{group.base}: {group.text}" for group in new.node_groups if group.troubles and not new.refused]
    said = said or [_outlook(new)]
    if new.companions and view.is_detailed:
        said.append(f"{some(new.companions, 3)} {verb(len(new.companions), 'runs')} there too")
    return "; ".join(said)


def _outlook(new: NewNode) -> str:
    """What is to be expected where nothing is in the way."""
    if new.fits:
        return f"it is like {new.like}" + (f", in zone {new.zone}" if new.zone else "")
    if new.caution:
        return f"{new.caution}; one of another size may come"
    if new.node_pool is not None:
        return "its requirements, taints and limits allow the pod; which instance types there are is not known"
    return "it may grow, and has no node to go by" if new.node_groups else "there are too many nodes to try it"
