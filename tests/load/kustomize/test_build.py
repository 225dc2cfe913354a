"""Kustomizations, and what they come to; the tree in fixtures/lint-kustomize has all of it together."""

from __future__ import annotations

import base64
import gzip
from pathlib import Path
from typing import Any

import pytest

from kexplain.load.kustomize.build import Builder
from kexplain.load.kustomize.files import Files
from kexplain.load.kustomize.nodes import Node, NodePlaces
from kexplain.load.raw_manifests import Written, load_written

WEB = """apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {tier: front}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    spec:
      containers:
        - {name: a, image: "host:5000/a:1", env: [{name: X, value: x}], args: [one, two]}
        - {name: b, image: b}
      volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]
"""
CLAIM = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\n"


def built(directory: Path, files: dict[str, str], name: str = ".") -> tuple[list[Node], Builder]:
    for path, text in {"web.yaml": WEB, **files}.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text)
    builder = Builder(Files())
    return builder.build(str(directory / name)), builder


def web(directory: Path, kustomization: str, **files: str) -> dict[str, Any]:
    """The Deployment that a kustomization with `web.yaml` comes to."""
    files = {f"{name}.yaml": text for name, text in files.items()}
    nodes, _ = built(directory, {"kustomization.yaml": f"resources: [web.yaml]\n{kustomization}", **files})
    found: dict[str, Any] = nodes[0].plain()
    return found


def pod(deployment: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = deployment["spec"]["template"]["spec"]
    return found


MERGE = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: %s}}\n"


@pytest.mark.parametrize(
    ("patch", "images", "volumes"),
    [
        ("{containers: [{name: b, image: c}]}", ["c", "host:5000/a:1"], 1),
        ("{containers: [{name: c, image: c}]}", ["c", "host:5000/a:1", "b"], 1),
        ("{containers: [{name: b, $patch: delete}]}", ["host:5000/a:1"], 1),
        ("{containers: [{$patch: replace}, {name: c, image: c}]}", ["c"], 1),
        ("{volumes: null}", ["host:5000/a:1", "b"], 0),
        ("{$patch: replace, containers: [{name: c, image: c}]}", ["c"], 0),
    ],
)
@pytest.mark.parametrize("field", ["patches: [{path: patch.yaml}]", "patchesStrategicMerge: [patch.yaml]"])
def test_strategic_merges(patch: str, images: list[str], volumes: int, field: str, tmp_path: Path) -> None:
    spec = pod(web(tmp_path, field, patch=MERGE % patch))
    assert [each["image"] for each in spec["containers"]] == images
    assert len(spec.get("volumes", [])) == volumes


def test_lists_without_keys_are_replaced_and_scalars_within_items_merged(tmp_path: Path) -> None:
    patch = MERGE % "{containers: [{name: a, args: [three], env: [{name: W, value: w}, {name: X, value: z}]}]}"
    container = pod(web(tmp_path, "patches: [{path: patch.yaml}]", patch=patch))["containers"][0]
    assert container["args"] == ["three"]
    assert container["env"] == [{"name": "W", "value": "w"}, {"name": "X", "value": "z"}]


@pytest.mark.parametrize(
    ("operations", "args"),
    [
        ("[{op: add, path: PATH/-, value: x}]", ["one", "two", "x"]),
        ("[{op: add, path: PATH/0, value: x}]", ["x", "one", "two"]),
        ("[{op: replace, path: PATH/1, value: x}]", ["one", "x"]),
        ("[{op: remove, path: PATH/0}]", ["two"]),
        ("[{op: move, from: PATH/0, path: PATH/1}]", ["two", "one"]),
        ("[{op: copy, from: PATH/0, path: PATH/-}]", ["one", "two", "one"]),
        ("[{op: test, path: PATH/0, value: one}, {op: replace, path: PATH, value: []}]", []),
        ("[{op: test, path: PATH/0, value: two}, {op: replace, path: PATH, value: []}]", ["one", "two"]),
        ("[{op: remove, path: PATH/7}]", ["one", "two"]),
        ("[{op: replace, path: /spec/nowhere, value: 1}]", ["one", "two"]),
        ("[{op: replace, path: /spec/new, value: [x]}, {op: copy, from: /spec/new, path: PATH}]", ["x"]),
    ],
)
@pytest.mark.parametrize("field", ["patches", "patchesJson6902"])
def test_lists_of_operations(operations: str, args: list[str], field: str, tmp_path: Path) -> None:
    operations = operations.replace("PATH", "/spec/template/spec/containers/0/args")
    entry = f'{field}: [{{target: {{kind: Deploy.*, labelSelector: "tier=front"}}, patch: "{operations}"}}]'
    assert pod(web(tmp_path, entry))["containers"][0]["args"] == args


@pytest.mark.parametrize(
    ("target", "is_patched"),
    [
        ("{kind: Deployment}", True),
        ("{name: we.}", True),
        ("{name: we}", False),
        ("{group: apps, version: v1}", True),
        ("{group: batch}", False),
        ("{labelSelector: tier=back}", False),
        ("{annotationSelector: a=b}", False),
        ("{namespace: shop}", False),
    ],
)
def test_targets(target: str, is_patched: bool, tmp_path: Path) -> None:
    patch = "[{op: replace, path: /metadata/name, value: other}]"
    found = web(tmp_path, f'patches: [{{target: {target}, patch: "{patch}"}}]')
    assert found["metadata"]["name"] == ("other" if is_patched else "web")


