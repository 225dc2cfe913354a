"""Replacements that kustomize refuses; kubectl kustomize 5.5 was seen to take or refuse each of these."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.load.kustomize.test_build import SETTINGS, refused

SOURCE = "{kind: ConfigMap, name: settings, fieldPath: data.host}"
PART = "{kind: ConfigMap, name: settings, fieldPath: data.list, options: {delimiter: '-', index: %d}}"
CREATED = "{select: {kind: Deployment, name: web}, fieldPaths: [metadata.labels.host], options: {create: true}}"
IMAGE = "{select: {kind: Deployment}, fieldPaths: ['spec.template.spec.containers.[name=%s].image']}"
IN_PARTS = "{select: {kind: Deployment}, fieldPaths: [%s], options: {delimiter: ':', index: 7}}"
OTHER = {"cm.yaml": f"{SETTINGS}---\n{SETTINGS.replace('settings', 'other')}"}


@pytest.mark.parametrize(
    ("source", "target", "says"),
    [
        (SOURCE, CREATED, ""),
        (SOURCE, IMAGE % "a", ""),
        ("{kind: ConfigMap, name: settings}", IMAGE % "a", ""),
        (PART % 1, CREATED, ""),
        (SOURCE, CREATED.replace("name: web", "name: wbe"), ""),
        (SOURCE, IN_PARTS % "'spec.template.spec.containers.[name=a].image'", ""),
        (SOURCE.replace("settings", "setings"), CREATED, "no objects are the source"),
        ("{kind: ConfigMap, fieldPath: data.host}", CREATED, "2 objects are the source"),
        (SOURCE.replace("host", "hst"), CREATED, "there is no data.hst in ConfigMap settings"),
        (PART % 5, CREATED, '"a-b" has no part 5 between its "-"'),
        (
            SOURCE,
            CREATED.replace("create: true", "create: false"),
            "there is no metadata.labels.host in Deployment web",
        ),
        (SOURCE, IMAGE % "x", "there is no spec.template.spec.containers.[name=x].image in Deployment web"),
        (SOURCE, "{fieldPaths: [metadata.labels.host]}", "the target of a replacement needs a select"),
        (SOURCE, IN_PARTS % "spec.template.spec.containers", "only a text has parts"),
        # Later releases look into the text.
        (SOURCE, "{select: {kind: ConfigMap, name: settings}, fieldPaths: [data.list.host]}", ""),
    ],
)
def test_each(source: str, target: str, says: str, tmp_path: Path) -> None:
    replacement = f"replacements:\n- source: {source}\n  targets:\n  - {target}\n"
    found = refused(tmp_path, f"resources: [web.yaml, cm.yaml]\n{replacement}", OTHER)
    assert any(says in each for each in found) if says else found == []


@pytest.mark.parametrize("entry", [f"source: {SOURCE}", f"targets: [{CREATED}]"])
def test_one_half_alone(entry: str, tmp_path: Path) -> None:
    (found,) = refused(tmp_path, f"resources: [web.yaml, cm.yaml]\nreplacements:\n- {entry}\n", {})
    assert found == "a replacement needs a source and at least one target: kustomize refuses that"
