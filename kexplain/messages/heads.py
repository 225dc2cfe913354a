"""Where in a line a message may begin, by what the tables say of its first words."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from kexplain.messages.text import Text
from kexplain.patterns import regex

#: Fewer letters than these, or a single word, stand in any prose.
_FEWEST_LETTERS = 11
#: As many letters tell a text, and a line may end behind them.
_BEGINNING = regex(r".{0,24}[\w'-]*", re.DOTALL)
_WORD = regex(r"(?<![\w-])[\w'\u2019-]+")


def heads_in(line: str) -> Iterator[int]:
    """Where texts about a pod as a whole may begin, by words that tell it."""
    return _places(line, _heads_of_pods())


def reasons_in(line: str) -> Iterator[int]:
    """Where reasons that nodes are turned away for may begin, by words that tell it."""
    return _places(line, _heads_of_reasons())


def _places(line: str, heads: Mapping[str, Sequence[str]]) -> Iterator[int]:
    for word in _WORD.finditer(line):
        rest = line[word.start() :].replace("\u2019", "'").lower()
        if any(rest.startswith(head) for head in heads.get(word[0].replace("\u2019", "'").lower(), ())):
            yield word.start()


@cache
def _heads_of_pods() -> Mapping[str, Sequence[str]]:
    return _by_first_word(texts_of_pods())


@cache
def _heads_of_reasons() -> Mapping[str, Sequence[str]]:
    from kexplain.messages.earlier_texts import EARLIER_NODE_TEXTS  # noqa: PLC0415
    from kexplain.messages.texts import NODE_TEXTS, POST_FILTER_TEXTS  # noqa: PLC0415

    return _by_first_word((*NODE_TEXTS, *POST_FILTER_TEXTS, *EARLIER_NODE_TEXTS))


def _by_first_word(texts: Iterable[Text]) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for text in texts:
        beginning = _BEGINNING.match(text.head)
        head = beginning[0].rstrip(" \"'([").lower() if beginning else ""
        first = _WORD.match(head)
        if first is not None and len(head) >= _FEWEST_LETTERS and first.end() < len(head):
            found.setdefault(first[0], []).append(head)
    return found


def texts_of_pods() -> Iterator[Text]:
    """Every text about a pod as a whole, or about the group, job or claim that it belongs to, whoever says it."""
    from kexplain.messages import admission_texts, kubelet_texts, queue_texts, texts  # noqa: PLC0415
    from kexplain.messages import autoscaler_texts as scaling  # noqa: PLC0415
    from kexplain.messages.earlier_texts import EARLIER_POD_TEXTS  # noqa: PLC0415
    from kexplain.messages.karpenter_texts import KARPENTER_TEXTS  # noqa: PLC0415

    yield from (*texts.POD_TEXTS, *EARLIER_POD_TEXTS, *queue_texts.OTHER_POD_TEXTS, *kubelet_texts.KUBELET_TEXTS)
    yield from (*admission_texts.ADMISSION_TEXTS, *scaling.CLUSTER_AUTOSCALER_TEXTS, *scaling.GKE_MESSAGES)
    yield from (*scaling.SCALE_UP_FAILURES[:-1], *KARPENTER_TEXTS, *scaling.FARGATE_TEXTS)