def test_names_namespaces_and_what_refers_to_them(tmp_path: Path) -> None:
    settings = "resources: [web.yaml, claim.yaml]\nnamespace: shop\nnamePrefix: a-\nnameSuffix: -b\n"
    nodes, _ = built(tmp_path, {"kustomization.yaml": settings, "claim.yaml": CLAIM})
    deployment, claim = (node.plain() for node in nodes)
    assert [each["metadata"]["name"] for each in (deployment, claim)] == ["a-web-b", "a-data-b"]
    assert {each["metadata"]["namespace"] for each in (deployment, claim)} == {"shop"}
    assert pod(deployment)["volumes"][0]["persistentVolumeClaim"]["claimName"] == "a-data-b"


def test_yes_and_on_are_texts_but_in_settings(tmp_path: Path) -> None:
    labelled = WEB.replace("tier: front", "tier: yes, 'y': true")
    settings = "labels: [{pairs: {a: b}, includeTemplates: yes}]"
    found = web(tmp_path, f"patches: [{{path: more.yaml}}]\n{settings}", web=labelled, more=MERGE % "{nodeName: on}")
    assert found["metadata"]["labels"] == {"tier": "yes", "y": True, "a": "b"}
    assert pod(found)["nodeName"] == "on"
    assert found["spec"]["template"]["metadata"]["labels"] == {"a": "b"}


def test_a_patch_may_say_the_name_from_before_a_prefix(tmp_path: Path) -> None:
    patch = MERGE % "{volumes: [{name: w, persistentVolumeClaim: {claimName: data}}]}"
    files = {
        "claim.yaml": CLAIM,
        "kustomization.yaml": "resources: [web.yaml, claim.yaml]\nnamePrefix: a-\n",
        "over/kustomization.yaml": "resources: [..]\npatches: [{path: patch.yaml}]\n",
        "over/patch.yaml": patch,
    }
    nodes, _ = built(tmp_path, files, "over")
    claims = [each["persistentVolumeClaim"]["claimName"] for each in pod(nodes[0].plain())["volumes"]]
    assert claims == ["a-data", "a-data"]


def test_names_in_other_kinds_stay_as_they_are(tmp_path: Path) -> None:
    files = {
        "claim.yaml": CLAIM,
        "other.yaml": "{apiVersion: example.com/v1, kind: Other, metadata: {name: o}, spec: {claimName: data}}",
        "kustomization.yaml": "resources: [claim.yaml, other.yaml]\nnamePrefix: a-\n",
    }
    nodes, _ = built(tmp_path, files)
    (other,) = (plain for each in nodes if (plain := each.plain())["kind"] == "Other")
    assert (other["metadata"]["name"], other["spec"]["claimName"]) == ("a-o", "data")


@pytest.mark.parametrize(
    ("settings", "selected", "labelled"),
    [
        ("commonLabels: {team: shop}", True, True),
        ("labels: [{pairs: {team: shop}, includeSelectors: true}]", True, True),
        ("labels: [{pairs: {team: shop}, includeTemplates: true}]", False, True),
        ("labels: [{pairs: {team: shop}}]", False, False),
    ],
)
def test_labels(settings: str, selected: bool, labelled: bool, tmp_path: Path) -> None:
    found = web(tmp_path, settings)
    assert found["metadata"]["labels"]["team"] == "shop"
    assert ("team" in found["spec"]["selector"]["matchLabels"]) == selected
    assert ("team" in found["spec"]["template"].get("metadata", {}).get("labels", {})) == labelled


@pytest.mark.parametrize(
    ("entry", "image"),
    [
        ("{name: 'host:5000/a', newTag: v2}", "host:5000/a:v2"),
        ("{name: 'host:5000/a', newName: b}", "b:1"),
        ("{name: 'host:5000/a', digest: 'sha256:0'}", "host:5000/a@sha256:0"),
        ("{name: a, newTag: v2}", "host:5000/a:1"),
    ],
)
def test_images(entry: str, image: str, tmp_path: Path) -> None:
    assert pod(web(tmp_path, f"images: [{entry}]"))["containers"][0]["image"] == image


def test_replacements_with_parts_of_texts(tmp_path: Path) -> None:
    settings = """replacements:
  - source: {kind: Deployment, fieldPath: metadata.labels.tier}
    targets:
      - select: {kind: Deployment}
        fieldPaths: ["spec.template.spec.containers.[name=a].image"]
        options: {delimiter: "/", index: 0}
      - select: {kind: Deployment}
        reject: [{name: web}]
        fieldPaths: [metadata.name]
"""
    found = web(tmp_path, settings)
    assert pod(found)["containers"][0]["image"] == "front/a:1"
    assert found["metadata"]["name"] == "web"


def test_generators_and_their_behavior(tmp_path: Path) -> None:
    base = "configMapGenerator: [{name: c, literals: [a=1, b=2]}]\nsecretGenerator: [{name: s, envs: [gone.env]}]\n"
    overlay = "resources: [base]\nconfigMapGenerator: [{name: c, behavior: merge, literals: [b=3]}]\n"
    files = {"base/kustomization.yaml": base, "kustomization.yaml": overlay}
    config_map, secret = (node.plain() for node in built(tmp_path, files)[0])
    assert config_map["data"] == {"a": "1", "b": "3"}
    assert (secret["type"], secret["data"]) == ("Opaque", {})


