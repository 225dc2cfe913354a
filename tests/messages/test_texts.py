"""The table of texts: complete as to what kexplain's own plugins say, and consistent in itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from itertools import chain

from kexplain.messages.other_texts import (
    ADMISSION_TEXTS,
    CLUSTER_AUTOSCALER_TEXTS,
    EARLIER_NODE_TEXTS,
    EARLIER_POD_TEXTS,
    FARGATE_TEXTS,
    GKE_MESSAGES,
    KARPENTER_TEXTS,
    KUBELET_TEXTS,
    OTHER_NODE_TEXTS,
    OTHER_POD_TEXTS,
    SCALE_UP_FAILURES,
)
from kexplain.messages.texts import CAUSE_TEXTS, EVERY_TEXT, NODE_TEXTS, POD_TEXTS, POST_FILTER_TEXTS
from tests.package import PACKAGE, modules, within

OF_SCHEDULERS = (NODE_TEXTS, POST_FILTER_TEXTS, POD_TEXTS, CAUSE_TEXTS)
OF_OTHERS = (
    EARLIER_NODE_TEXTS,
    EARLIER_POD_TEXTS,
    OTHER_NODE_TEXTS,
    OTHER_POD_TEXTS,
    KUBELET_TEXTS,
    ADMISSION_TEXTS,
    CLUSTER_AUTOSCALER_TEXTS,
    SCALE_UP_FAILURES,
    KARPENTER_TEXTS,
    FARGATE_TEXTS,
    GKE_MESSAGES,
)

#: What makes a Status of a text.
MAKERS = {"unschedulable", "unresolvable", "error"}


def test_names_in_the_meaning_are_in_the_template() -> None:
    for text in (*EVERY_TEXT, *chain.from_iterable(OF_OTHERS)):
        names = dict.fromkeys(re.findall(r"<([a-z_]+)>", text.template), "7")
        assert text.meaning.format(**names)
        assert "<" not in text.check.format(**names)
        assert text.match(re.sub(r"<[a-z_]+>", "7", text.template)) == names


def test_no_text_hides_behind_one_before_it() -> None:
    for table in (*OF_SCHEDULERS, *OF_OTHERS):
        for index, text in enumerate(table):
            words = re.sub(r"<[a-z_]+>", "7", text.template)
            assert next(each for each in table if each.match(words) is not None) is text, (index, text.template)


def test_every_text_of_the_plugins_is_in_the_table() -> None:
    tables = (*NODE_TEXTS, *POST_FILTER_TEXTS, *POD_TEXTS, *CAUSE_TEXTS)
    said = list(_said())
    assert len(said) > 50
    unknown = {
        (path, words)
        for path, words in said
        if not any(text.match(words.removeprefix("preemption: ").rstrip(".")) is not None for text in tables)
    }
    assert unknown == set()


#: What stands in no message by itself: answers of extenders, an exclusion only looked at, a reason behind others.
NOT_SAID = {"", "7 would not have pods evicted there", "excluded by name", "7: 7"}


def _said() -> Iterator[tuple[str, str]]:
    """Every reason in the source of the plugins and the framework that is a literal, with 7 for what differs."""
    rooms = {PACKAGE / room for room in ("plugins", "framework", "scheduler")}
    for module in (path for path in modules() if rooms & {*path.parents}):
        nodes = list(within(module))
        named = {
            node.targets[0].id: words
            for node in nodes
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and (words := _literal(node.value, {})) is not None
        }
        for call in nodes:
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in MAKERS and call.args:
                said = _literal(call.args[0], named)
                if said is not None and said not in NOT_SAID:
                    yield module.stem, said


def _literal(node: ast.expr, named: Mapping[str, str]) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr) and any(isinstance(value, ast.Constant) for value in node.values):
        return "".join(_piece(value, named) for value in node.values)
    return None


def _piece(value: ast.expr, named: Mapping[str, str]) -> str:
    if isinstance(value, ast.Constant):
        return str(value.value)
    inner = value.value if isinstance(value, ast.FormattedValue) else value
    return named.get(inner.id, "7") if isinstance(inner, ast.Name) else "7"
