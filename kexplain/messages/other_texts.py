"""The texts of everybody else: earlier releases, queues, autoscalers, kubelets, the API server."""

from kexplain.messages.tables import table

EARLIER_NODE_TEXTS = table("earlier-nodes")
EARLIER_POD_TEXTS = table("earlier-pods")
#: What extenders, queues, other schedulers and plugins say.
OTHER_NODE_TEXTS = table("other-nodes")
OTHER_POD_TEXTS = table("other-pods")
VOLCANO_NODE_TEXTS = (*table("volcano-nodes"), *OTHER_NODE_TEXTS)
ADMISSION_TEXTS = table("admission")
KUBELET_TEXTS = table("kubelet")
CLUSTER_AUTOSCALER_TEXTS = table("cluster-autoscaler")
GKE_MESSAGES = table("gke-autoscaler")
#: Why the cloud has not given the nodes that were asked for. The last one says anything.
SCALE_UP_FAILURES = table("scale-up-failures")
FARGATE_TEXTS = table("fargate")
KARPENTER_TEXTS = table("karpenter")
