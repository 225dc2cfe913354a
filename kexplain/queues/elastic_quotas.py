"""ElasticQuotas of scheduler-plugins and of Koordinator: whether the pod would exceed what its quota may use.

Source: scheduler-plugins `capacity_scheduling.go` (one quota a namespace), Koordinator `elastic_quota.go` (the label).
"""

from collections.abc import Iterator
from contextlib import suppress

from kexplain.cluster import Listers
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.records import Held, Kind, QuotaUse
from kexplain.objects.core import Pod
from kexplain.objects.quantity import QuantityError, parse
from kexplain.objects.queues import ElasticQuota
from kexplain.objects.untrusted import WrittenCondition, texts
from kexplain.queues.told import told_of

#: By which label pods name their quota.
_NAME = "quota.scheduling.koordinator.sh/name"


def held_by_elastic_quota(pod: Pod, listers: Listers) -> Held | None:
    """The quota that the pod would exceed, by what it requests and what is written; None if there is none."""
    for quota in listers.every(ElasticQuota):
        name = pod.labels.get(_NAME)
        if quota.name == name or (name is None and quota.namespace == pod.namespace):
            by = "Koordinator" if name else "CapacityScheduling (scheduler-plugins)"
            if exceeded := tuple(_exceeded(quota, pod)):
                said = told("over-elastic-quota", quota=quota.name, more=[each.figures for each in exceeded])
                kind, unsaid = Kind.QUEUE_WAITING_FOR_QUOTA, WrittenCondition()
                return told_of(quota, by, kind, said, unsaid, queue=quota.name, quota=exceeded)
    return None


def _exceeded(quota: ElasticQuota, pod: Pod) -> Iterator[QuotaUse]:
    used, most = texts(quota.status, "used"), texts(quota.spec, "max")
    for resource, allowed in most.items():
        with suppress(QuantityError):
            if parse(used.get(resource, "0")) + _requested(pod, resource) > parse(allowed):
                yield QuotaUse(resource=resource, used=used.get(resource, ""), allowed=allowed)


def _requested(pod: Pod, resource: str) -> int:
    lists = (each.requests for each in pod.spec.containers or ())
    return sum(parse(each[resource]) for each in lists if each and resource in each)
