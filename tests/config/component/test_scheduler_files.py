from __future__ import annotations

from pathlib import Path

import pytest

from kexplain.config.component.scheduler_files import read_scheduler_file
from kexplain.config.scheduler_settings import SchedulerSettings, build_scheduler
from kexplain.errors import InputError, UsageError

CONFIGURATION = """\
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: mine
  percentageOfNodesToScore: 20
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {{name: kube-scheduler}}
spec:
  containers:
  - image: registry.example.com/kube-scheduler:{tag}
    command: [kube-scheduler, {flags}]
"""


def pod_manifest(*flags: str, tag: str = "v1.36.2") -> str:
    return POD.format(tag=tag, flags=", ".join(f'"{flag}"' for flag in flags))


def indented(text: str, by: int) -> str:
    return "".join(f"{' ' * by}{line}\n" for line in text.splitlines())


def config_map(text: str) -> str:
    return f"apiVersion: v1\nkind: ConfigMap\ndata:\n  notes: none\n  config.yaml: |\n{indented(text, 4)}"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "scheduler.yaml"


def refused(file: Path, text: str) -> InputError:
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        build_scheduler(SchedulerSettings(config=str(file)))
    return caught.value


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(CONFIGURATION, id="alone"),
        pytest.param(config_map(CONFIGURATION), id="in-a-config-map"),
        pytest.param(f"kind: Namespace\n---\n{config_map(CONFIGURATION)}", id="among-others"),
        pytest.param(f"{CONFIGURATION}---\n{pod_manifest('--config=/etc/x.yaml')}", id="beside-the-pod"),
    ],
)
def test_a_configuration_is_found(file: Path, text: str) -> None:
    file.write_text(text)
    assert list(build_scheduler(SchedulerSettings(config=str(file))).profiles) == ["mine"]


def test_places_in_a_config_map_are_those_of_the_file(file: Path) -> None:
    (fault,) = refused(file, config_map(CONFIGURATION.replace("20", "200"))).faults
    assert (fault.line, fault.column) == (10, 33)


def test_places_in_a_text_on_one_line_are_that_of_the_text(file: Path) -> None:
    text = CONFIGURATION.replace("20", "200").replace("\n", "\\n")
    (fault,) = refused(file, f'kind: ConfigMap\ndata:\n  a: "{text}"\n').faults
    assert (fault.line, fault.column, fault.path) == (3, 6, "profiles[0].percentageOfNodesToScore")


AKS = "apiVersion: aks.azure.com/v1alpha1\nkind: SchedulerConfiguration\nmetadata: {name: upstream}\nspec:\n"
PROFILES = indented(CONFIGURATION.partition("KubeSchedulerConfiguration\n")[2], 2)


@pytest.mark.parametrize(
    "spec",
    [pytest.param(f"  rawConfig: |\n{indented(CONFIGURATION, 4)}", id="text"), pytest.param(PROFILES, id="profiles")],
)
def test_a_configuration_of_aks_leaves_the_default_scheduler(file: Path, spec: str) -> None:
    file.write_text(AKS + spec)
    made = build_scheduler(SchedulerSettings(config=str(file)))
    assert list(made.profiles) == ["mine", "default-scheduler"]
    assert made.profiles["mine"].percentage_of_nodes_to_score == 20


def test_a_configuration_of_aks_may_have_the_default_scheduler_itself(file: Path) -> None:
    file.write_text(AKS + PROFILES.replace("mine", "default-scheduler"))
    made = build_scheduler(SchedulerSettings(config=str(file)))
    assert made.profiles["default-scheduler"].percentage_of_nodes_to_score == 20


