"""Format 1, which nobody writes any more."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from kexplain.errors import InputError
from kexplain.load import load
from kexplain.objects import queues, scheduling
from tests.load.snapshot.dumps import in_first_format, objects_in, read
from tests.scenarios import FIXTURES

#: Written when this was the format, as `shop.snapshot` was.
FIRST = Path(__file__).with_name("format-1.snapshot")


def test_it_is_read_for_ever() -> None:
    loaded = load([str(FIXTURES / "snapshot" / "shop.snapshot")])
    assert loaded.server_version == "v1.36.1"
    assert {type(obj).__name__ for obj in loaded.objects} >= {"Node", "Pod", "PersistentVolumeClaim", "CSINode"}
    loaded = load([str(FIRST)])
    assert (loaded.server_version, loaded.notes) == ("v1.36.1", ["not permitted to list services"])
    assert [*map(type, loaded.objects[-2:])] == [queues.Workload, scheduling.Workload]


def test_it_may_be_indented_and_not_compressed() -> None:
    document = json.loads(gzip.decompress(FIRST.read_bytes()))
    assert objects_in(read(json.dumps(document, indent=2).encode())) == objects_in(load([str(FIRST)]))


def test_an_object_of_a_queue_of_odd_form_is_a_fault() -> None:
    document = json.loads(gzip.decompress(FIRST.read_bytes()))
    document["others"][0][1]["spec"] = "none"
    with pytest.raises(InputError, match="a damaged snapshot: Expected `object`"):
        read(json.dumps(document).encode())


def test_tests_write_it_as_it_was_written() -> None:
    loaded = load([str(FIRST)])
    assert objects_in(read(in_first_format(loaded))) == objects_in(loaded)
