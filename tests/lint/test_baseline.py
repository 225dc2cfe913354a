"""What counts as known, and what is said of that which is gone."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from kexplain.lint.baseline import Known, KnownFinding, baseline_of, read_baseline
from kexplain.lint.findings import Finding, Severity
from tests.cli.command import kexplain

FOUND = Finding(
    rule="does-not-fit",
    severity=Severity.ERROR,
    message="no room",
    source="web.yaml",
    line=1,
    column=1,
    object="Deployment shop/web",
    fingerprint="new",
)


def found(source: str = "web.yaml", **more: str) -> Finding:
    return msgspec.structs.replace(FOUND, source=source, **more)


def known(*, source: str = "web.yaml", fingerprint: str = "old", **more: str) -> KnownFinding:
    about = {"rule": "does-not-fit", "object": "Deployment shop/web", **more}
    return KnownFinding(fingerprint=fingerprint, source=source, **about)


@pytest.mark.parametrize(
    ("finding", "before", "is_new"),
    [
        pytest.param(found(message="30 of 40", field="spec.replicas"), [known()], False, id="other figures and field"),
        pytest.param(found("./web.yaml"), [known()], False, id="spelt otherwise"),
        pytest.param(found(), [known(source="./web.yaml")], False, id="spelt otherwise before"),
        pytest.param(found("../HERE/web.yaml"), [known()], False, id="from around"),
        pytest.param(found("sub/web.yaml"), [known()], True, id="another file"),
        pytest.param(found(rule="memory-unit"), [known()], True, id="another rule"),
        pytest.param(found(object="Deployment shop/api"), [known()], True, id="another object"),
        pytest.param(found("moved.yaml", fingerprint="old"), [known()], False, id="its fingerprint"),
        pytest.param(found(rendered_from="shop/a.yaml"), [known(source="shop/a.yaml")], False, id="its template"),
        pytest.param(found("<stdin>"), [known(source="<stdin>")], False, id="a pipe"),
        pytest.param(found(), [], True, id="nothing is known"),
    ],
)
def test_what_is_known_is_of_one_rule_and_one_object(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, finding: Finding, before: list[KnownFinding], is_new: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    finding = msgspec.structs.replace(finding, source=finding.source.replace("HERE", tmp_path.name))
    new, gone = Known(tuple(before), tmp_path).without([finding])
    assert (bool(new), len(gone)) == (is_new, len(before) if is_new else 0)


@pytest.mark.parametrize(
    ("before", "is_new"),
    [
        pytest.param(known(written="one"), True, id="another value"),
        pytest.param(known(written="one", fingerprint="new"), True, id="another value, in the same place"),
        pytest.param(known(written="two"), False, id="the same value"),
        pytest.param(known(written="two", fingerprint="new"), False, id="the same value in the same place"),
        pytest.param(known(fingerprint="new"), False, id="of an older baseline, in the same place"),
        pytest.param(known(), False, id="of an older baseline"),
    ],
)
def test_another_wrong_value_is_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: KnownFinding, is_new: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    new, gone = Known((before,), tmp_path).without([found(written="two")])
    assert (bool(new), gone) == (is_new, [before] if is_new else [])


WEB = "{kind: Pod, apiVersion: v1, metadata: {name: web}, spec: {restartPolicy: POLICY, CONTAINERS}}"


@pytest.mark.parametrize(("policy", "findings"), [("Allways", 0), ("Neverr", 1), ("Always", 0)])
def test_a_baseline_as_it_is_written_knows_the_value(policy: str, findings: int, tmp_path: Path) -> None:
    path = tmp_path / "web.yaml"
    text = WEB.replace("CONTAINERS", "containers: [{name: web, image: web}]")
    path.write_text(text.replace("POLICY", "Allways"))
    kexplain("lint", "web.yaml", "--write-baseline", "known.json", cwd=tmp_path)
    path.write_text(text.replace("POLICY", policy))
    done = kexplain("lint", "web.yaml", "--baseline", "known.json", "-o", "json", cwd=tmp_path)
    assert len(json.loads(done.stdout)["findings"]) == findings


def test_of_several_alike_as_many_are_known_as_there_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    new, gone = Known((known(), known()), tmp_path).without([found(), found(), found()])
    assert (len(new), gone) == (1, [])
    new, gone = Known((known(), known()), tmp_path).without([found()])
    assert (new, gone) == ([], [known()])


def test_a_baseline_in_another_directory_names_files_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".ci").mkdir()
    Path(".ci/known.json").write_text(baseline_of([found("./web.yaml")], ".ci/known.json"))
    read = read_baseline(".ci/known.json")
    assert [each.source for each in read.findings] == ["../web.yaml"]
    assert not read.without([found(str(tmp_path / "web.yaml"))])[0]


def test_only_who_has_looked_knows_that_something_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("web.yaml").touch()
    place = Known((), tmp_path)
    assert place.is_outdated(known(), ["./web.yaml"])
    assert not place.is_outdated(known(), ["api.yaml"])
    assert place.is_outdated(known(source="removed.yaml"), ["api.yaml"])
