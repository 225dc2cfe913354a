from __future__ import annotations

import pytest

from kexplain.cli.flags.pods import PodFlags
from kexplain.errors import UsageError


def test_the_namespace_chooses_pods_only_if_none_are_named() -> None:
    assert PodFlags(namespace="shop").selection().namespace == "shop"
    assert PodFlags(namespace="shop", pods=["pod/web"]).selection().namespace == ""
    assert PodFlags(namespace="shop", all_namespaces=True).selection().namespace == ""


def test_files_and_names_are_one_list() -> None:
    assert PodFlags(pods=["pod/web"], filename=["new.yaml"]).references == ["pod/web", "new.yaml"]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (PodFlags(selector="app in web"), '--selector "app in web": '),
        (PodFlags(field_selector="spec.nothing=x"), '--field-selector "spec.nothing=x": '),
    ],
)
def test_a_selector_that_cannot_be_read_is_named(flags: PodFlags, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        flags.selection()
    assert raised.value.message.startswith(message)
