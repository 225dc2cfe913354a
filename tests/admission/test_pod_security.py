"""What the Pod Security standards forbid, and ask for; the answers are those of an API server of 1.36.2."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kexplain.admission import AdmissionObjects
from kexplain.admission.pod_security import security_problems
from kexplain.objects.core import Namespace
from kexplain.validation.check import check
from tests.admission.factories import pod

Json = dict[str, Any]

C = "spec.containers.0.securityContext"
ALL_ASKED = ("allowPrivilegeEscalation", "capabilities.drop", "seccompProfile.type", "runAsNonRoot")
SOUND: Json = {
    "allowPrivilegeEscalation": False,
    "capabilities": {"drop": ["ALL"]},
    "runAsNonRoot": True,
    "seccompProfile": {"type": "RuntimeDefault"},
}


def _namespace(level: str, version: str = "") -> Namespace:
    label = "pod-security.kubernetes.io/enforce"
    labels = {label: level} | ({f"{label}-version": version} if version else {})
    return msgspec.convert({"kind": "Namespace", "metadata": {"name": "shop", "labels": labels}}, Namespace)


def _fields(level: str, spec: Json, version: str = "", latest: int = 36) -> list[str]:
    problems = security_problems(pod(**spec), _namespace(level, version), latest)
    return [".".join(map(str, each.path)) for each in problems]


def _one(container: Json, **spec: Any) -> Json:
    return {"containers": [{"name": "c", **container}], **spec}


def _in(context: Json, **spec: Any) -> Json:
    return _one({"securityContext": context}, **spec)


@pytest.mark.parametrize(
    ("spec", "fields"),
    [
        pytest.param(_one({}), [], id="nothing-said"),
        pytest.param(_one({}, hostPID=True, hostIPC=True), ["spec.hostPID", "spec.hostIPC"], id="host-namespaces"),
        pytest.param(_one({"ports": [{"hostPort": 80}]}), ["spec.containers.0.ports.0.hostPort"], id="host-port"),
        pytest.param(_in({"privileged": True}), [f"{C}.privileged"], id="privileged"),
        pytest.param(_in({"capabilities": {"add": ["CHOWN"]}}), [], id="default-capability"),
        pytest.param(_in({"capabilities": {"add": ["SYS_ADMIN"]}}), [f"{C}.capabilities.add.0"], id="capability"),
        pytest.param(_in({"seccompProfile": {"type": "Unconfined"}}), [f"{C}.seccompProfile.type"], id="seccomp"),
        pytest.param(_in({"appArmorProfile": {"type": "Unconfined"}}), [f"{C}.appArmorProfile.type"], id="app-armor"),
        pytest.param(_in({"seLinuxOptions": {"type": "container_engine_t"}}), [], id="selinux-type"),
        pytest.param(
            _in({"seLinuxOptions": {"type": "spc_t", "user": "x"}}),
            [f"{C}.seLinuxOptions.user", f"{C}.seLinuxOptions.type"],
            id="selinux",
        ),
        pytest.param(_in({"procMount": "Unmasked"}), [f"{C}.procMount"], id="proc"),
        pytest.param(_in({"procMount": "Unmasked"}, hostUsers=False), [], id="proc-with-users-of-its-own"),
        pytest.param(
            _one({}, securityContext={"sysctls": [{"name": "net.ipv4.tcp_rmem"}, {"name": "net.core.somaxconn"}]}),
            ["spec.securityContext.sysctls.1.name"],
            id="sysctls",
        ),
        pytest.param(
            _one({}, volumes=[{"name": "a", "nfs": {}}, {"name": "b", "hostPath": {"path": "/"}}]),
            ["spec.volumes.1.hostPath"],
            id="host-path",
        ),
        pytest.param(
            _one({}, securityContext={"windowsOptions": {"hostProcess": True}}),
            ["spec.securityContext.windowsOptions.hostProcess"],
            id="host-process",
        ),
        pytest.param(_in({"runAsUser": 0, "runAsNonRoot": False}), [], id="root"),
    ],
)
def test_baseline(spec: Json, fields: list[str]) -> None:
    assert _fields("baseline", spec) == fields


@pytest.mark.parametrize(
    ("spec", "fields"),
    [
        pytest.param(_in(SOUND), [], id="sound"),
        pytest.param(
            _one({}),
            [
                f"{C}.{at}"
                for at in ("allowPrivilegeEscalation", "capabilities.drop", "seccompProfile.type", "runAsNonRoot")
            ],
            id="nothing-said",
        ),
        pytest.param(
            _in({"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}, securityContext=SOUND),
            [],
            id="said-for-the-whole-pod",
        ),
        pytest.param(_in(SOUND | {"capabilities": {"drop": ["all"]}}), [f"{C}.capabilities.drop"], id="capitals"),
        pytest.param(
            _in(SOUND | {"capabilities": {"drop": ["ALL"], "add": ["NET_BIND_SERVICE", "CHOWN"]}}),
            [f"{C}.capabilities.add.1"],
            id="only-one-capability",
        ),
        pytest.param(_in(SOUND | {"runAsUser": 0}), [f"{C}.runAsUser"], id="root"),
        pytest.param(_in(SOUND | {"runAsNonRoot": False}), [f"{C}.runAsNonRoot"], id="may-be-root"),
        pytest.param(
            _in(SOUND, securityContext={"runAsNonRoot": False}),
            ["spec.securityContext.runAsNonRoot"],
            id="pod-may-be-root",
        ),
        pytest.param(_in(SOUND | {"runAsUser": 0, "runAsNonRoot": False}, hostUsers=False), [], id="users-of-its-own"),
        pytest.param(
            _in(SOUND, volumes=[{"name": "a", "configMap": {}}, {"name": "b", "nfs": {}}]),
            ["spec.volumes.1.nfs"],
            id="nfs",
        ),
        pytest.param(_in({"runAsNonRoot": True}, os={"name": "windows"}), [], id="windows"),
    ],
)
def test_restricted(spec: Json, fields: list[str]) -> None:
    assert _fields("restricted", spec) == fields


@pytest.mark.parametrize(
    ("version", "latest", "is_harmless"),
    [
        ("v1.36", 37, False),
        ("v1.37", 37, True),
        ("latest", 36, False),
        ("latest", 37, True),
        ("", 36, False),
        ("", 38, True),
        ("v1.37", 36, False),
        ("v1.99", 36, False),
    ],
)
def test_more_sysctls_are_harmless_in_newer_versions(version: str, latest: int, is_harmless: bool) -> None:
    """The latest version is that of the API server, which knows none that is newer."""
    tuned = _one({}, securityContext={"sysctls": [{"name": "net.ipv4.tcp_notsent_lowat"}]})
    assert (_fields("baseline", tuned, version, latest) == []) is is_harmless


@pytest.mark.parametrize(
    ("version", "context", "fields"),
    [
        ("v1.21", {key: SOUND[key] for key in SOUND if key != "capabilities"}, []),
        ("v1.22", SOUND | {"runAsUser": 0}, []),
        ("v1.30", SOUND | {"seLinuxOptions": {"type": "container_engine_t"}}, [f"{C}.seLinuxOptions.type"]),
        ("v1.34", SOUND | {"runAsNonRoot": False}, [f"{C}.runAsNonRoot"]),
        ("latest", SOUND | {"runAsNonRoot": False}, []),
    ],
)
def test_a_namespace_may_hold_to_an_older_version(version: str, context: Json, fields: list[str]) -> None:
    assert _fields("restricted", _in(context, hostUsers=False), version) == fields


def test_lint_names_the_field() -> None:
    template = {"metadata": {"labels": {"app": "web"}}, "spec": _in(SOUND | {"privileged": True})}
    template["spec"]["containers"][0]["image"] = "web:1"
    spec = {"selector": {"matchLabels": {"app": "web"}}, "template": template}
    manifest = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "shop"}}
    problems = check(manifest | {"spec": spec}, AdmissionObjects.of([_namespace("baseline")]))
    assert ("spec.template.spec.containers[0].securityContext.privileged") in [each.field for each in problems]


def test_a_manifest_of_which_everything_is_asked_for_is_checked() -> None:
    manifest = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "shop"}}
    spec = {"containers": [{"name": "c", "image": "c:1", "terminationMessagePolicy": "File"}]}
    problems = check(manifest | {"spec": spec}, AdmissionObjects.of([_namespace("restricted")]))
    assert [each.path[-1] for each in problems if "restricted" in each.message] == [
        "allowPrivilegeEscalation", "drop", "type", "runAsNonRoot"
    ]  # fmt: skip
