"""What is published of a remedy."""

from __future__ import annotations

from kexplain.explain.output import Output
from kexplain.remedies.changes import Change


class Remedy(Output, frozen=True):
    """Something that would help, and the nodes that the pod would fit on then.

    `action` is a word for scripts, such as `tolerate`, `request-less`, `free`, `uncordon` or `check-manifest`.
    If `tried`, `changes` were applied and the pod was decided anew: it fits, and without any of them it does not.
    `commands` are the same changes for a shell.
    """

    action: str
    text: str
    nodes: tuple[str, ...] = ()
    tried: bool = False
    changes: tuple[Change, ...] = ()
    commands: tuple[str, ...] = ()
