"""Where in a line a message may begin, by what the tables say of its first words."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from kexplain.messages import other_texts as others
from kexplain.messages import texts
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
    return _by_first_word((*texts.NODE_TEXTS, *texts.POST_FILTER_TEXTS, *others.EARLIER_NODE_TEXTS))


def _by_first_word(known: Iterable[Text]) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for text in known:
        beginning = _BEGINNING.match(text.head)
        head = beginning[0].rstrip(" \"'([").lower() if beginning else ""
        first = _WORD.match(head)
        if first is not None and len(head) >= _FEWEST_LETTERS and first.end() < len(head):
            found.setdefault(first[0], []).append(head)
    return found


def texts_of_pods() -> Iterator[Text]:
    """Every text about a pod as a whole, or about the group, job or claim that it belongs to, whoever says it."""
    yield from (*texts.POD_TEXTS, *others.EARLIER_POD_TEXTS, *others.OTHER_POD_TEXTS, *others.KUBELET_TEXTS)
    yield from (*others.ADMISSION_TEXTS, *others.CLUSTER_AUTOSCALER_TEXTS, *others.GKE_MESSAGES)
    yield from (*others.SCALE_UP_FAILURES[:-1], *others.KARPENTER_TEXTS, *others.FARGATE_TEXTS)
