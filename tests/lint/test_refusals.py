"""What is refused of pods that operators make: as far as their templates are those of Kubernetes, all of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kexplain.load.raw_manifests import load_written
from tests.lint.linting import linted

RESOURCE = "apiVersion: {version}\nkind: {kind}\nmetadata: {{name: x, namespace: shop}}\nspec:\n"
CONTAINERS = "containers: [{name: c, image: i}]"
#: By kind: the version, and a spec around that of pods.
SPECS = {
    "RayCluster": ("ray.io/v1", "headGroupSpec: {template: {spec: {POD}}}"),
    "JobSet": (
        "jobset.x-k8s.io/v1alpha2",
        "replicatedJobs: [{name: a, template: {spec: {template: {spec: {restartPolicy: Never, POD}}}}}]",
    ),
    "Rollout": (
        "argoproj.io/v1alpha1",
        "{selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {POD}}}",
    ),
    "Job": ("batch.volcano.sh/v1alpha1", "tasks: [{name: a, replicas: 2, template: {spec: {POD}}}]"),
    "Thing": ("example.com/v1", "size: 2\n  podTemplate: {spec: {POD}}"),
}


def found(kind: str, pod: str, *swaps: tuple[str, str], cluster: str = "") -> list[str]:
    """What is refused of a resource whose pods have that spec."""
    version, spec = SPECS[kind]
    for before, after in swaps:
        assert before in spec
        spec = spec.replace(before, after)
    text = f"{RESOURCE.format(version=version, kind=kind)}  {spec.replace('POD', pod)}\n"
    return [each.message for each in linted(text, cluster).findings if each.severity == "error"]


@pytest.mark.parametrize("kind", SPECS)
@pytest.mark.parametrize(
    ("slip", "says"),
    [
        ("nodeSelectr: {a: b}, {}", "spec.nodeSelectr: there is no such field; did you mean nodeSelector?"),
        ("tolerations: [{key: a, operator: Equals}], {}", '"Equals" is not supported: use Equal or Exists'),
        ("priorityClassName: hihg, {}", "there is no PriorityClass hihg; did you mean high?"),
        ("restartPolicy: OnFailur, {}", '"OnFailur" is not supported'),
        ("containers: [{name: c, image: i, volumMounts: []}]", "there is no such field; did you mean volumeMounts?"),
    ],
)
def test_slips_in_templates_of_pods(kind: str, slip: str, says: str) -> None:
    cluster = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 5\n"
    assert found(kind, CONTAINERS, cluster=cluster) == []
    without = [("restartPolicy: Never, ", "")] if kind == "JobSet" and "restart" in slip else []
    messages = found(kind, slip.replace("{}", CONTAINERS), *without, cluster=cluster)
    assert any(says in each for each in messages) or (without and "must be OnFailure or Never" in messages[0])


def test_what_operators_add_and_know_beyond_kubernetes_is_no_slip() -> None:
    further = f"{CONTAINERS[:-2]}, volumeMounts: [{{name: added, mountPath: /a}}]}}], scaledBy: 3"
    assert found("Thing", further) == []
    assert found("Thing", "containers: [{image: i}]") == []


def test_jobs_of_a_job_set_are_jobs() -> None:
    always = found("JobSet", CONTAINERS, ("restartPolicy: Never", "restartPolicy: Always"))
    assert [each.partition(" must")[0] for each in always] == [
        "spec.replicatedJobs[0].template.spec.template.spec.restartPolicy"
    ]
    (slip,) = found("JobSet", CONTAINERS, ("{template: {spec: {rest", "{parallelsm: 2, template: {spec: {rest"))
    assert slip == (
        "spec.replicatedJobs[0].template.spec.parallelsm: there is no such field; did you mean parallelism?"
    )


def test_a_rollout_selects_its_pods() -> None:
    (message,) = found("Rollout", CONTAINERS, ("labels: {a: b}", "labels: {a: c}"))
    assert message == "spec.template.metadata.labels must match the selector (a: b)"
    assert (
        found("Rollout", CONTAINERS, ("{selector", "{strategy: {canary: {steps: [{setWeight: 20}]}}, selector")) == []
    )


def test_a_gang_of_more_pods_than_there_are() -> None:
    (message,) = found("Job", CONTAINERS, ("tasks", "minAvailable: 3\n  tasks"))
    assert message == "spec.minAvailable is 3, and there are 2 pods, so that none ever starts"
    assert found("Job", CONTAINERS, ("tasks", "minAvailable: 2\n  tasks")) == []


def test_what_a_job_set_fills_in_is_not_missed() -> None:
    mounting = "containers: [{name: c, image: i, volumeMounts: [{name: made, mountPath: /a}]}]"
    assert found("JobSet", mounting, ("restartPolicy: Never, ", "")) == []


def test_the_label_that_keeps_a_selector_from_matching_is_the_place() -> None:
    deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n"
    deployment += "  selector: {matchLabels: {a: b, c: d}}\n"
    deployment += "  template:\n    metadata:\n      labels:\n        a: b\n        c: e\n"
    (found,) = linted(f"{deployment}    spec: {{{CONTAINERS}}}\n").findings
    assert (found.line, found.field) == (10, "spec.template.metadata.labels")


@pytest.mark.parametrize(("label", "meant"), [("wbe", "web"), ("api", "")])
def test_a_label_that_is_a_slip_of_what_the_selector_asks_for_is_corrected(label: str, meant: str) -> None:
    deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n"
    deployment += (
        f"  selector: {{matchLabels: {{app: web}}}}\n  template:\n    metadata: {{labels: {{app: {label}}}}}\n"
    )
    (found,) = linted(f"{deployment}    spec: {{{CONTAINERS}}}\n").findings
    assert found.instead == (meant or None)


def test_files_without_objects_are_passed_over_where_none_have_to_be_there(tmp_path: Path) -> None:
    other = tmp_path / "values.yaml"
    other.write_text("replicas: 2\n")
    written = load_written([str(other)], "marker", passed_over=[str(other)])
    assert (written.faults, written.loaded.foreign) == ([], [str(other)])
    assert load_written([str(other)], "marker").faults
