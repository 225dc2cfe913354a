"""Answers that attempts at one pod in one cluster can share."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

Answer = TypeVar("Answer")


class AnswerCache:
    """Answers once what several schedulers ask about one pod in one cluster; every time anew if it keeps nothing."""

    def __init__(self, *, keeps: bool = True) -> None:
        self._keeps = keeps
        self._answers: dict[Hashable, tuple[Sequence[object], Any]] = {}

    def answer(self, question: Hashable, of: Sequence[object], make: Callable[[], Answer]) -> Answer:
        """What `make` answers, or has answered to that question about the very same objects.

        Beside the question, these, the pod and the cluster, the answer must depend on nothing.
        """
        if not self._keeps:
            return make()
        key = (question, *map(id, of))
        known = self._answers.get(key)
        if known is None:
            # The objects are kept, so that nothing else gets their ids.
            known = self._answers[key] = of, make()
        answer: Answer = known[1]
        return answer


#: For attempts that have nothing in common with others.
NO_CACHE = AnswerCache(keeps=False)
