from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kexplain.objects.meta import Labels, LabelSelector
from kexplain.objects.selectors import (
    EVERYTHING,
    NOTHING,
    Requirement,
    make_requirement,
    parse_int64,
    selector_from,
    selector_from_labels,
)
from tests.factories import selector

from .strategies import KEYS, VALUES, labels, selectors

keys = st.sampled_from(KEYS)
values = st.lists(st.sampled_from(VALUES), min_size=1, max_size=2)


@given(keys, values, labels)
def test_in_and_not_in_are_opposites(key: str, wanted: list[str], carried: Labels) -> None:
    is_in = make_requirement(key, "In", wanted).matches(carried)
    assert make_requirement(key, "NotIn", wanted).matches(carried) is not is_in
    assert not is_in or make_requirement(key, "Exists", ()).matches(carried)


@given(keys, labels)
def test_exists_and_does_not_exist_are_opposites(key: str, carried: Labels) -> None:
    exists = make_requirement(key, "Exists", ()).matches(carried)
    assert make_requirement(key, "DoesNotExist", ()).matches(carried) is not exists


@given(st.integers(-5, 5), st.integers(-5, 5) | st.text(max_size=3))
def test_a_number_is_greater_less_or_equal(bound: int, carried: int | str) -> None:
    number = parse_int64(str(carried))
    at = {"k": str(carried)}
    greater = Requirement("k", "Gt", bound=bound).matches(at)
    less = Requirement("k", "Lt", bound=bound).matches(at)
    assert not (greater and less)
    assert (greater or less) is (number is not None and number != bound)


@given(selectors(), selectors(), labels)
def test_joined_selectors_match_what_both_match(one: LabelSelector, other: LabelSelector, carried: Labels) -> None:
    first, second = selector_from(one), selector_from(other)
    joined = first.and_also(second.requirements or ())
    assert joined.matches(carried) is (first.matches(carried) and second.matches(carried))


@given(selectors(), labels, labels)
def test_requirements_only_look_at_their_keys(wanted: LabelSelector, carried: Labels, further: Labels) -> None:
    unrelated = {f"un-{key}": value for key, value in further.items()}
    parsed = selector_from(wanted)
    assert parsed.matches(carried | unrelated) is parsed.matches(carried)


@given(labels, labels)
def test_labels_select_their_supersets(wanted: Labels, carried: Labels) -> None:
    assert selector_from_labels(wanted).matches(carried) is (wanted.items() <= carried.items())
    expressions = [(key, "In", (value,)) for key, value in wanted.items()]
    assert selector_from(selector(wanted)).matches(carried) is selector_from(selector(None, *expressions)).matches(
        carried
    )


@given(labels)
def test_everything_and_nothing(carried: Labels) -> None:
    assert EVERYTHING.matches(carried)
    assert not NOTHING.matches(carried)