def test_places_in_a_configuration_of_aks_are_those_of_the_file(file: Path) -> None:
    text = indented(CONFIGURATION.replace("20", "200"), 4)
    (fault,) = refused(file, f"{AKS}  rawConfig: |\n{text}").faults
    assert (fault.line, fault.column) == (10, 33)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("", "expected a KubeSchedulerConfiguration", id="empty"),
        pytest.param(f"{AKS}  rawConfig: 7", "expected rawConfig with the text", id="aks-number"),
        pytest.param(
            "apiVersion: example.com/v1\nkind: SchedulerConfiguration", "found SchedulerConf", id="not-of-aks"
        ),
        pytest.param("kind: [Pod]\n", "expected a KubeSchedulerConfiguration", id="kind-is-a-list"),
        pytest.param(f"{CONFIGURATION}---\n{CONFIGURATION}", "one of 2 in this file", id="two"),
        pytest.param(f"{pod_manifest()}---\n{pod_manifest()}", "one of several pods", id="two-pods"),
        pytest.param(pod_manifest("--config", "/a.yaml"), "in /a.yaml", id="file-elsewhere"),
        pytest.param(pod_manifest("--policy-config-file=/p.json"), "/p.json on its node with policy=FILE", id="policy"),
        pytest.param(pod_manifest("--policy-configmap=p"), "with policy=FILE", id="policy-in-a-config-map"),
        pytest.param(pod_manifest("--feature-gates=A=maybe"), "is not GATE=true or GATE=false", id="gates"),
        pytest.param(pod_manifest("--hard-pod-affinity-symmetric-weight=101"), "between 0 and 100", id="weight"),
        pytest.param(pod_manifest("--algorithm-provider=Best"), "is not one of DefaultProvider", id="provider"),
    ],
)
def test_what_is_refused(file: Path, text: str, told: str) -> None:
    assert told in str(refused(file, text))


def test_flags_of_a_pod(file: Path) -> None:
    file.write_text(
        pod_manifest(
            "--scheduler-name=mine",
            "--feature-gates=NoSuchGateAnywhere=true",
            "--algorithm-provider=ClusterAutoscalerProvider",
        )
    )
    made = build_scheduler(SchedulerSettings(config=str(file)))
    assert list(made.profiles) == ["mine"]
    assert any("NoSuchGateAnywhere" in note for note in made.notes)


def test_gates_of_a_pod_are_taken_together(file: Path) -> None:
    """One that needs another is not passed over."""
    file.write_text(pod_manifest("--feature-gates=GangScheduling=true,GenericWorkload=true"))
    made = build_scheduler(SchedulerSettings(config=str(file), kubernetes_version="1.36"))
    assert made.features.gangs
    assert made.notes == ()


@pytest.mark.parametrize(
    ("tag", "release"),
    [
        pytest.param("v1.34.1", "1.34", id="tag"),
        pytest.param("v1.34.1-gke.5", "1.34", id="suffix"),
        pytest.param("v1.34@sha256:12", "1.34", id="digest"),
        pytest.param("latest", "", id="latest"),
    ],
)
def test_the_image_tells_the_release(file: Path, tag: str, release: str) -> None:
    file.write_text(pod_manifest(tag=tag))
    assert read_scheduler_file(str(file)).release == release


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(SchedulerSettings(config="c", policy="p"), id="policy"),
        pytest.param(SchedulerSettings(config="c", scheduler_name="s"), id="scheduler-name"),
    ],
)
def test_what_does_not_go_together(settings: SchedulerSettings) -> None:
    with pytest.raises(UsageError):
        build_scheduler(settings)


def test_a_percentage_that_is_asked_for_goes_before_the_file(file: Path) -> None:
    file.write_text(CONFIGURATION)
    made = build_scheduler(SchedulerSettings(config=str(file), percentage_of_nodes_to_score=7))
    assert made.percentage_of_nodes_to_score == 7
    assert made.profiles["mine"].percentage_of_nodes_to_score is None


@pytest.mark.parametrize("weight", ["1.0e+308", "-1.0e+308", "1.5"])
def test_numbers_that_no_integer_holds_are_faults_with_a_place(file: Path, weight: str) -> None:
    args = f"scoringStrategy: {{type: LeastAllocated, resources: [{{name: cpu, weight: {weight}}}]}}"
    text = f"{CONFIGURATION}  pluginConfig:\n  - name: NodeResourcesFit\n    args: {{{args}}}\n"
    at = "profiles[0].pluginConfig[0].args.scoringStrategy.resources[0].weight"
    assert {fault.path: fault.message.partition(", found")[0] for fault in refused(file, text).faults} == {
        at: "expected a whole number"
    }
