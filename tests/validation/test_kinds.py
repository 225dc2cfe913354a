"""Every kind that there is a schema for is validated, whatever it holds."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from kexplain.objects.problem import Stage
from kexplain.validation.check import check
from kexplain.validation.kinds import CHECKS
from kexplain.validation.schema import schema

SCHEMA = schema()
TEXTS = ("", "a", "A", "../x", "a/b/c", "10.0.0.0/8", "fd00::1", "None", "80%", "ClientIP", "NodePort", "ExternalName")
OPERATORS = ("Exists", "In", "Gt", "Container", "Pod", "Indexed", "All", "*", "-1", "99 * * * *", "iqn", "\U0001f600")
NUMBERS = (0, 1, -1, 80, 65_536, 2**31 - 1, -(2**31))
FORMATS = {
    "byte": ("", "YQ=="),
    "date-time": ("2026-01-01T00:00:00Z",),
    "micro-time": ("2026-01-01T00:00:00.000000Z",),
    "quantity": ("1", "-1", "0", "500m", "1Gi", 3),
}
DEEPEST = 7


def test_every_kind_has_a_check() -> None:
    assert {*CHECKS, "v1/Pod"} == set(SCHEMA["kinds"])


def made(rule: dict[str, Any], chance: Random, depth: int = 0) -> Any:
    """A value that decodes; fields are left out at random, the deeper the more."""
    if "$ref" in rule:
        fields = SCHEMA["$defs"][rule["$ref"].rpartition("/")[2]]["properties"] if depth < DEEPEST else {}
        share = 0.75 if depth < 3 else 0.35
        kept = [name for name in fields if name != "status" and chance.random() < share]
        return {name: made(fields[name], chance, depth + 1) for name in kept}
    if rule.get("format") in FORMATS:
        return chance.choice(FORMATS[rule["format"]])
    match rule.get("type"):
        case "array":
            return [made(rule["items"], chance, depth + 1) for _ in range(chance.randrange(3))]
        case "object":
            inner = rule["additionalProperties"]
            return {chance.choice(TEXTS): made(inner, chance, depth + 1) for _ in range(chance.randrange(3))}
        case "string":
            return chance.choice(TEXTS + OPERATORS)
        case "boolean":
            return chance.random() < 0.5
        case "integer" | "number":
            return chance.choice(NUMBERS)
    return chance.choice((1, "x")) if "anyOf" in rule else {"a": 1}


@pytest.mark.parametrize("identity", sorted(SCHEMA["kinds"]))
def test_whatever_decodes_is_judged(identity: str) -> None:
    chance = Random(identity)  # noqa: S311 - the same values every time
    version, _, kind = identity.rpartition("/")
    rule = {"$ref": f"#/$defs/{SCHEMA['kinds'][identity]}"}
    for _ in range(20):
        problems = check({**made(rule, chance), "apiVersion": version, "kind": kind}, releases=("1.38",))
        assert all(problem.message for problem in problems)
        assert not any(problem.stage is Stage.DECODING for problem in problems)
