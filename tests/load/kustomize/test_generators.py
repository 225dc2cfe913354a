"""Generators that kustomize refuses; kubectl kustomize 5.5 was seen to take or refuse each of these."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.load.kustomize.test_build import SETTINGS, refused

SHOP = SETTINGS.replace("name: settings", "name: settings, namespace: shop")
BASE = {"base/kustomization.yaml": "namespace: shop\nresources: [c.yaml]\n", "base/c.yaml": SETTINGS}


@pytest.mark.parametrize(
    ("entry", "files", "says"),
    [
        ("{name: settings, behavior: merge, literals: [a=b]}", {}, ""),
        ("{name: settings, behavior: replace, literals: [a=b]}", {}, ""),
        ("{name: new, literals: [a=b]}", {}, ""),
        ("{name: other, behavior: merge, literals: [a=b]}", {}, "there is no ConfigMap other to merge"),
        ("{name: other, behavior: replace, literals: [a=b]}", {}, "there is no ConfigMap other to replace"),
        ("{name: settings, literals: [a=b]}", {}, "its behavior has to be merge or replace"),
        ("{name: settings, behavior: merg, literals: [a=b]}", {}, "its behavior has to be merge or replace"),
        (
            "{name: settings, behavior: merge, literals: [a=b]}",
            {"cm.yaml": SHOP},
            "to merge, only one in namespace shop",
        ),
        ("{name: settings, namespace: shop, behavior: merge, literals: [a=b]}", {"cm.yaml": SHOP}, ""),
        ("{name: a, literals: [a=b, a=c]}", {}, "the key a is there twice"),
        ("{name: a, literals: [ab]}", {}, '"ab" is not key=value'),
        ("{name: a, literals: [=b]}", {}, '"=b" is not key=value'),
        ("{name: a, files: [a=b=cm.yaml]}", {}, '"a=b=cm.yaml" is neither a file nor key=file'),
        ("{name: a, files: [a=cm.yaml]}", {}, ""),
        ("{literals: [a=b]}", {}, "a ConfigMap that is generated needs a name"),
    ],
)
def test_each(entry: str, files: dict[str, str], says: str, tmp_path: Path) -> None:
    found = refused(tmp_path, f"resources: [cm.yaml]\nconfigMapGenerator: [{entry}]\n", files)
    assert any(says in each for each in found) if says else found == []


def test_what_is_merged_goes_by_any_namespace_that_it_has_had(tmp_path: Path) -> None:
    generator = "configMapGenerator: [{name: settings, behavior: merge, literals: [a=b]}]"
    assert refused(tmp_path, f"resources: [base]\n{generator}\n", BASE) == []