def test_files_of_generators_that_are_not_there(tmp_path: Path) -> None:
    settings = (
        "configMapGenerator:\n- {name: c, files: [web.yaml, k=gone.txt], envs: [gone.env]}\n- {name: d, env: one.env}\n"
        "secretGenerator: [{name: s, envs: [by-design.env], files: [web.yaml]}]\n"
    )
    _, builder = built(tmp_path, {"kustomization.yaml": settings})
    assert [(each.line, each.message.removeprefix(f"it names {tmp_path}/")) for each in builder.faults] == [
        (2, "gone.txt, which is not there"),
        (2, "gone.env, which is not there"),
        (3, "one.env, which is not there"),
    ]
    (note,) = builder.notes
    assert note.endswith("by-design.env, kustomize does not build this")


def test_components_change_what_uses_them_and_bases_are_built_anew(tmp_path: Path) -> None:
    files = {
        "base/kustomization.yaml": "resources: [../web.yaml]\n",
        "part/kustomization.yaml": "kind: Component\nreplicas: [{name: web, count: 5}]\n",
        "a/kustomization.yaml": "resources: [../base]\ncomponents: [../part]\n",
        "kustomization.yaml": "resources: [a, b]\n",
        "b/kustomization.yaml": "resources: [../base]\nnameSuffix: -b\n",
    }
    first, second = (node.plain() for node in built(tmp_path, files)[0])
    assert (first["spec"]["replicas"], second["spec"].get("replicas")) == (5, None)


def test_what_is_not_built_is_noted(tmp_path: Path) -> None:
    settings = "resources: [web.yaml, 'github.com/a/b//c?ref=v1', loop]\nhelmCharts: [{name: x}]\n"
    loop = "resources: [..]\npatches: [{patch: '{kind: Job, metadata: {name: x}}'}]\n"
    _, builder = built(tmp_path, {"kustomization.yaml": settings, "loop/kustomization.yaml": loop})
    assert builder.remote == ["github.com/a/b//c?ref=v1"]
    assert [note.rpartition("/")[2] for note in builder.notes] == ["kustomization.yaml: helmCharts not built"]
    assert [fault.source for fault in builder.faults] == [str(tmp_path / "loop" / "kustomization.yaml")]


@pytest.mark.parametrize(
    ("settings", "line", "message"),
    [
        ("patches: [{path: other.yaml}]", 3, "there is no Deployment wbe to patch: kustomize refuses that"),
        ("patchesStrategicMerge: [other.yaml]", 3, "there is no Deployment wbe to patch: kustomize refuses that"),
        (
            (
                "patches:\n- target: {kind: Deployment}\n  patch: |-\n    - {op: add, path: /spec/paused, value: 1}\n"
                "    - {op: remove, path: /spec/gone}"
            ),
            6,
            "kustomize cannot patch Deployment web: there is no gone",
        ),
        ("components: [part]", 2, "part has no kustomization that can be built"),
    ],
)
def test_what_kustomize_refuses_to_build(tmp_path: Path, settings: str, line: int, message: str) -> None:
    other = "kind: Deployment\nmetadata:\n  name: wbe\n"
    files = {"kustomization.yaml": f"resources: [web.yaml]\n{settings}\n", "other.yaml": other}
    _, builder = built(tmp_path, files)
    assert [(each.line, each.message.removeprefix(f"{tmp_path}/")) for each in builder.faults] == [(line, message)]
    # What a remote base has nobody knows.
    files["kustomization.yaml"] = f"resources: [web.yaml, 'github.com/a/b//c?ref=v1']\n{settings}\n"
    _, builder = built(tmp_path, files)
    assert [each.message for each in builder.faults if "to patch" in each.message] == []


def test_a_target_that_nothing_is_noted(tmp_path: Path) -> None:
    settings = "resources: [web.yaml]\npatches:\n- target: {kind: Deployment, name: wbe}\n  patch: '[]'\n"
    _, builder = built(tmp_path, {"kustomization.yaml": settings})
    assert [note.removeprefix(f"{tmp_path}/") for note in builder.asides] == [
        "kustomization.yaml:3: there is no Deployment wbe, which a patch is for"
    ]
    assert builder.faults == []


def test_every_value_is_placed_where_it_was_written(tmp_path: Path) -> None:
    patch = MERGE % "{containers: [{name: b, image: c}]}"
    settings = "resources: [web.yaml]\npatches:\n  - path: patch.yaml\n  - patch: |-\n      %s\n"
    settings += "replicas:\n  - {name: web, count: 3}\n"
    inline = (MERGE % "{priority: 7}").replace("\n", "\n      ").rstrip()
    nodes, _ = built(tmp_path, {"kustomization.yaml": settings % inline, "patch.yaml": patch})
    places = NodePlaces(nodes[0])
    pods = ("spec", "template", "spec")
    for path, name, line, column in (
        (("metadata", "name"), "web.yaml", 3, 18),
        ((*pods, "containers", 0, "image"), "patch.yaml", 4, 56),
        ((*pods, "containers", 1, "image"), "web.yaml", 9, 28),
        ((*pods, "priority"), "kustomization.yaml", 8, 42),
        (("spec", "replicas"), "kustomization.yaml", 10, 24),
        (("spec", "strategy"), "web.yaml", 5, 3),
    ):
        mark = places.mark(path)
        assert (Path(mark.source).name, mark.line, mark.column) == (name, line, column)


def linted(directory: Path, files: dict[str, str], *, recursive: bool = True) -> Written:
    for path, text in files.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text)
    return load_written([str(directory)], "x", recursive=recursive)


BAD = "apiVersion: v1\nkind: Pod\nmetadata: {name: bad}\n"


