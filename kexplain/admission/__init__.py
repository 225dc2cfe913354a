"""What an API server makes of a pod before the scheduler sees it, as far as scheduling depends on it.

Release 1.36 with its default feature gates and its default admission plugins; webhooks and policies of a
cluster are not known here.
"""

from kexplain.admission.chain import AdmissionObjects, Admitted, admit, is_from_cluster
from kexplain.admission.optional_plugins import AdmissionPlugin, enabled_plugins
from kexplain.admission.priority import group_with_priority
from kexplain.admission.resource_claims import GeneratedClaims, generate_claims
from kexplain.admission.storage import default_class, ephemeral_claims, stored
from kexplain.admission.workloads import WorkloadPods, declared_replicas, pods_of
