"""What is certain enough to be corrected, and how the text looks afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from itertools import permutations

import pytest

from kexplain.case import scheduler_for
from kexplain.lint.corrections import corrections
from kexplain.lint.engine import lint
from kexplain.lint.findings import LintReport
from kexplain.lint.ignores import MARKER
from kexplain.lint.options import LintOptions
from kexplain.load.raw_manifests import Written, load_written

SCHEDULER = scheduler_for(None, ())
POD = """apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers: [{name: web, image: web}]
"""
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringDat: {a: b}\n"  # noqa: S105 (it is none)


def linted(written: Written) -> LintReport:
    return lint(written, None, SCHEDULER, LintOptions())


def corrected(text: str) -> str:
    """The text after all corrections; a second run finds none."""
    once = _once(text)
    assert _once(once) == once
    return once


def _once(text: str) -> str:
    written = load_written(["-"], MARKER, stdin=BytesIO(text.encode()))
    found = [*corrections(linted(written).findings, written, linted)]
    return found[0].after.decode() if found else text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("  nodeSelectr: {a: b} # why\n", "  nodeSelector: {a: b} # why\n"),
        ('  "nodeselector": {a: b}\n', '  "nodeSelector": {a: b}\n'),
        ("  nodeSelector: {a: yes, 'b': 0x10}\n", '  nodeSelector: {a: "yes", \'b\': "0x10"}\n'),
        ("  priority: '10'\n", "  priority: 10\n"),
        ('  hostNetwork: "true"\n', "  hostNetwork: true\n"),
        ("  nodeSelectr: {节点: yes}\n", '  nodeSelector: {节点: "yes"}\n'),
        ("  tolerations: &t [{key: a, operatr: Exists}]\n", "  tolerations: &t [{key: a, operator: Exists}]\n"),
    ],
)
def test_only_the_word_changes(before: str, after: str) -> None:
    assert corrected(POD + before) == POD + after
    crlf = (POD + before).replace("\n", "\r\n")
    assert corrected(crlf) == (POD + after).replace("\n", "\r\n")


@pytest.mark.parametrize(
    "text",
    [
        POD + "  selector: {a: b}\n",
        POD + "  nodeSelectr: {a: b}\n  nodeSelector: {a: b}\n",
        POD + "  nodeSelectr: [a]\n",
        POD + "  priority: '010'\n",
        POD + "  hostNetwork: 'on'\n",
        SECRET,
        f"# Source: shop/templates/web.yaml\n{POD}  nodeSelectr: {{a: b}}\n",
        f"{POD}  # kexplain:ignore refused it is meant so\n  nodeSelectr: {{a: b}}\n",
    ],
    ids=["unlike", "both", "value-misfits", "octal", "other-word", "secret", "rendered", "ignored"],
)
def test_what_is_not_certain_stays(text: str) -> None:
    assert corrected(text) == text


def test_every_document_is_corrected_and_what_corrections_reveal() -> None:
    inner = POD.replace("containers", "container").replace("image: web", "imag: web, env: [{name: A, vlaue: 1}]")
    text = f"{inner}---\n{POD.replace('spec', 'sepc')}"
    wanted = POD.replace("image: web", 'image: web, env: [{name: A, value: "1"}]')
    assert corrected(text) == f"{wanted}---\n{POD}"


@pytest.mark.parametrize(
    ("amounts", "wanted"),
    [
        ('{cpu: 1000, memory: "128m"}', '{cpu: 1000m, memory: "128Mi"}'),
        ('{"cpu": 1000, "memory": "512"}', '{"cpu": 1000m, "memory": "512Mi"}'),
    ],
)
def test_units(amounts: str, wanted: str) -> None:
    text = POD.replace("image: web", f"image: web, resources: {{limits: {amounts}}}")
    assert corrected(text) == text.replace(amounts, wanted)


def test_a_mount_of_a_volume_that_is_called_almost_so_is_corrected() -> None:
    text = POD.replace(
        "web}]", "web, volumeMounts: [{name: NAME, mountPath: /a}]}]\n  volumes: [{name: data, emptyDir: {}}]"
    )
    assert corrected(text.replace("NAME", "dta")) == text.replace("NAME", "data")
    assert corrected(text.replace("NAME", "logs")) == text.replace("NAME", "logs")


def test_json_stays_json() -> None:
    text = """{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"},
 "sepc": {"nodeSelector": {"a": true}, "containers": [{"name": "web", "image": "web",
  "resources": {"limits": {"cpu": 1000}}}]}}"""
    wanted = text.replace("sepc", "spec").replace("true", '"true"').replace("1000", '"1000m"')
    assert corrected(text) == wanted


def test_old_versions_with_equal_fields() -> None:
    text = "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: a}\nspec: {minAvailable: 1}\n"
    assert corrected(text) == text.replace("v1beta1", "v1")


CONTAINER = """apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
    - name: web
      image: web
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "      resources:\n      requests:\n        cpu: 1\n\n        memory: 1Gi\n      tty: true\n",
            "      resources:\n        requests:\n          cpu: 1\n\n          memory: 1Gi\n      tty: true\n",
            id="a-block",
        ),
        pytest.param(
            "      resources:\n      requests: {cpu: 1}\n      limits: {cpu: 2}\n",
            "      resources:\n        requests: {cpu: 1}\n        limits: {cpu: 2}\n",
            id="two-keys",
        ),
        pytest.param(
            "      lifecycle:\n      preStop:\n        exec:\n          command:\n          - a\n",
            "      lifecycle:\n        preStop:\n          exec:\n            command:\n            - a\n",
            id="a-list",
        ),
        pytest.param(
            "      limits: {cpu: 2}\n      resources:\n", "      limits: {cpu: 2}\n      resources:\n", id="before-it"
        ),
        pytest.param("      requests: {cpu: 2}\n", "      requests: {cpu: 2}\n", id="nothing-to-stand-below"),
        pytest.param(
            "      resources:\n         limits: {cpu: 2}\n      requests: {cpu: 2}\n",
            "      resources:\n         limits: {cpu: 2}\n         requests: {cpu: 2}\n",
            id="beside-another",
        ),
    ],
)
def test_a_key_that_belongs_to_the_one_above_it_is_indented(before: str, after: str) -> None:
    assert corrected(CONTAINER + before) == CONTAINER + after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "      nodeSelector:\n        a: b\n      tolerations:\n      - key: a\n        operator: Exists\n",
            "  nodeSelector:\n    a: b\n  tolerations:\n  - key: a\n    operator: Exists\n",
            id="last-in-the-last-container",
        ),
        pytest.param(
            "      nodeSelector:\n        a: b\n      resources:\n        requests: {cpu: 1}\n",
            "      resources:\n        requests: {cpu: 1}\n  nodeSelector:\n    a: b\n",
            id="a-block-of-the-container-follows",
        ),
        pytest.param(
            "      nodeSelector:\n        a: b\n      tty: true\n",
            "      nodeSelector:\n        a: b\n      tty: true\n",
            id="a-field-of-the-container-follows",
        ),
        pytest.param(
            "      nodeSelector:\n        a: b\n    - name: b\n      image: b\n",
            "      nodeSelector:\n        a: b\n    - name: b\n      image: b\n",
            id="a-container-follows",
        ),
        pytest.param(
            "      nodeSelector:\n        a: b\n  nodeSelector:\n    c: d\n",
            "      nodeSelector:\n        a: b\n  nodeSelector:\n    c: d\n",
            id="it-is-there",
        ),
        pytest.param(
            "      nodeSelector:\n        a: b\n  tolerations: []\n",
            "  nodeSelector:\n    a: b\n  tolerations: []\n",
            id="others-follow-outside",
        ),
    ],
)
def test_keys_at_the_end_of_a_container_move_out_to_where_they_belong(before: str, after: str) -> None:
    assert corrected(CONTAINER + before) == CONTAINER + after