@pytest.mark.parametrize(
    "files",
    [
        {"kustomization.yaml": "resources: [., bad.yaml]\n", "bad.yaml": BAD},
        {"kustomization.yaml": "resources: [../a, bad.yaml]\n", "bad.yaml": BAD},
        {"kustomization.yaml": "resources: [link, bad.yaml]\n", "bad.yaml": BAD},
        {"x/kustomization.yaml": "resources: [../y]\n", "y/kustomization.yaml": "resources: [../x, bad.yaml]\n",
         "y/bad.yaml": BAD},
        {"x/kustomization.yaml": "components: [../y]\nresources: [bad.yaml]\n", "x/bad.yaml": BAD,
         "y/kustomization.yaml": "kind: Component\nresources: [../x]\n"},
    ],
    ids=["itself", "by-its-name", "by-a-link", "each-other", "as-component"],
)  # fmt: skip
def test_a_kustomization_that_is_part_of_itself_is_a_fault_and_built(tmp_path: Path, files: dict[str, str]) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "link").symlink_to(".")
    written = linted(tmp_path / "a", files)
    assert ["a part of itself" in fault.message for fault in written.faults] == [True]
    assert [manifest.value["metadata"]["name"] for manifest in written.manifests] == ["bad"]


@pytest.mark.parametrize(
    "settings",
    ["namePrefix: bad.yaml", "commonLabels: {a: bad.yaml}", "metadata: {name: bad.yaml}", "images: [{name: bad.yaml}]",
     "configMapGenerator: [{name: bad.yaml, literals: [a=bad.yaml]}]", "namespace: bad.yaml"],
)  # fmt: skip
def test_a_text_that_is_called_like_a_file_hides_no_manifest(tmp_path: Path, settings: str) -> None:
    written = linted(tmp_path, {"kustomization.yaml": f"{settings}\n", "bad.yaml": BAD})
    assert "bad" in [manifest.value["metadata"]["name"] for manifest in written.manifests]


@pytest.mark.parametrize(
    "settings",
    ["resources: [bad.yaml]", "patches: [{path: bad.yaml}]", "patchesStrategicMerge: [bad.yaml]",
     "configMapGenerator: [{name: c, files: [x=bad.yaml]}]", "secretGenerator: [{name: s, envs: [bad.yaml]}]",
     "replacements: [{path: bad.yaml}]", "openapi: {path: bad.yaml}", "transformers: [bad.yaml]",
     "helmCharts: [{name: x, valuesFile: bad.yaml}]"],
)  # fmt: skip
def test_what_a_kustomization_takes_for_a_file_is_no_object_by_itself(tmp_path: Path, settings: str) -> None:
    written = linted(tmp_path, {"kustomization.yaml": f"{settings}\n", "bad.yaml": BAD})
    assert all(manifest.world for manifest in written.manifests)


def test_a_kustomization_is_no_way_out(tmp_path: Path) -> None:
    outside = (
        "outside of the kustomization that names it: kustomize takes --load-restrictor LoadRestrictionsNone for that"
    )
    (tmp_path / "kustomization.yaml").write_text("namePrefix: s3cr3t-\nbroken: [\n")
    inside = tmp_path / "a"
    inside.mkdir()
    (inside / "kustomization.yaml").symlink_to("../kustomization.yaml")
    written = load_written([str(inside / "kustomization.yaml")], "x")
    assert outside in [fault.message for fault in written.faults]
    assert not written.manifests
    (inside / "kustomization.yaml").unlink()
    (inside / "kustomization.yaml").write_text("resources: [../kustomization.yaml]\n")
    written = load_written([str(inside)], "x")
    assert [fault.message for fault in written.faults] == [outside]


def test_files_outside_of_all_kustomizations_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("s3cr3t")
    settings = "resources: [../token]\nconfigMapGenerator: [{name: c, files: [../token]}]\n"
    nodes, builder = built(tmp_path / "a", {"kustomization.yaml": settings})
    assert "s3cr3t" not in str([node.plain() for node in nodes])
    assert [fault.source for fault in builder.faults] == [str(tmp_path / "token")]


@pytest.mark.parametrize(
    ("path", "more", "expected"),
    [
        ("spec.template.spec.containers.[name=b].workingDir", "", {"workingDir": "web"}),
        ("spec.template.spec.containers.[name=b].securityContext.seLinuxOptions.user", "", {"seLinuxOptions": "web"}),
        ("spec.template.spec.containers.1.workingDir", "", {"workingDir": "web"}),
        ("spec.template.spec.containers.[name=c].image", "", {"name": "c", "image": "web"}),
        ("metadata.annotations.[example.com/a.b]", "", {"example.com/a.b": "web"}),
        ("metadata.annotations.[example.com/a.b]", ", delimiter: /, index: 1", {"example.com/a.b": "/web"}),
        ("metadata.name.x", "", {}),
        ("", "", {}),
    ],
)
def test_replacements_make_what_is_missing(tmp_path: Path, path: str, more: str, expected: dict[str, str]) -> None:
    entry = f'{{source: {{kind: Deployment}}, targets: [{{select: {{kind: Deployment}}, fieldPaths: ["{path}"], '
    found = web(tmp_path, f"replacements: [{entry}options: {{create: true{more}}}}}]}}]")
    values = str([found["metadata"], *pod(found)["containers"]])
    assert [each for each in expected.items() if f"'{each[1]}'" not in values or each[0] not in values] == []


def test_webhooks_are_merged_by_name(tmp_path: Path) -> None:
    hooks = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: h}\n"
    files = {
        "kustomization.yaml": "resources: [h.yaml]\npatches: [{path: p.yaml}]\n",
        "h.yaml": f"{hooks}webhooks: [{{name: a, timeoutSeconds: 3}}, {{name: b}}]\n",
        "p.yaml": f"{hooks}webhooks: [{{name: b, timeoutSeconds: 5}}]\n",
    }
    nodes, _ = built(tmp_path, files)
    assert nodes[0].plain()["webhooks"] == [{"name": "b", "timeoutSeconds": 5}, {"name": "a", "timeoutSeconds": 3}]


