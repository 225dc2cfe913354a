"""Archives, read as they are."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from kexplain.case import load_case
from kexplain.case.loading import Inputs
from kexplain.errors import InputError
from kexplain.load import load
from kexplain.load.text import archives, source
from tests.cli.command import kexplain

NODE = {"metadata": {"name": "n1", "uid": "n1"}, "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "9"}}}
PODS = [
    {
        "metadata": {"name": name, "namespace": "shop", "uid": name},
        "spec": {"schedulerName": "default-scheduler", "containers": [{"name": "c", "image": "i"}]},
    }
    for name in ("a", "b")
]
#: What a support archive holds, none of which says what it is.
FILES = {
    "./bundle/cluster-resources/nodes.json": json.dumps([NODE]),
    "./bundle/cluster-resources/pods/shop.json": json.dumps(PODS),
    "./bundle/cluster-resources/pvcs/shop.json": json.dumps([{"metadata": {"name": "data", "uid": "d"}, "spec": {}}]),
    "./bundle/cluster-resources/storage-classes.json": json.dumps([{"metadata": {"name": "fast", "uid": "f"}}]),
    "./bundle/cluster-resources/pods/shop-errors.json": json.dumps(["forbidden"]),
    "./bundle/.hidden/pods/other.json": json.dumps(PODS),
    "./bundle/logs/a.log": "no object",
}
READ = ["Node/n1", "Pod/a", "Pod/b", "PersistentVolumeClaim/data", "StorageClass/fast"]


def tar(path: Path, files: dict[str, str]) -> Path:
    with tarfile.open(path, "w:gz" if path.name.endswith("gz") else "w") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
        link = tarfile.TarInfo("link.json")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    return path


def zipped(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bundle/", "")
        for name, text in files.items():
            archive.writestr(name.removeprefix("./"), text)
    return path


def folder(path: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text)
    return path


MAKERS = [
    pytest.param("b.tar.gz", tar, id="tar.gz"),
    pytest.param("b.tgz", tar, id="tgz"),
    pytest.param("b.tar", tar, id="tar"),
    pytest.param("b.zip", zipped, id="zip"),
    pytest.param("b", folder, id="unpacked"),
]


@pytest.mark.parametrize(("name", "make"), MAKERS)
def test_a_support_archive_is_read_as_it_is(
    tmp_path: Path, name: str, make: Callable[[Path, dict[str, str]], Path]
) -> None:
    loaded = load([str(make(tmp_path / name, FILES))], recursive=True)
    assert sorted(f"{obj.kind}/{obj.name}" for obj in loaded.objects) == sorted(READ)
    assert [each.removeprefix(str(tmp_path)) for each in loaded.foreign] == [
        f"/{name}/bundle/cluster-resources/pods/shop-errors.json"
    ]


@pytest.mark.parametrize(("name", "make"), MAKERS)
def test_one_file_that_was_cut_off_is_a_note(
    tmp_path: Path, name: str, make: Callable[[Path, dict[str, str]], Path]
) -> None:
    cut = {"./bundle/cluster-resources/pods/web.json": json.dumps(PODS)[:70]}
    path = str(make(tmp_path / name, FILES | cut))
    case = load_case([], Inputs([path], recursive=True))
    assert len(case.pods) == 2
    (note,) = (each for each in case.notes if "web.json" in each)
    assert note.startswith(f"read in part only: {path}/bundle/cluster-resources/pods/web.json")
    # Whether there are more that are pending nobody knows.
    assert kexplain("--cluster", path, "-R").returncode == 1
    assert kexplain("pod/a", "-n", "shop", "--cluster", path, "-R").returncode == 0
    with pytest.raises(InputError):
        load([path], recursive=True)


def test_of_a_damaged_file_the_rest_counts(tmp_path: Path) -> None:
    sound = {"apiVersion": "v1", "kind": "Node", **NODE}
    broken = [
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"priority": each}} for each in "xy"
    ]
    folder(tmp_path, {"a.json": "\n".join(map(json.dumps, [*broken, sound]))})
    loaded = load([str(tmp_path)], is_dump=True)
    assert [obj.name for obj in loaded.objects] == ["n1"]
    assert "(and 1 more)" in loaded.notes[0]
    assert loaded.in_part == [str(tmp_path / "a.json")]
    with pytest.raises(InputError):
        load([str(tmp_path / "a.json")], is_dump=True)


@pytest.mark.parametrize("name", ["b.tar.gz", "b.zip", "b.tar"])
def test_an_archive_that_was_cut_off_is_refused(tmp_path: Path, name: str) -> None:
    path = (zipped if name.endswith("zip") else tar)(tmp_path / name, FILES)
    path.write_bytes(path.read_bytes()[:400])
    with pytest.raises(InputError, match=f"{name}: it was cut off, or is damaged"):
        load([str(path)])


@pytest.mark.parametrize(("limit", "message"), [("UNPACKED_LIMIT", "MiB, unpacked"), ("_MOST_MEMBERS", "files")])
@pytest.mark.parametrize("name", ["b.tar.gz", "b.zip"])
def test_archives_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, limit: str, message: str
) -> None:
    path = str((zipped if name.endswith("zip") else tar)(tmp_path / name, FILES))
    size, count = sum(map(len, FILES.values())), len(FILES)
    module = source if limit == "UNPACKED_LIMIT" else archives
    monkeypatch.setattr(module, limit, size if limit == "UNPACKED_LIMIT" else count)
    assert load([path]).objects
    monkeypatch.setattr(module, limit, (size if limit == "UNPACKED_LIMIT" else count) - 1)
    with pytest.raises(InputError, match=message):
        load([path])
