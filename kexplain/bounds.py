"""How much is too much: what everything that reads holds to, so that no input takes all time or all memory."""

#: Deeper nesting is refused; no Kubernetes object comes near it.
MAX_DEPTH = 100
TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels"
#: What libyaml says of what is too deep for itself, from 0.2.6 on.
PARSER_TOO_DEEP = "exceeded maximum nesting depth"
#: Longer words are no slips of known ones, which are names of fields and of objects.
MAX_WORD = 253
#: So many suggestions about one object are enough.
MAX_SUGGESTIONS = 50
#: Of one workload no more pods are placed, and no more nodes are added at a time.
MAX_COPIES = 10_000


class Budget:
    """What may be made of one input in all; `what` names the things that are counted."""

    def __init__(self, limit: int, what: str) -> None:
        self._left = limit
        self._message = f"comes to more than {limit} {what}"

    def spend(self, count: int = 1) -> None:
        """Take from what is left. Raises TooMuchError where it does not suffice, from then on always."""
        self._left -= count
        if self._left < 0:
            # Completion of words imports this module, and no records.
            from kexplain.errors import TooMuchError  # noqa: PLC0415

            raise TooMuchError(self._message)


def is_too_deep(value: object) -> bool:
    """Whether plain values are nested deeper than MAX_DEPTH."""
    level: list[object] = [value]
    for _ in range(MAX_DEPTH + 1):
        inner: list[object] = []
        for each in level:
            if isinstance(each, dict):
                inner += each.values()
            elif isinstance(each, list):
                inner += each
        if not inner:
            return False
        level = inner
    return True