FIELDS = (
    "env:\n- {name: A, value: b}",
    "livenessProbe:\n  httpGet: {path: /, port: 80}",
    "ports: [{containerPort: 80}]",
)
BEHIND = ("", "  volumes: []\n", "  # the end\n  restartPolicy: Always\n")


def indented(fields: Iterable[str], columns: int) -> str:
    return "".join(f"{' ' * columns}{line}\n" for field in fields for line in field.splitlines())


@pytest.mark.parametrize("columns", [2, 4])
@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("fields", [each for size in (1, 2, 3) for each in permutations(FIELDS, size)])
@pytest.mark.parametrize("others", ["", "- {name: b, image: b}\n", "- name: b\n  image: b\n"])
def test_fields_beside_containers_move_into_the_only_one_or_stay(
    columns: int, behind: str, fields: tuple[str, ...], others: str
) -> None:
    others = indented([others], columns) if others else ""
    head = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: web}}\nspec:\n  containers:\n{others}"
    head += indented(["- name: web\n  image: web:1"], columns)
    right, wrong = (f"{head}{indented(fields, at)}{behind}" for at in (columns + 2, 2))
    assert corrected(wrong) == (wrong if others else right)


@pytest.mark.parametrize(
    ("containers", "says"),
    [
        ("[{name: web, image: web:1}]", "containers[0]: indent it"),
        ("[{name: a, image: a}, {name: web, image: web:1}]", "it belongs under containers[1]: indent it"),
        ("[{name: web, image: web:1, env: []}]", "it belongs to an item of containers"),
    ],
)
def test_where_fields_beside_containers_belong(containers: str, says: str) -> None:
    text = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: web}}\nspec:\n  containers: {containers}\n"
    text += "  env: [{name: A, value: b}]\n"
    (finding,) = linted(load_written(["-"], MARKER, stdin=BytesIO(text.encode()))).findings
    assert finding.message.endswith(says)
    assert corrected(text) == text


