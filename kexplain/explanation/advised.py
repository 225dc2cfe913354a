"""What was advised so far, for other pods that the same stops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable

from kexplain.diagnosis.records import Finding
from kexplain.explanation.records import Advice
from kexplain.objects.core import Pod

#: For so many of the pods that have the same wrong with them it is sought what would help.
SOUGHT = 8


class Advised:
    """What is advised so far, by what stops pods.

    Unless each is shown `in_full`, only the first of very many pods with the same wrong with them are looked into.
    """

    def __init__(self, *, in_full: bool) -> None:
        self._in_full = in_full
        self._advice: dict[Hashable, Advice] = {}
        self._messages: set[str] = set()
        self._sought: Counter[Hashable] = Counter()

    def suffices(self, message: str, found: Finding | None) -> bool:
        """Whether a pod that does not fit is one of so many that no more than what is wrong with it is of interest.

        Pods that all have one message are shown as one, with all there is to say.
        """
        self._messages.add(message)
        if self._in_full or found is None or len(self._messages) == 1:
            return False
        return self._sought[found.alike] >= SOUGHT

    def known(self, pod: Pod, keys: Iterable[Hashable]) -> Advice | None:
        """What was advised to a pod with one of these keys."""
        found = next(filter(None, map(self._advice.get, keys)), None)
        return found and found.to(pod)

    def keep(self, advice: Advice, keys: Iterable[Hashable], found: Finding | None) -> None:
        """What was sought for a pod with these keys, and what is wrong with it."""
        self._advice |= {} if advice.is_of_pod else dict.fromkeys(keys, advice)
        self._sought[found and found.alike] += 1
