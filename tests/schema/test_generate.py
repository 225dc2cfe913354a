"""The vendored schema is what the official client's models say."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from . import generate


def test_vendored_schema_is_up_to_date() -> None:
    client = pytest.importorskip("kubernetes")
    if not client.__version__.startswith("37."):
        pytest.skip("models of another release")
    vendored = files("kexplain.validation").joinpath("schema.json").read_text(encoding="utf-8")
    assert json.loads(vendored) == generate.schema()