def test_what_stands_between_would_take_a_field_in() -> None:
    text = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n  - name: web\n    image: web:1\n"
    text += "  frobnicate:\n    a: b\n  env:\n  - {name: A, value: b}\n"
    assert corrected(text) == text


def test_a_key_beside_a_spec_moves_into_it() -> None:
    template = "  template:\n    spec:\n      containers: [{name: a, image: a}]\n    nodeSelector: {a: b}\n"
    text = f"apiVersion: batch/v1\nkind: Job\nmetadata: {{name: a}}\nspec:\n{template}"
    assert corrected(text) == text.replace("    nodeSelector", "      nodeSelector")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("tolerations: [{key: a, operator: Equals}]", "tolerations: [{key: a, operator: Equal}]"),
        ("restartPolicy: never", "restartPolicy: Never"),
        ("dnsPolicy: clusterfirst", "dnsPolicy: ClusterFirst"),
        ("preemptionPolicy: Sometimes", "preemptionPolicy: Sometimes"),
    ],
)
def test_a_slip_for_one_of_few_words_is_corrected(before: str, after: str) -> None:
    assert corrected(f"{CONTAINER}  {before}\n") == f"{CONTAINER}  {after}\n"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("      requests: {cpu: 2}\n", "it belongs under resources"),
        ("      nodeSelector: {a: b}\n", "it belongs under spec"),
        ("      securityContext: {fsGroup: 5}\n", "it belongs under spec.securityContext"),
        ("      resources: {cpu: 50m}\n", "it belongs under limits or requests"),
        ("      resources:\n      requests: {cpu: 2}\n", "it belongs under resources: indent it"),
        ("      frobnicate: 1\n", "there is no such field"),
    ],
)
def test_a_field_at_the_wrong_place_is_told_where_it_belongs(line: str, says: str) -> None:
    written = load_written(["-"], MARKER, stdin=BytesIO((CONTAINER + line).encode()))
    (finding,) = linted(written).findings
    assert finding.message.endswith(says)


def test_slips_between_objects_are_corrected() -> None:
    spread = "topologySpreadConstraints:\n  - topologyKey: topology.kubernetes.io/KEY\n    maxSkew: 1\n"
    spread += "    whenUnsatisfiable: DoNotSchedule\n    labelSelector: {}"
    probe = "ports: [{name: http, containerPort: 80}], livenessProbe: {tcpSocket: {port: PORT}}"
    text = POD.replace("image: web}]", f"image: web, {probe}}}]\n  {spread}")
    text += "---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web-runner}\n"
    text = text.replace("spec:\n", "spec:\n  serviceAccountName: ACCOUNT\n")
    right = text.replace("KEY", "zone").replace("PORT", "http").replace("ACCOUNT", "web-runner")
    wrong = text.replace("KEY", "zones").replace("PORT", "htpp").replace("ACCOUNT", "web-runer")
    assert corrected(wrong) == right


def test_ports_in_quotes_and_retired_labels_are_corrected() -> None:
    probe = "    readinessProbe: {httpGet: {path: /, port: %s}}\n"
    assert corrected(CONTAINER + "  " + probe % '"8080"') == CONTAINER + "  " + probe % "8080"
    label = "  nodeSelector: {%s: a}\n"
    before, after = "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"
    assert corrected(CONTAINER + label % before) == CONTAINER + label % after


def test_a_correction_after_which_an_api_server_would_refuse_the_text_is_not_made() -> None:
    of = "{maxSkew: 1, whenUnsatisfiable: DoNotSchedule, topologyKey: %s}"
    keys = [of % "topology.kubernetes.io/zone", of % "failure-domain.beta.kubernetes.io/zone"]
    text = f"{CONTAINER}  topologySpreadConstraints: [{', '.join(keys)}]\n"
    assert corrected(text) == text
    # The limit alone would be below its request.
    amounts = POD.replace("image: web", "image: web, resources: {requests: {cpu: %s}, limits: {cpu: %s}}")
    assert corrected(amounts % (2, 500)) == amounts % (2, 500)
    assert corrected(amounts % (300, 500)) == amounts % ("300m", "500m")
