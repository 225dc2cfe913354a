"""Who looks after what, by tables and by name."""

from __future__ import annotations

import pytest

from kexplain.diagnosis.caretakers import Subject, caretaker

UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized"


@pytest.mark.parametrize(
    ("subject", "name", "component", "other"),
    [
        (Subject.TAINT, UNINITIALIZED, "openstack-cloud-controller-manager", "csi-cinder-controllerplugin"),
        (Subject.TAINT, UNINITIALIZED, "cloud-node-manager-windows", "calico-node"),
        (Subject.TAINT, "node.cilium.io/agent-not-ready", "cilium", "calico-node"),
        (Subject.TAINT, "storage.acme.io/not-ready", "acme-storage-node", "acme-web"),
        (Subject.RESOURCE, "nvidia.com/gpu", "nvidia-device-plugin-daemonset", "node-exporter"),
        (Subject.RESOURCE, "habana.ai/gaudi", "habanalabs-device-plugin", "nvidia-device-plugin-daemonset"),
        (Subject.DRIVER, "ebs.csi.aws.com", "ebs-csi-controller", "efs-csi-controller"),
        (Subject.DRIVER, "rook-ceph.rbd.csi.ceph.com", "csi-rbdplugin-provisioner", "csi-cephfsplugin"),
        (Subject.DRIVER, "lustre.csi.acme.io", "acme-lustre-csi", "acme-web"),
        (Subject.LABEL, "katacontainers.io/kata-runtime", "kata-deploy", "node-feature-discovery"),
        (Subject.LABEL, "kubevirt.io/schedulable", "virt-handler", "virt-api"),
        (Subject.SCHEDULER, "default-scheduler", "kube-scheduler", "volcano-scheduler"),
        (Subject.SCHEDULER, "bin-packer", "bin-packer", "unpacker"),
    ],
)
def test_who_looks_after_it(subject: Subject, name: str, component: str, other: str) -> None:
    who = caretaker(subject, name)
    assert who is not None
    assert who.is_called(component)
    assert not who.is_called(other)


def test_a_name_that_says_nothing_has_nobody() -> None:
    assert caretaker(Subject.DRIVER, "csi.k8s.io") is None
