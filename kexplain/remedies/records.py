"""What is published of a remedy."""

from __future__ import annotations

from kexplain.explain.output import Output
from kexplain.remedies.changes import Change


class Remedy(Output, frozen=True):
    """Something that would help, and the nodes that the pod would fit on then.

    `action` is a word for scripts, such as `tolerate`, `request-less`, `free`, `uncordon` or `check-manifest`.
    If `tried`, `changes` were applied and the pod was decided anew: it fits, and without any of them it does not; only
    of the nodes of a `bundle`, which are changed alike, fewer may be enough for it. `commands` are the same changes for
    a shell.

    `rank` says how much somebody who knows the cluster would want it: 0 happens by itself, 1 undoes the fault, 2 adds
    nodes where the pod belongs, 3 asks for a little less, 4 moves others to where they all fit, and 5 is a last
    resort: it crosses a reservation, gives up what the pod is there for, or leaves somebody else without a place.
    `serves` of the `pending` pods of the workload fit then; null where that was not tried.
    """

    action: str
    text: str
    nodes: tuple[str, ...] = ()
    tried: bool = False
    changes: tuple[Change, ...] = ()
    commands: tuple[str, ...] = ()
    rank: int = 3
    bundle: tuple[str, ...] = ()
    serves: int | None = None
    pending: int | None = None
