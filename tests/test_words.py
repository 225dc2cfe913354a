from __future__ import annotations

import pytest

from kexplain.words import ask, clauses, did_you_mean, joined, near, plural, shortened, slip_of, some

KEYS = ["disktype", "topology.kubernetes.io/zone", "topology.kubernetes.io/region", "kubernetes.io/os"]


@pytest.mark.parametrize(
    ("names", "limit", "text"),
    [
        pytest.param([], 3, "", id="none"),
        pytest.param(["a"], 3, "a", id="one"),
        pytest.param(["a", "b", "c"], 3, "a, b, c", id="as many as there may be"),
        pytest.param(["a", "b", "c", "d"], 3, "a, b, c and 1 more", id="one more"),
        pytest.param(["a", "b", "c"], 1, "a and 2 more", id="another limit"),
    ],
)
def test_some(names: list[str], limit: int, text: str) -> None:
    assert some(names, limit) == text


@pytest.mark.parametrize(
    ("count", "noun", "many", "text"),
    [
        pytest.param(0, "node", "", "0 nodes", id="none"),
        pytest.param(1, "node", "", "1 node", id="one"),
        pytest.param(2, "node", "", "2 nodes", id="two"),
        pytest.param(1, "policy", "policies", "1 policy", id="one of an irregular noun"),
        pytest.param(2, "policy", "policies", "2 policies", id="two of an irregular noun"),
    ],
)
def test_plural(count: int, noun: str, many: str, text: str) -> None:
    assert plural(count, noun, many) == text


@pytest.mark.parametrize(
    ("names", "word", "text"),
    [
        pytest.param([], "and", "", id="none"),
        pytest.param(["a"], "and", "a", id="one"),
        pytest.param(["a", "b"], "or", "a or b", id="two"),
        pytest.param(["a", "b", "c"], "and", "a, b and c", id="three"),
    ],
)
def test_joined(names: list[str], word: str, text: str) -> None:
    assert joined(names, word) == text


def test_empty_clauses_are_left_out() -> None:
    assert clauses("there is no such field", "") == "there is no such field"
    assert clauses("there is no such field", ask("name")) == "there is no such field; did you mean name?"


@pytest.mark.parametrize(
    ("name", "known", "found"),
    [
        pytest.param("disktpye", KEYS, "disktype", id="letters swapped"),
        pytest.param("DiskType", KEYS, "disktype", id="another case"),
        pytest.param("gpu", ["GPU"], "GPU", id="the known one in another case"),
        pytest.param("zone", KEYS, "topology.kubernetes.io/zone", id="without its domain"),
        pytest.param("topology.kubernetes.io/zoen", KEYS, "topology.kubernetes.io/zone", id="within the domain"),
        pytest.param("kubernetes.io/arch", KEYS, "", id="the domain alone is not alike"),
        pytest.param("failure-domain.beta.kubernetes.io/zone", KEYS, KEYS[1], id="another domain"),
        pytest.param("nvidia.com/gpus", ["nvidia.com/gpu", "vidia.com/gpus"], "nvidia.com/gpu", id="own domain first"),
        pytest.param("web", ["db", "web-7d4b9-x2x4q", "web-7d4b9-abcde"], "web-7d4b9-abcde", id="the beginning"),
        pytest.param("web2", ["web", "web2-a"], "web", id="spelling before beginning"),
        pytest.param("xyz", KEYS, "", id="nothing near"),
        pytest.param("mem-pool", ["userpool", "mem", "gpu"], "mem", id="a word of its own tells more"),
        pytest.param("prod-hihg", ["prod", "prod-high"], "prod-high", id="a slip tells more than a word"),
        pytest.param("", KEYS, "", id="no name"),
        pytest.param("web", [], "", id="nothing known"),
    ],
)
def test_the_nearest_name(name: str, known: list[str], found: str) -> None:
    assert near(name, known) == ([found] if found else [])
    assert did_you_mean(name, known) == (f"did you mean {found}?" if found else "")


def test_several_near_names_are_asked_for_together() -> None:
    found = near("db-dat", ["db-data", "db-date", "web"], 3)
    assert found == ["db-date", "db-data"]
    assert ask(*found) == "did you mean db-date or db-data?"


@pytest.mark.parametrize(
    ("name", "known", "found"),
    [
        pytest.param("sdd", ["hdd", "ssd"], "ssd", id="of two as near, that with the first letter"),
        pytest.param("SDD", ["hdd", "Ssd"], "Ssd", id="in another case"),
        pytest.param("sdd", ["ssd", "sad"], "", id="two with the first letter"),
        pytest.param("sdd", ["hdd", "add"], "", id="none with the first letter"),
        pytest.param("sdd", ["hdd"], "hdd", id="the only one near, whatever it begins with"),
        pytest.param("pool-1", ["tool-1", "pool-2"], "", id="numbers are no slips"),
    ],
)
def test_which_one_a_slip_is_for(name: str, known: list[str], found: str) -> None:
    assert slip_of(name, known) == found


@pytest.mark.parametrize(
    ("text", "short"),
    [
        pytest.param("no: not  at all", "no: not at all", id="short-enough"),
        pytest.param(f"failed to call that webhook: it was not there: {'x' * 90}: refused",
                     "failed to call that webhook: it was not there: …: refused", id="what-is-long-goes"),
        pytest.param(f"failed: {'again ' * 20}: dial: refused", f"failed:{' again' * 12} …: dial: refused",
                     id="of-one-long-clause-the-beginning-stays"),
        pytest.param(f"not called: {'x' * 80}: expired: now is after then", "not called: …: expired: now is after then",
                     id="the-last-clauses-stay"),
        pytest.param(f"not called: {'x' * 80}: Post https://a.b/c: refused", "not called: …: refused", id="no-address"),
        pytest.param(f"not called: again: {'x' * 70}: Post https://a.b/c: refused", "not called: again: …: refused",
                     id="the-first-clauses-stay"),
        pytest.param(f"refused: {'word ' * 30}", f"refused:{' word' * 18} …", id="a-long-end-is-cut"),
        pytest.param("word " * 30, f"{'word ' * 19}…", id="one-clause"),
    ],
)  # fmt: skip
def test_of_a_long_message_the_end_stays(text: str, short: str) -> None:
    assert shortened(text, 100) == short