def test_a_patch_on_one_line_is_no_file(tmp_path: Path) -> None:
    patch = "'{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 3}}'"
    for settings in (f"patches: [{{patch: {patch}}}]", f"patchesStrategicMerge: [{patch}]"):
        assert web(tmp_path, settings)["spec"]["replicas"] == 3


def test_services_are_asked_in_their_new_namespace(tmp_path: Path) -> None:
    files = {
        "kustomization.yaml": "namespace: shop\nresources: [a.yaml, h.yaml]\n",
        "a.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: system}\n",
        "h.yaml": "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n"
        "metadata: {name: h}\nwebhooks: [{clientConfig: {service: {name: s, namespace: system}}}, "
        "{clientConfig: {service: {name: t, namespace: system}}}]\n",
    }
    nodes, _ = built(tmp_path, files)
    services = [hook["clientConfig"]["service"]["namespace"] for hook in nodes[1].plain()["webhooks"]]
    assert services == ["shop", "system"]


@pytest.fixture
def few_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kustomizations may come to little, so that no test has to make much."""
    monkeypatch.setattr("kexplain.load.kustomize.build.MAX_VALUES", 20_000)


@pytest.mark.usefixtures("few_values")
def test_what_doubles_is_refused(tmp_path: Path) -> None:
    files = {f"{level}/kustomization.yaml": f"resources: [../{level + 1}, ../{level + 1}x]\n" for level in range(24)}
    files |= {f"{level}x/kustomization.yaml": f"resources: [../{level + 1}, ../{level + 1}x]\n" for level in range(24)}
    files |= {"24/kustomization.yaml": "namePrefix: a", "24x/kustomization.yaml": "namePrefix: a"}
    nodes, builder = built(tmp_path, files, "0")
    assert (nodes, [fault.message for fault in builder.faults]) == ([], ["comes to more than 20000 values"])


@pytest.mark.usefixtures("few_values")
def test_what_is_copied_into_itself_is_refused(tmp_path: Path) -> None:
    entry = (
        "{source: {kind: Deployment, fieldPath: spec}, targets: [{select: {kind: Deployment}, fieldPaths: [spec.x%d], "
    )
    entries = ", ".join(f"{entry % number}options: {{create: true}}}}]}}" for number in range(30))
    files = {"kustomization.yaml": f"resources: [web.yaml]\nreplacements: [{entries}]\n"}
    nodes, builder = built(tmp_path, files)
    assert nodes == []
    (fault,) = builder.faults
    assert fault.message in ("comes to more than 20000 values", "nested deeper than 100 levels")


def test_configurations_say_where_names_namespaces_labels_and_images_stand(tmp_path: Path) -> None:
    route = "apiVersion: x.io/v1\nkind: Route\nmetadata: {name: r}\nspec: {to: [{claim: data}], images: [b, c]}\n"
    fields = """
nameReference:
- kind: PersistentVolumeClaim
  fieldSpecs: [{kind: Route, path: spec/to/claim}, {kind: Other, path: spec/to/claim}]
namespace: [{kind: Route, group: x.io, path: spec/home/namespace, create: true}]
commonLabels: [{kind: Route, path: spec/selector, create: true}]
images: [{kind: Route, path: "spec/images[]"}]
"""
    base = "resources: [claim.yaml, route.yaml]\nconfigurations: [fields.yaml]\nnamePrefix: a-\n"
    top = "resources: [base]\nnamespace: shop\nnamePrefix: b-\ncommonLabels: {app: web}\n"
    top += (
        "images: [{name: b, newTag: '2'}]\nlabels: [{pairs: {tier: front}, includeSelectors: true}, {pairs: {x: y}}]\n"
    )
    files = {"base/kustomization.yaml": base, "base/claim.yaml": CLAIM, "base/route.yaml": route}
    nodes, builder = built(tmp_path, {**files, "base/fields.yaml": fields, "kustomization.yaml": top})
    spec = nodes[1].plain()["spec"]
    assert spec["to"] == [{"claim": "b-a-data"}]
    assert (spec["home"], spec["selector"], spec["images"]) == (
        {"namespace": "shop"},
        {"tier": "front", "app": "web"},
        ["b:2", "c"],
    )
    assert builder.notes == []


def test_what_of_configurations_is_not_built_is_noted(tmp_path: Path) -> None:
    kustomization = "resources: [web.yaml]\nconfigurations: [fields.yaml]\n"
    _, builder = built(
        tmp_path, {"kustomization.yaml": kustomization, "fields.yaml": "replicas: [{path: spec/size}]\n"}
    )
    assert [note.partition(": ")[2] for note in builder.notes] == ["replicas of configurations not built"]


def test_bytes_that_are_no_text_are_binary_data(tmp_path: Path) -> None:
    (tmp_path / "logo.png").write_bytes(b"\x89PNG\xff")
    generator = "configMapGenerator: [{name: c, literals: [a=b], files: [logo.png]}]\n"
    nodes, _ = built(tmp_path, {"kustomization.yaml": generator})
    made = nodes[0].plain()
    assert (made["data"], made["binaryData"]) == ({"a": "b"}, {"logo.png": "iVBOR/8="})


def test_a_compressed_file_stays_as_it_is(tmp_path: Path) -> None:
    packed = gzip.compress(bytes(range(256)))
    (tmp_path / "data.tar.gz").write_bytes(packed)
    nodes, _ = built(tmp_path, {"kustomization.yaml": "configMapGenerator: [{name: c, files: [data.tar.gz]}]\n"})
    text = nodes[0].plain()["binaryData"]["data.tar.gz"]
    assert base64.b64decode(text) == packed
    assert {len(line) for line in text.split("\n")[:-2]} == {70}


def test_variables_say_what_an_object_says_in_the_end(tmp_path: Path) -> None:
    base = """
