from __future__ import annotations

from pathlib import Path

import pytest

from tests.recorder.__main__ import main

from .differing import Difference, differences

GATES = """\tDRAAdminAccess: {{
\t\t{{Version: version.MustParse("1.32"), Default: false, PreRelease: featuregate.Alpha}},
\t\t{{Version: version.MustParse("1.34"), Default: true, PreRelease: featuregate.Beta}},{}
\t}},
"""
GA = '\n\t\t{Version: version.MustParse("1.36"), Default: true, PreRelease: featuregate.GA, LockToDefault: true},'
UNKNOWN = """\tFlyingPods: {
\t\t{Version: version.MustParse("1.39"), Default: false, PreRelease: featuregate.Alpha},
\t},
"""
TAINTED = 'package t\n\nconst ErrReason = "node(s) had a taint, that the pod didn\'t tolerate"\n'
AT_ODDS = 'package t\n\nvar s = fwk.NewStatus(fwk.Unschedulable, "node(s) were at odds")\n'


def _tree(
    root: Path, *, gates: str, weight: int, said: str, field: str = "", point: str = "", within: str = ""
) -> Path:
    plugins = f"\t\t{{Name: names.NodeAffinity, Weight: ptr.To[int32]({weight})}},\n"
    written = {
        "pkg/features/kube_features.go": gates,
        "pkg/scheduler/apis/config/v1/default_plugins.go": plugins,
        "pkg/scheduler/apis/config/types_pluginargs.go": f"type FitArgs struct {{\n\tOld []string\n{field}}}\n",
        "pkg/scheduler/framework/interface.go": f"type FilterPlugin interface {{\n}}\n{point}",
        "pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go": said,
        "pkg/scheduler/framework/plugins/tainttoleration/taint_toleration_test.go": said,
    }
    for name, text in written.items():
        file = root / within / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return root


@pytest.fixture
def trees(tmp_path: Path) -> tuple[Path, Path]:
    old = _tree(tmp_path / "old", gates=GATES.format(""), weight=1, said=TAINTED)
    new = _tree(
        tmp_path / "new", gates=GATES.format(GA) + UNKNOWN, weight=2, said=AT_ODDS, field="\tNew int64\n",
        point="type FlyPlugin interface {\n}\n", within="vendor/k8s.io/kubernetes",
    )  # fmt: skip
    return old, new


def test_each_difference_says_where_it_belongs(trees: tuple[Path, Path]) -> None:
    found = [each for each in differences(*trees) if each.subject not in {"reasons", "files"}]
    known = "1.32 Alpha off, 1.34 Beta on"
    assert found == [
        Difference(
            "gates", "DRAAdminAccess", known, f"{known}, 1.36 GA on locked", "kexplain/tables/gates.json: has it"
        ),
        Difference(
            "gates", "FlyingPods", "", "1.39 Alpha off", "kexplain/tables/gates.json or inert-gates.txt: not known"
        ),
        Difference("defaults", "NodeAffinity", "1", "2", "kexplain/tables/default-plugins.json"),
        Difference("arguments", "FitArgs.New", "", "int64", "kexplain/config/component/plugin_args.py"),
        Difference("points", "FlyPlugin", "", "interface", "kexplain/framework/plugin.py"),
    ]


def test_of_a_text_is_said_whether_it_is_known(trees: tuple[Path, Path]) -> None:
    table = "kexplain/messages/tables/scheduler-*.txt"
    belongs = {each.name: each.belongs for each in differences(*trees) if each.subject == "reasons"}
    assert belongs["node(s) were at odds"] == table


def test_files_of_a_plugin_belong_to_its_module_and_tests_are_left_aside(trees: tuple[Path, Path]) -> None:
    of_plugin = [each for each in differences(*trees) if each.subject == "files" and "plugins/" in each.name]
    assert [(each.name, each.belongs) for each in of_plugin] == [
        ("pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go", "kexplain/plugins/taint_toleration.py")
    ]


def test_a_tree_does_not_differ_from_itself(trees: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trees", str(trees[0]), str(trees[0])]) == 0
    assert capsys.readouterr().out == ""


def test_the_command_prints_them_by_subject(trees: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trees", *map(str, trees)]) == 0
    out = capsys.readouterr().out
    assert "\ndefaults\n  NodeAffinity: 1 ⇒ 2 → kexplain/tables/default-plugins.json\n" in out
    assert "  FlyPlugin: new → kexplain/framework/plugin.py" in out


def test_what_is_no_tree_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trees", str(tmp_path), str(tmp_path)]) == 2
    assert "holds no scheduler" in capsys.readouterr().err
