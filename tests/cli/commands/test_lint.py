"""`kexplain lint` and `kexplain rules` as processes: exit codes, settings, baselines, files."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import kexplain

WARNING = (
    "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {nodeName: n1, containers: [{name: web, image: web}]}\n"
)
SOUND = WARNING.replace("nodeName: n1, ", "")
REFUSED = SOUND.replace("image: web", "imag: web")
INFO = SOUND.replace(
    "containers:", "tolerations: [{key: a, operator: Exists}, {key: a, operator: Exists}], containers:"
)
NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: 1, memory: 1Gi, pods: 1}}\n"


@pytest.mark.parametrize(
    ("manifest", "words", "code"),
    [
        pytest.param(SOUND, (), 0, id="nothing"),
        pytest.param(WARNING, (), 0, id="a warning"),
        pytest.param(WARNING, ("--fail-on", "warning"), 1, id="a warning that counts"),
        pytest.param(INFO, ("--fail-on", "info"), 1, id="an info that counts"),
        pytest.param(INFO, ("--fail-on", "warning"), 0, id="an info that does not"),
        pytest.param(REFUSED, (), 1, id="an error"),
        pytest.param(REFUSED, ("--exit-zero",), 0, id="an error, whatever is found"),
        pytest.param("", (), 2, id="empty input"),
        pytest.param("# nothing\n", ("--allow-empty",), 0, id="empty input that is allowed"),
        pytest.param(SOUND, ("--cluster", "nowhere.json"), 2, id="a cluster that is not there"),
        pytest.param(SOUND, ("--cluster", "web.yaml"), 2, id="a cluster without nodes"),
        pytest.param(SOUND, ("nowhere.yaml",), 2, id="a path that is not there"),
        pytest.param(SOUND, ("--baseline", "web.yaml"), 2, id="a baseline that is none"),
        pytest.param(SOUND, ("--enable-admission-plugins", "PodNodeSelektor"), 2, id="no such admission plugin"),
        pytest.param(SOUND, ("-o", "xml"), 2, id="no such format"),
    ],
)
def test_the_exit_code_says_how_bad_it_is(tmp_path: Path, manifest: str, words: tuple[str, ...], code: int) -> None:
    (tmp_path / "web.yaml").write_text(manifest)
    done = kexplain("lint", "web.yaml", *words, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert code != 2 or (done.stdout == b"" and done.stderr.startswith(b"kexplain: "))


@pytest.mark.parametrize(
    ("listed", "name", "says"),
    [
        (["Namespace"], "shpo", "there is no namespace shpo"),
        (["Namespace"], "shop", ""),
        (["Pod"], "shpo", "nothing that was read is in namespace shpo"),
        (["Pod"], "new-one", ""),
    ],
)
def test_a_namespace_that_is_not_there_is_named(tmp_path: Path, listed: list[str], name: str, says: str) -> None:
    there = {
        "Namespace": "{kind: Namespace, apiVersion: v1, metadata: {name: shop}}",
        "Pod": "kind: Pod\napiVersion: v1\nmetadata: {name: x, namespace: shop}\nspec: {containers: [{name: c}]}\n",
    }
    (tmp_path / "web.yaml").write_text(SOUND)
    (tmp_path / "cluster.yaml").write_text("\n---\n".join([NODE, *(there[kind] for kind in listed)]))
    done = kexplain("lint", "web.yaml", "-n", name, "--cluster", "cluster.yaml", cwd=tmp_path)
    assert (done.returncode == 2, says in done.stderr.decode()) == (bool(says), True)


def test_the_nearest_settings_above_count(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    (deep / "web.yaml").write_text(WARNING)
    (tmp_path / "nodes.yaml").write_text(NODE)
    settings = "cluster: [nodes.yaml]\nfailOn: info\nseverities: {node-name-set: error}\n"
    (tmp_path / ".kexplain.yaml").write_text(settings)
    done = kexplain("lint", "web.yaml", "-o", "json", cwd=deep)
    report = json.loads(done.stdout)
    assert (done.returncode, [finding["severity"] for finding in report["findings"]]) == (1, ["error"])
    assert kexplain("lint", "web.yaml", "--settings", "none", cwd=deep).returncode == 0


def test_every_fault_of_the_settings_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "web.yaml").write_text(SOUND)
    (tmp_path / ".kexplain.yaml").write_text("failOn: never\nclusters: [a]\nseverities:\n  cpu-unitt: info\n")
    done = kexplain("lint", "web.yaml", cwd=tmp_path)
    lines = done.stderr.decode().splitlines()
    assert done.returncode == 2
    assert [line.split(": ")[1].rpartition("/")[2].split(":")[1] for line in lines] == ["1", "2", "4"]
    (tmp_path / ".kexplain.yaml").write_text("failOn: never\nseverities:\n  cpu-unitt: info\n")
    said = kexplain("lint", "web.yaml", cwd=tmp_path).stderr.decode()
    assert ".kexplain.yaml:1:9: failOn: " in said
    assert ".kexplain.yaml:3:14: severities.cpu-unitt: there is no such rule" in said


def test_a_baseline_holds_what_is_known_wherever_it_moves(tmp_path: Path) -> None:
    (tmp_path / "web.yaml").write_text(REFUSED)
    written = kexplain("lint", "web.yaml", "--write-baseline", "known.json", cwd=tmp_path)
    assert written.returncode == 0
    assert b"written to known.json: with --baseline they are no longer reported" in written.stderr
    (tmp_path / "web.yaml").write_text(f"\n\n# moved\n{REFUSED}")
    done = kexplain("lint", "web.yaml", "--baseline", "known.json", cwd=tmp_path)
    assert done.returncode == 0
    assert b"in the baseline" in done.stdout
    (tmp_path / "web.yaml").write_text(f"{REFUSED}---\n{REFUSED.replace('name: web}', 'name: api}')}")
    assert kexplain("lint", "web.yaml", "--baseline", "known.json", cwd=tmp_path).returncode == 1


def test_several_formats_at_once(tmp_path: Path) -> None:
    (tmp_path / "web.yaml").write_text(WARNING)
    done = kexplain("lint", "web.yaml", "-o", "github", "-o", "sarif=x.sarif", "-o", "junit=x.xml", cwd=tmp_path)
    assert done.stdout.startswith(b"::warning file=web.yaml,line=4")
    assert json.loads((tmp_path / "x.sarif").read_text())["version"] == "2.1.0"
    assert (tmp_path / "x.xml").read_text().startswith("<?xml")


def test_a_kustomization_is_built_by_what_is_on_the_path(tmp_path: Path) -> None:
    tool = tmp_path / "kustomize"
    tool.write_text(f"#!/bin/sh\ntest $1 = build && cat <<'END'\n{WARNING}END\n")
    tool.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = kexplain("lint", "-k", "overlay", cwd=tmp_path, environment={"PATH": path})
    assert b"<kustomize overlay>:4:" in done.stdout
    tool.write_text("#!/bin/sh\necho 'no such overlay' >&2\nexit 1\n")
    done = kexplain("lint", "-k", "overlay", cwd=tmp_path, environment={"PATH": path})
    assert (done.returncode, b"no such overlay" in done.stderr) == (2, True)


def test_without_a_tool_a_kustomization_cannot_be_built(tmp_path: Path) -> None:
    done = kexplain("lint", "-k", "overlay", cwd=tmp_path, environment={"PATH": str(tmp_path)})
    assert done.returncode == 2
    assert b"needs kustomize or kubectl" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        pytest.param((), 0, b"node-selector-no-node", id="all"),
        pytest.param(("cpu-unit",), 0, b"## Bad", id="one"),
        pytest.param(("cpu-units",), 2, b"did you mean cpu-unit?", id="none"),
    ],
)
def test_rules_are_listed_and_shown(words: tuple[str, ...], code: int, says: bytes) -> None:
    done = kexplain("rules", *words)
    assert done.returncode == code
    assert says in done.stdout + done.stderr


def test_fix_prints_a_diff_and_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "web.yaml").write_text(REFUSED)
    done = kexplain("lint", "web.yaml", "--fix", cwd=tmp_path)
    assert done.returncode == 1
    assert "imag: web" in done.stdout.decode()
    assert (tmp_path / "web.yaml").read_text() == REFUSED
    subprocess.run(["git", "apply"], input=done.stdout, cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "web.yaml").read_text() == SOUND


@pytest.mark.parametrize(("cwd", "named", "root"), [(".", "{}/sub/web.yaml", "."), ("sub", "../web.yaml", "/")])
def test_a_diff_of_files_here_and_elsewhere_is_a_patch(tmp_path: Path, cwd: str, named: str, root: str) -> None:
    (tmp_path / "sub").mkdir()
    for path in (tmp_path / "web.yaml", tmp_path / "sub" / "web.yaml"):
        path.write_text(REFUSED)
    done = kexplain("lint", named.format(tmp_path), "--fix", cwd=tmp_path / cwd)
    subprocess.run(["patch", "-p1", "-d", root], input=done.stdout, cwd=tmp_path, check=True, capture_output=True)
    assert [path.read_text() for path in (tmp_path / "web.yaml", tmp_path / "sub" / "web.yaml")].count(SOUND) == 1


def test_fix_writes_files_once_and_keeps_all_else_of_them(tmp_path: Path) -> None:
    path, link = tmp_path / "web.yaml", tmp_path / "link.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + REFUSED.encode())
    path.chmod(0o640)
    link.symlink_to(path)
    done = kexplain("lint", "link.yaml", "web.yaml", "--fix", "--write", cwd=tmp_path)
    assert b"imag:" not in done.stdout
    assert path.read_bytes() == b"\xef\xbb\xbf" + SOUND.encode()
    assert (path.stat().st_mode & 0o777, link.is_symlink()) == (0o640, True)
    again = kexplain("lint", "web.yaml", "--fix", cwd=tmp_path)
    assert again.stdout == b""
    assert b"nothing is certain enough to be corrected" in again.stderr


def test_fix_writes_through_no_link_that_nobody_named(tmp_path: Path) -> None:
    path, tree = tmp_path / "elsewhere" / "web.yaml", tmp_path / "tree"
    for folder in (path.parent, tree):
        folder.mkdir()
    path.write_text(REFUSED)
    (tree / "link.yaml").symlink_to(path)
    done = kexplain("lint", "-R", "tree", "--fix", "--write", cwd=tmp_path)
    assert path.read_text() == REFUSED
    assert f"tree/link.yaml is a link and stays as it is; name {path}" in done.stderr.decode()
    kexplain("lint", "tree/link.yaml", "--fix", "--write", cwd=tmp_path)
    assert path.read_text() == SOUND


@pytest.mark.parametrize(
    "words", [("web.yaml", "--write"), ("-", "--fix", "--write"), ("web.yaml", "--fix", "-o", "json")]
)
def test_fix_and_write_go_together_and_need_files(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "web.yaml").write_text(SOUND)
    assert kexplain("lint", *words, cwd=tmp_path, stdin=SOUND.encode()).returncode == 2


@pytest.mark.parametrize("asked", ["1.39", "1.34,v1.39.0"])
def test_a_release_newer_than_any_is_taken_for_the_newest(asked: str, tmp_path: Path) -> None:
    (tmp_path / "web.yaml").write_text(SOUND)
    done = kexplain("lint", "web.yaml", "--kubernetes-version", asked, cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr.decode().count("Kubernetes 1.39 is not known here: deciding as 1.38") == 1
    assert kexplain("lint", "web.yaml", "--kubernetes-version", "1.3", cwd=tmp_path).returncode == 2


def test_manifests_are_checked_as_the_release_of_the_cluster(tmp_path: Path) -> None:
    (tmp_path / "web.yaml").write_text(SOUND.replace("spec: {", "spec: {hostnameOverride: web, "))
    old = NODE.replace("status: {", "status: {nodeInfo: {kubeletVersion: v1.33.4}, ")
    (tmp_path / "cluster.yaml").write_text(old)
    assert kexplain("lint", "web.yaml", cwd=tmp_path).returncode == 0
    done = kexplain("lint", "web.yaml", "--cluster", "cluster.yaml", cwd=tmp_path)
    assert (done.returncode, b"no such field in Kubernetes 1.33" in done.stdout) == (1, True)


@pytest.mark.parametrize(("release", "code"), [("1.36", 1), ("1.37", 0)])
def test_the_latest_standard_is_that_of_the_release(release: str, code: int, tmp_path: Path) -> None:
    tuned = SOUND.replace(
        "spec: {", "spec: {securityContext: {sysctls: [{name: net.ipv4.tcp_notsent_lowat, value: '1'}]}, "
    )
    (tmp_path / "web.yaml").write_text(tuned)
    enforced = "labels: {pod-security.kubernetes.io/enforce: baseline}"
    shop = f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: shop, {enforced}}}\n"
    (tmp_path / "cluster.yaml").write_text(f"{NODE}---\n{shop}")
    words = ("web.yaml", "-n", "shop", "--cluster", "cluster.yaml", "--kubernetes-version", release)
    for command in (["lint", *words], ["explain", *words]):
        done = kexplain(*command, cwd=tmp_path)
        assert (done.returncode == 1, b"tcp_notsent_lowat" in done.stdout) == (code == 1, code == 1), done


def test_a_chart_that_is_not_rendered_is_no_clean_run(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "Chart.yaml").write_text("name: shop\n")
    (tmp_path / "templates" / "web.yaml").write_text("{{ .Values.web }}\n")
    for words in (["-R"], []):
        done = kexplain("lint", *words, ".", cwd=tmp_path)
        assert (done.returncode, b"helm template . | kexplain lint -" in done.stderr) == (2, True)


def test_a_template_by_itself_is_no_clean_run(tmp_path: Path) -> None:
    template = tmp_path / "web.yaml"
    template.write_text("apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Release.Name }}\n")
    done = kexplain("lint", template)
    assert (done.returncode, b"has to be rendered first" in done.stderr) == (2, True)


def test_a_redacted_cluster_is_said_to_be_one(tmp_path: Path) -> None:
    dump, snapshot, manifest = tmp_path / "nodes.yaml", tmp_path / "cluster.snapshot", tmp_path / "web.yaml"
    dump.write_text("{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 4, pods: 9}}}")
    manifest.write_text(SOUND)
    assert kexplain("snapshot", "--cluster", dump, "--redact", "-o", snapshot).returncode == 0
    assert b"a redacted snapshot" in kexplain("lint", manifest, "--cluster", snapshot).stderr


def test_what_a_support_archive_lists_twice_counts_once(tmp_path: Path) -> None:
    deployment = SOUND.replace("metadata: {", "metadata: {uid: 8a1f, ")
    (tmp_path / "web.yaml").write_text(deployment)
    (tmp_path / "deployments.yaml").write_text(deployment)
    done = kexplain("lint", ".", cwd=tmp_path)
    assert b"(2 files, 1 object, 1 workload)" in done.stdout
    assert b"1 object is listed more than once" in done.stderr


def test_a_limit_range_that_is_refused_limits_nothing(tmp_path: Path) -> None:
    limits = "apiVersion: v1\nkind: LimitRange\nmetadata: {name: l}\n"
    limits += "spec: {limits: [{type: Container, defaultRequest: {memory: 1Gi1Gi}}]}\n---\n"
    (tmp_path / "web.yaml").write_text(limits + SOUND)
    done = kexplain("lint", "web.yaml", cwd=tmp_path)
    assert done.returncode == 1
    assert b'"1Gi1Gi" is not a quantity' in done.stdout
    assert b"1 error" in done.stdout


def test_nulls_in_settings_are_absent(tmp_path: Path) -> None:
    (tmp_path / ".kexplain.yaml").write_text("apiVersion: null\nkind: LintSettings\nfailOn: null\n")
    (tmp_path / "web.yaml").write_text(SOUND)
    assert kexplain("lint", "web.yaml", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("requests", "said", "corrected"),
    [
        pytest.param("memory: 64mi", b"did you mean 64Mi?", b"memory: 64Mi", id="a unit"),
        pytest.param("memory: 64MB", b"did you mean 64M or 64Mi?", b"", id="a unit that nobody knows"),
        pytest.param("memroy: 64Mi", b"did you mean memory?", b"memory: 64Mi", id="a resource"),
        pytest.param("gpu: 1", b"such as nvidia.com/gpu\n", b"", id="no slip"),
    ],
)
def test_slips_in_requests(tmp_path: Path, requests: str, said: bytes, corrected: bytes) -> None:
    (tmp_path / "web.yaml").write_text(
        SOUND.replace("name: web, image: web", f"name: web, image: web, resources: {{requests: {{{requests}}}}}")
    )
    assert said in kexplain("lint", "web.yaml", cwd=tmp_path).stdout
    done = kexplain("lint", "web.yaml", "--fix", cwd=tmp_path)
    assert (corrected in done.stdout, bool(done.stdout)) == (True, bool(corrected))


@pytest.mark.parametrize(
    ("spec", "said", "after"),
    [
        pytest.param(
            "  nodeSelector:\n  disk: ssd\n", b"belongs under nodeSelector: indent it", b"+    disk: ssd\n", id="empty"
        ),
        pytest.param("  nodeSelector: {a: b}\n  disk: ssd\n", b"there is no such field\n", b"", id="not empty"),
        pytest.param("  nodeSelector:\n  hostname: a\n  disk: ssd\n", b"there is no such field\n", b"", id="elsewhere"),
    ],
)
def test_what_stands_beside_a_map_that_is_empty_belongs_into_it(
    tmp_path: Path, spec: str, said: bytes, after: bytes
) -> None:
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers: [{name: c, image: c}]\n"
    (tmp_path / "web.yaml").write_text(pod + spec)
    assert said in kexplain("lint", "web.yaml", cwd=tmp_path).stdout
    done = kexplain("lint", "web.yaml", "--fix", cwd=tmp_path)
    assert (after in done.stdout, bool(done.stdout)) == (True, bool(after)), done


def test_an_empty_directory_may_be_allowed(tmp_path: Path) -> None:
    assert kexplain("lint", tmp_path).returncode == 2
    assert kexplain("lint", tmp_path, "--allow-empty").returncode == 0
