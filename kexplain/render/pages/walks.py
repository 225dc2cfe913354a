"""How the search over the nodes went, in words."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from kexplain.explain.records import Verdict
from kexplain.explanation.walk import Ending, Walk, WalkedNode
from kexplain.parameters import parameter
from kexplain.render.pages import worded
from kexplain.words import plural, some, verb

#: So many runs of nodes that fare alike are told.
_RUNS = 12
#: The longest line of signs for more than these.
_SIGNS = 60
_MEANINGS = "# all fit, + some, x none, . not looked at"
#: What became of nodes that nobody turned down.
FITS, UNSEEN, PREFERRED = "fits", "not looked at", "preferred, but not looked at"
_ENDED = worded("searches", dict[Ending, str])


def walk_lines(walk: Walk) -> list[str]:
    """Where it began and how many it was to find, where it ended, and what was missed."""
    if walk.ending is Ending.NOT_TRIED or not walk.total or (walk.ending is Ending.ERROR and not walk.evaluated):
        return [_ENDED[Ending.NOT_TRIED]]
    then = f"the next pod's search begins with {walk.next_first} (index {walk.next_start_index})"
    if walk.ending is Ending.ALL and walk.nodes_to_find >= walk.total:
        return [f"all of {_around(walk)}, from {walk.first} on (index {walk.start_index}): {_fared(walk)}; {then}"]
    lines = [f"it goes round {_around(walk)}, from {walk.first} on ({_start(walk)}), until {_wanted(walk)}"]
    lines.append(f"{_end(walk)}; {then}")
    if walk.preferred:
        count = len(walk.preferred)
        unseen = f"{plural(count, 'node')} that it prefers {verb(count, 'was')} never looked at"
        lines.append(f"{unseen}: {some(walk.preferred, 5)}")
    return lines


def _around(walk: Walk) -> str:
    nodes = plural(walk.total, "node")
    if walk.narrowed_by:
        return f"the {nodes} that {some(walk.narrowed_by)} {verb(len(walk.narrowed_by), 'leaves')}"
    in_turn = f"{nodes}, one of each zone in turn ({some([zone or 'none' for zone in walk.zones], 6)})"
    return in_turn if len(walk.zones) > 1 else nodes


def _start(walk: Walk) -> str:
    if walk.start_index:
        return f"start index {walk.start_index}, where the search before ended"
    return f"start index 0, as for a scheduler's first pod; {parameter('start_index')} sets another"


def _wanted(walk: Walk) -> str:
    """How many are to be found, and how that is worked out."""
    if walk.is_one_enough:
        return "one fits, as no plugin ranks nodes"
    if walk.nodes_to_find >= walk.total:
        return "all were looked at"
    share = f"{walk.percentage} % of {walk.total}"
    if walk.is_by_formula:
        share = f"50 - {walk.total}/125, and no less than 5: {share}"
    own = walk.total * walk.percentage // 100
    least = f", which is {own}, and never fewer than {walk.least}" if own < walk.least else ""
    return f"{walk.nodes_to_find} fit ({'' if walk.is_by_formula else 'percentageOfNodesToScore: '}{share}{least})"


def _end(walk: Walk) -> str:
    if walk.ending in _ENDED:
        return _ENDED[walk.ending]
    if walk.ending is Ending.ALL:
        return f"it looked at all: {_fared(walk)}"
    left = walk.total - walk.evaluated
    return f"it ended at {walk.last}: {_fared(walk)}, {left} {verb(left, 'was')} never looked at"


def _fared(walk: Walk) -> str:
    """How many fit, and how many were turned down."""
    fit, down = walk.feasible, walk.evaluated - walk.feasible
    return f"{fit or 'none'} {verb(fit or 1, 'fits')}, {down or 'none'} {verb(down or 1, 'was')} turned down"


def strip(walk: Walk) -> str:
    """The nodes in their order, those together that fare alike."""
    runs = [(name, len([*nodes])) for name, nodes in groupby(walk.nodes, key=what)]
    if len(runs) > _RUNS:
        size = -(-len(walk.nodes) // _SIGNS)
        signs = "".join(_sign(walk.nodes[start : start + size]) for start in range(0, len(walk.nodes), size))
        return f"in their order, a sign for {plural(size, 'node')}: {signs} ({_MEANINGS})"
    told = [f"{count} {verb(count, name) if name == FITS else name}" for name, count in runs]
    return f"in their order: {', '.join(told)}"


def _sign(nodes: Sequence[WalkedNode]) -> str:
    """What became of nodes that stand side by side; of those that were looked at, if any was."""
    seen = [each.verdict is Verdict.FEASIBLE for each in nodes if each.verdict is not Verdict.NOT_EVALUATED]
    if not seen:
        return "."
    return "#" if all(seen) else "+" if any(seen) else "x"


def kinds(walk: Walk, nodes: Sequence[WalkedNode]) -> list[str]:
    """What became of each of these nodes."""
    preferred = frozenset(walk.preferred)
    return [PREFERRED if each.node in preferred else what(each) for each in nodes]


def what(node: WalkedNode) -> str:
    """What became of a node."""
    if node.verdict is Verdict.REJECTED:
        return node.plugin or "turned down"
    return FITS if node.verdict is Verdict.FEASIBLE else UNSEEN


def walked_lines(walk: Walk) -> Iterator[str]:
    """The place in the search of the one node that was asked about."""
    for each in walk.nodes:
        yield f"number {each.turn} of {walk.total} in the search, which began with {walk.first}"
        if each.verdict is Verdict.NOT_EVALUATED and walk.ending is Ending.ENOUGH:
            yield f"the search ended at {walk.last}, as {walk.nodes_to_find} fit"
            if told := missed(each, is_preferred=each.node in walk.preferred):
                yield told


def missed(node: WalkedNode, *, is_preferred: bool) -> str:
    """What a node would have got that nobody looked at."""
    if node.would_be_turned_down_by:
        said = f": {node.detail}" if node.detail else ""
        return f"had all been looked at, {node.would_be_turned_down_by} would have turned it down{said}"
    if node.would_get is None:
        return ""
    better = ", more than the one picked" if is_preferred else ""
    return f"had all been looked at, it would have got {node.would_get} points{better}"
