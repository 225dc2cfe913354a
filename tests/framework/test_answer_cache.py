from __future__ import annotations

from kexplain.framework.answer_cache import NO_CACHE, AnswerCache

ONE, TWIN = [1], [1]


def answers(cache: AnswerCache) -> list[int]:
    """What is answered to the same question of one object, of it once more, of its twin, and to another question."""
    made = iter(range(9))
    asked = (("q", ONE), ("q", ONE), ("q", TWIN), (("q", 2), ONE))
    return [cache.answer(question, (about,), lambda: next(made)) for question, about in asked]


def test_a_question_is_asked_anew_each_time() -> None:
    assert answers(NO_CACHE) == [0, 1, 2, 3]


def test_a_question_about_the_very_same_objects_is_asked_once() -> None:
    assert answers(AnswerCache()) == [0, 0, 1, 2]


def test_an_object_that_came_after_another_had_gone_is_not_taken_for_it() -> None:
    cache = AnswerCache()
    made = iter(range(9))
    assert [cache.answer("q", ([number],), lambda: next(made)) for number in range(9)] == list(range(9))
