"""Every text that is known is understood in every form in which people paste it."""

from collections.abc import Sequence
from functools import cache
from zlib import crc32

import pytest

from kexplain.messages.message import parse_message
from kexplain.messages.part import Part, Section
from kexplain.messages.pasted_messages import pasted
from tests.messages.forms import FORMS
from tests.messages.sayings import sayings

#: With fewer letters before its first name, a text is not found within other words.
_FEWEST_LETTERS = 11
#: Each form is tried with every so many of the messages, and each with others.
_EVERY = 83


def _can_be_found(message: str) -> bool:
    parts = parse_message(message).parts
    text = parts[0].text
    if text is None or not all(part.is_known for part in parts):
        return False
    return len(parts) > 1 or parts[0].section is not Section.POD or len(text.head.strip(' "')) >= _FEWEST_LETTERS


@cache
def _messages() -> Sequence[str]:
    """Those that can be found in other words; what only collects tests need not know them."""
    return [message for said in sayings().values() for message in said if _can_be_found(message)]


def _is_same(part: Part, other: Part, *, is_last: bool) -> bool:
    """Whether both are the same text with the same names; what an open end says may go on with what stands behind."""
    names, others = [*(part.names or {}).values()], [*(other.names or {}).values()]
    if part.text is not other.text or part.count != other.count:
        return False
    return names == others or (is_last and names[:-1] == others[:-1] and others[-1].startswith(names[-1]))


def _is_understood(message: str, text: str) -> bool:
    expected = parse_message(message).parts
    found = [parse_message(each.message).parts for each in pasted(text).messages]
    return bool(found) and all(
        len(parts) == len(expected)
        and all(map(lambda one, other: _is_same(one, other, is_last=one is expected[-1]), expected, parts))
        for parts in found
    )


def test_there_are_messages_of_everybody() -> None:
    assert len(_messages()) > 900
    assert all(sum(map(_can_be_found, said)) > len(said) / 2 for said in sayings().values())


@pytest.mark.parametrize("form", FORMS)
def test_messages_are_understood_in_every_form(form: str) -> None:
    first = [*FORMS].index(form) % _EVERY
    # Not by their order: one message more would have others tried in each form.
    tried = [message for message in _messages() if crc32(message.encode()) % _EVERY == first]
    missed = [message for message in tried if not _is_understood(message, FORMS[form](message))]
    # Where lines are cut within words, and behind an error's own words, there is more than one way to read some.
    assert len(missed) <= (len(tried) // 4 + 1 if "wrapped" in form or "cut" in form else 3), missed
