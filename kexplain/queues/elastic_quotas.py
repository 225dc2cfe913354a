"""ElasticQuotas of scheduler-plugins and of Koordinator: whether the pod would exceed what its quota may use.

Source: scheduler-plugins `capacity_scheduling.go` (one quota a namespace), Koordinator `elastic_quota.go` (the label).
"""

from collections.abc import Iterator
from contextlib import suppress

from kexplain.cluster import Listers
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.records import Held, Kind, QuotaUse, held_by
from kexplain.objects.core import Pod
from kexplain.objects.quantity import QuantityError, parse
from kexplain.objects.queues import ElasticQuota
from kexplain.objects.untrusted import texts
from kexplain.shell import command

#: By which label pods name their quota.
_NAME = "quota.scheduling.koordinator.sh/name"


def held_by_elastic_quota(pod: Pod, listers: Listers) -> Held | None:
    """The quota that the pod would exceed, by what it requests and what is written; None if there is none."""
    for quota in listers.every(ElasticQuota):
        name = pod.labels.get(_NAME)
        if quota.name == name or (name is None and quota.namespace == pod.namespace):
            exceeded = tuple(_exceeded(quota, pod))
            if exceeded:
                return _hold(quota, exceeded, "Koordinator" if name else "CapacityScheduling (scheduler-plugins)")
    return None


def _hold(quota: ElasticQuota, exceeded: tuple[QuotaUse, ...], by: str) -> Held:
    return held_by(
        by,
        Kind.QUEUE_WAITING_FOR_QUOTA,
        told("over-elastic-quota", quota=quota.name, more=[each.figures for each in exceeded]),
        object=f"ElasticQuota {quota.key}",
        api_version=quota.api_version or "",
        queue=quota.name,
        quota=exceeded,
        command=command("kubectl describe elasticquota", quota.name, namespace=quota.namespace),
    )


def _exceeded(quota: ElasticQuota, pod: Pod) -> Iterator[QuotaUse]:
    used, most = texts(quota.status, "used"), texts(quota.spec, "max")
    for resource, allowed in most.items():
        with suppress(QuantityError):
            if parse(used.get(resource, "0")) + _requested(pod, resource) > parse(allowed):
                yield QuotaUse(resource=resource, used=used.get(resource, ""), allowed=allowed)


def _requested(pod: Pod, resource: str) -> int:
    lists = (each.requests for each in pod.spec.containers or ())
    return sum(parse(each[resource]) for each in lists if each and resource in each)
