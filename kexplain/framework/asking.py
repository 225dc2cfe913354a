"""Questions that attempts at one pod in one cluster have in common."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

Answer = TypeVar("Answer")


class Asking:
    """Asks anew each time."""

    def once(self, question: Hashable, of: Sequence[object], make: Callable[[], Answer]) -> Answer:  # noqa: ARG002
        """What `make` answers."""
        return make()


class AskingOnce(Asking):
    """Asks once what several schedulers would ask about one pod in one cluster."""

    def __init__(self) -> None:
        self._answers: dict[Hashable, tuple[Sequence[object], Any]] = {}

    def once(self, question: Hashable, of: Sequence[object], make: Callable[[], Answer]) -> Answer:
        """What `make` answers, or has answered to that question about the very same objects.

        Beside the question, these, the pod and the cluster, the answer must depend on nothing.
        """
        key = (question, *map(id, of))
        known = self._answers.get(key)
        if known is None:
            # The objects are kept, so that nothing else gets their ids.
            known = self._answers[key] = of, make()
        answer: Answer = known[1]
        return answer


#: For attempts that have nothing in common with others.
ASKING = Asking()