resources: [../web.yaml, hook.yaml]
configurations: [fields.yaml]
vars:
- {name: NAME, objref: {kind: Deployment, name: web}}
- {name: IMAGE, objref: {kind: Deployment, name: web}, fieldref: {fieldpath: "spec.template.spec.containers[1].image"}}
- {name: PORT, objref: {kind: Deployment, name: web}, fieldref: {fieldpath: spec.port}}
- {name: GONE, objref: {kind: Service, name: web}}
"""
    hook = """
apiVersion: x.io/v1
kind: Hook
metadata: {name: h, annotations: {of: "$(NAME)/$(GONE)"}}
spec: {host: "$(NAME).example.com", left: "$(NAME)", price: "$$(NAME)", port: "$(PORT)"}
"""
    fields = (
        "varReference: [{kind: Hook, path: spec/host}, {kind: Hook, path: spec/port}, {kind: Hook, path: spec/price}]"
    )
    patch = "[{op: replace, path: /spec/template/spec/containers/0/args, value: [$(IMAGE)]}, "
    top = "resources: [base]\nnamePrefix: my-\nimages: [{name: b, newTag: '2'}]\npatches:\n"
    top += f"- {{target: {{kind: Deployment}}, patch: '{patch}{{op: add, path: /spec/port, value: 8080}}]'}}\n"
    files = {"base/kustomization.yaml": base, "base/hook.yaml": hook, "base/fields.yaml": fields}
    nodes, builder = built(tmp_path, {**files, "kustomization.yaml": top})
    web, made = (node.plain() for node in nodes)
    assert web["spec"]["template"]["spec"]["containers"][0]["args"] == ["b:2"]
    assert made["metadata"]["annotations"] == {"of": "my-web/$(GONE)"}
    assert made["spec"] == {"host": "my-web.example.com", "left": "$(NAME)", "price": "$(NAME)", "port": 8080}
    assert [note.rpartition(": ")[2] for note in builder.notes] == ["there is nothing for the variable $(GONE)"]


def test_fields_are_known_in_any_case(tmp_path: Path) -> None:
    found = web(tmp_path, "NamePrefix: a-\nIMAGES: [{name: b, newtag: v2}]\nlabels: [{PAIRS: {Tier: x}}]")
    assert (found["metadata"]["name"], pod(found)["containers"][1]["image"]) == ("a-web", "b:v2")
    assert found["metadata"]["labels"] == {"tier": "front", "Tier": "x"}


@pytest.mark.parametrize(
    ("options", "expected"),
    [("", ("Deployment", "web")), ("options: {allowNameChange: true}", ("Deployment", "shop")),
     ("options: {allowKindChange: true}", ("ReplicaSet", "web"))],
)  # fmt: skip
def test_patches_leave_kind_name_and_namespace(tmp_path: Path, options: str, expected: tuple[str, str]) -> None:
    patch = "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: shop, namespace: system}"
    again = "- {path: again.yaml, target: {kind: Deployment, name: web}}"
    found = web(
        tmp_path,
        f"patches:\n- {{path: patch.yaml, target: {{kind: Deployment}}, {options}}}\n{again}",
        patch=patch,
        again="kind: Deployment\nmetadata: {name: web, labels: {again: a}}",
    )
    assert (found["kind"], found["metadata"]["name"], "namespace" in found["metadata"]) == (*expected, False)
    # It is known by what it was called before.
    assert found["metadata"]["labels"]["again"] == "a"


def test_operations_find_annotations_where_there_are_none(tmp_path: Path) -> None:
    patch = "[{op: add, path: /metadata/annotations/example.com~1a, value: b}]"
    found = web(tmp_path, "patches: [{path: patch.yaml, target: {kind: Deployment}}]", patch=patch)
    assert found["metadata"]["annotations"] == {"example.com/a": "b"}


def test_annotations_come_out_as_texts(tmp_path: Path) -> None:
    files = {
        "kustomization.yaml": "resources: [a.yaml]",
        "a.yaml": "kind: A\nmetadata: {name: a, annotations: {port: 80, on: true, none: }, labels: {port: 80}}",
    }
    metadata = built(tmp_path, files)[0][0].plain()["metadata"]
    assert metadata["annotations"] == {"port": "80", "on": "true", "none": ""}
    assert metadata["labels"] == {"port": 80}


def test_common_labels_reach_all_that_selects_or_is_made(tmp_path: Path) -> None:
    files = {
        "kustomization.yaml": "resources: [a.yaml]\ncommonLabels: {x: w}",
        "a.yaml": """kind: NetworkPolicy
