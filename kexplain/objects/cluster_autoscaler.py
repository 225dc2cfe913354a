"""What cluster-autoscaler publishes of itself: a ConfigMap, of which only one key is read.

Source: cluster-autoscaler `clusterstate/utils/status.go`.
"""

from typing import Any, ClassVar

from kexplain.objects.meta import KubernetesObject
from kexplain.objects.untrusted import text

STATUS_NAME, STATUS_NAMESPACE = "cluster-autoscaler-status", "kube-system"


class ConfigMap(KubernetesObject, frozen=True, tag_field="kind", tag="ConfigMap"):
    """A ConfigMap; only cluster-autoscaler's is read, which some clouds give a longer name."""

    is_of_queues: ClassVar[bool] = True

    data: Any = None

    @property
    def is_read(self) -> bool:
        """Whether it is cluster-autoscaler's."""
        return self.name.startswith(STATUS_NAME)

    @property
    def status(self) -> str:
        """What cluster-autoscaler says."""
        return text(self.data, "status")