metadata: {name: a}
spec: {podSelector: {}, ingress: [{from: [{podSelector: {matchLabels: {a: b}}}, {podSelector: {}}]}]}
---
kind: CronJob
metadata: {name: a}
---
kind: StatefulSet
metadata: {name: a}
spec: {volumeClaimTemplates: [{metadata: {name: v}}]}
---
kind: StatefulSet
metadata: {name: b}
""",
    }
    policy, cron_job, stateful_set, without = (node.plain() for node in built(tmp_path, files)[0])
    assert policy["spec"]["ingress"][0]["from"] == [
        {"podSelector": {"matchLabels": {"a": "b", "x": "w"}}},
        {"podSelector": {}},
    ]
    assert cron_job["spec"]["jobTemplate"]["metadata"] == {"labels": {"x": "w"}}
    assert stateful_set["spec"]["volumeClaimTemplates"] == [{"metadata": {"name": "v", "labels": {"x": "w"}}}]
    assert "volumeClaimTemplates" not in without["spec"]


def test_namespaces_of_conversion_and_of_foreign_kinds(tmp_path: Path) -> None:
    files = {
        "kustomization.yaml": "resources: [a.yaml]\nnamespace: new",
        "a.yaml": """kind: CustomResourceDefinition
apiVersion: apiextensions.k8s.io/v1
metadata: {name: a}
spec: {conversion: {webhook: {clientConfig: {service: {name: s, namespace: old}}}}}
---
kind: Namespace
apiVersion: example.com/v1
metadata: {name: a}
""",
    }
    definition, foreign = (node.plain() for node in built(tmp_path, files)[0])
    assert definition["spec"]["conversion"]["webhook"]["clientConfig"]["service"]["namespace"] == "new"
    assert foreign["metadata"] == {"name": "a", "namespace": "new"}


def test_operations_of_old_come_before_images(tmp_path: Path) -> None:
    patch = "[{op: add, path: /spec/template/spec/containers/0/image, value: c}]"
    entry = "patchesJson6902: [{path: patch.yaml, target: {kind: Deployment, name: web}}]"
    found = web(tmp_path, f"{entry}\nimages: [{{name: c, newTag: v8}}]", patch=patch)
    assert pod(found)["containers"][0]["image"] == "c:v8"


def test_generators_take_one_pair_of_quotes_and_merge_labels(tmp_path: Path) -> None:
    literals = """literals: ["a='it''s'", "b='", 'c="d" "e"']"""
    base = f"configMapGenerator: [{{name: c, options: {{labels: {{x: w}}}}, {literals}}}]\n"
    overlay = "resources: [base]\nconfigMapGenerator: [{name: c, behavior: merge, options: {labels: {z: z}}}]\n"
    files = {"base/kustomization.yaml": base, "kustomization.yaml": overlay}
    config_map = built(tmp_path, files)[0][0].plain()
    assert config_map["data"] == {"a": "it''s", "b": "'", "c": 'd" "e'}
    assert config_map["metadata"]["labels"] == {"x": "w", "z": "z"}


@pytest.mark.parametrize(
    ("ports", "patch", "expected"),
    [
        ("[{containerPort: 80}]", "[{containerPort: 80, name: a}]", [(80, None, "a")]),
        ("[{containerPort: 80, protocol: TCP}]", "[{containerPort: 80, name: a}]", [(80, "TCP", None)]),
        ("[{containerPort: 80, protocol: TCP}]", "[{containerPort: 80, $patch: delete}]", [(80, "TCP", None)]),
        ("[{containerPort: 80}]", "[{containerPort: 80, $patch: delete}]", []),
        (
            "[{containerPort: 1}, {containerPort: 2}, {containerPort: 1, name: b}]",
            "[]",
            [(1, None, "b"), (2, None, None)],
        ),
    ],
)
def test_ports_are_one_only_with_the_same_protocol(
    tmp_path: Path, ports: str, patch: str, expected: list[tuple[int, str | None, str | None]]
) -> None:
    inside = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: p}\n"
    inside += "spec: {template: {spec: {containers: [{name: a, ports: %s}]}}}\n"
    files = {
        "kustomization.yaml": "resources: [p.yaml]\npatches: [{path: patch.yaml}]",
        "p.yaml": inside % ports,
        "patch.yaml": inside % patch,
    }
    found = pod(built(tmp_path, files)[0][0].plain())["containers"][0]["ports"]
    assert [(each["containerPort"], each.get("protocol"), each.get("name")) for each in found] == expected


def test_what_kustomize_refuses_of_a_kustomization(tmp_path: Path) -> None:
    files = {"kustomization.yaml": "resources: [web.yaml, base]\nrecources: [b.yaml]\nsortOptions: {}"}
    _, builder = built(tmp_path, {**files, "base/kustomization.yaml": "resources: [web.yaml]", "base/web.yaml": WEB})
    assert [(Path(each.source).name, each.line, each.message) for each in builder.faults] == [
        ("kustomization.yaml", 2, "recources is no field of a kustomization; did you mean resources?"),
        ("web.yaml", 1, "Deployment web is there twice: kustomize refuses that"),
    ]


SETTINGS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {host: example.com, list: a-b}\n"
#: What is patched in, of a version, a name and maybe more of its metadata.
PATCH = "apiVersion: %s\nkind: Deployment\nmetadata: {name: %s}\nspec: {replicas: 2}\n"
BASE = {"base/kustomization.yaml": "namespace: shop\nresources: [w.yaml]\n", "base/w.yaml": WEB}
COMPONENT = "kind: Component\nresources: [c.yaml]\n"


def refused(directory: Path, kustomization: str, files: dict[str, str]) -> list[str]:
    """What kustomize refuses of a kustomization, as kubectl kustomize 5.5 was seen to do for each of these."""
    texts = {"cm.yaml": SETTINGS, "kustomization.yaml": kustomization, **files}
    return [fault.message for fault in built(directory, texts)[1].faults]


@pytest.mark.parametrize(
    ("patches", "patch", "says"),
    [
        ("[{path: p.yaml}]", PATCH % ("apps/v1", "web"), ""),
        (
            "[{path: p.yaml}]",
            PATCH % ("apps/v1beta1", "web"),
            "there is no Deployment web to patch, only one of apps/v1",
        ),
        ("[{path: p.yaml}]", PATCH % ("apps/v1", "web, namespace: shop"), "to patch, only one in namespace default"),
        ("[{path: p.yaml}]", PATCH % ("apps/v1", "web, namespace: default"), ""),
        ("[{target: {kind: Deployment}}]", "", "a patch with neither path and patch"),
        ("[{path: p.yaml, patch: '{}', target: {kind: Deployment}}]", PATCH % ("apps/v1", "web"), "with both path and"),
        (
            "[{path: p.yaml, target: {kind: Deployment}}]",
            2 * f"{PATCH % ('apps/v1', 'web')}---\n",
            "2 patches with one",
        ),
        ("[{path: p.yaml, target: {kind: Deployment}}]", "spec: {replicas: 2}\n", "a patch without kind and name"),
        ("[{path: p.yaml, target: {kind: Deployment}}]", "kind: X\nmetadata: {name: x}\n", ""),
    ],
)
def test_patches_that_kustomize_refuses(patches: str, patch: str, says: str, tmp_path: Path) -> None:
    found = refused(tmp_path, f"resources: [web.yaml, cm.yaml]\npatches: {patches}\n", {"p.yaml": patch})
    assert any(says in each for each in found) if says else found == []


@pytest.mark.parametrize("patch", [PATCH % ("apps/v1", "web"), PATCH % ("apps/v1", "web, namespace: shop")])
def test_patches_go_by_any_namespace_that_an_object_has_had(patch: str, tmp_path: Path) -> None:
    kustomization = "resources: [base]\npatches: [{path: p.yaml}]\n"
    assert refused(tmp_path, kustomization, {**BASE, "p.yaml": patch}) == []


@pytest.mark.parametrize(
    ("kustomization", "files", "says"),
    [
        ("resources: [web.yaml]\nreplicas: [{name: web, count: 2}]\n", {}, ""),
        ("resources: [web.yaml]\nreplicas: [{name: wbe, count: 2}]\n", {}, "there is no workload wbe to scale"),
        ("resources: [web.yaml]\npatches: [{target: {name: x}, patch: '[]'}]\nreplicas: [{name: wbe, count: 2}]\n", {},
         "there is no workload wbe to scale"),
        ("resources: [web.yaml]\nimages: [{name: nginx, newTag: 1.20}]\n", {}, "newTag has to be a text: put it in"),
        ("resources: [web.yaml]\nimages: [{name: nginx, newTag: '1.20'}]\n", {}, ""),
        ("resources: [cm.yaml]\nreplicas: [{name: settings, count: 2}]\n", {}, "there is no workload settings"),
        ("resources: [web.yaml]\npatchesJson6902: [{path: p.yaml, target: {kind: Deployment}}]\n",
         {"p.yaml": "- {op: replace, path: /spec/replicas, value: 3}\n"}, "needs a target with a name"),
        ("resources: [web.yaml, c]\n", {"c/kustomization.yaml": COMPONENT, "c/c.yaml": SETTINGS}, "c is a Component"),
        ("resources: [web.yaml]\ncomponents: [c]\n",
         {"c/kustomization.yaml": COMPONENT[16:], "c/c.yaml": SETTINGS}, "c is no Component"),
        ("resources: [web.yaml]\ncomponents: [c]\n", {"c/kustomization.yaml": COMPONENT, "c/c.yaml": SETTINGS}, ""),
        ("resources: [web.yaml, w.yaml]\n",
         {"w.yaml": WEB.replace("name: web", "name: web, namespace: default")}, "web is there twice"),
        ("namespace: shop\nresources: [web.yaml, w.yaml]\n",
         {"w.yaml": WEB.replace("name: web", "name: web, namespace: other")}, "web is there twice"),
        ("resources: [web.yaml, w.yaml]\n", {"w.yaml": WEB.replace("apps/v1", "apps/v1beta1")}, ""),
        ("resources: [n.yaml]\n", {"n.yaml": "apiVersion: v1\nkind: ConfigMap\n"}, "an object without name"),
        ("resources: [n.yaml]\n", {"n.yaml": "apiVersion: v1\nmetadata: {name: x}\n"}, "an object without kind"),
        ("resources: web.yaml\n", {}, "resources has to be a list"),
        ("namePrefix: [a]\n", {}, "namePrefix has to be a text"),
        ("kind: Kustomize\nresources: [web.yaml]\n", {}, "Kustomize is no kustomization"),
        ("apiVersion: kustomize.config.k8s.io/v1beta2\n", {}, "the apiVersion of a Kustomization is"),
        ("apiVersion: kustomize.config.k8s.io/v1beta1\nresources: [web.yaml]\n", {}, ""),
    ],
)  # fmt: skip
def test_kustomizations_that_kustomize_refuses(
    kustomization: str, files: dict[str, str], says: str, tmp_path: Path
) -> None:
    found = refused(tmp_path, kustomization, files)
    assert any(says in each for each in found) if says else found == []


@pytest.mark.parametrize("missing", ["https://example.com/x.yaml", ""])
def test_what_is_not_read_may_be_all_that_is_missing(missing: str, tmp_path: Path) -> None:
    kustomization = f"resources: [web.yaml{', ' if missing else ''}{missing}]\nreplicas: [{{name: other, count: 2}}]\n"
    assert bool(refused(tmp_path, kustomization, {})) is not bool(missing)
