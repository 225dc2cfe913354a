"""What an object of a queue tells about a pod that it holds back."""

from kexplain.diagnosis.findings.statement import Statement
from kexplain.diagnosis.records import Held, Kind, QuotaUse, held_by
from kexplain.objects.queues import QueueObject
from kexplain.objects.untrusted import WrittenCondition
from kexplain.shell import command


def told_of(
    obj: QueueObject,
    by: str,
    kind: Kind,
    said: Statement,
    condition: WrittenCondition,
    *,
    queue: str = "",
    quota: tuple[QuotaUse, ...] = (),
    ahead: int | None = None,
    fix: str = "",
) -> Held:
    """The hold that the object tells of, in the words of its condition."""
    resource = f"{obj.kind.lower()}s.{(obj.api_version or '').partition('/')[0]}"
    return held_by(
        by,
        kind,
        said,
        object=f"{obj.kind} {obj.key.removeprefix('/')}",
        api_version=obj.api_version or "",
        queue=queue,
        since=condition.since,
        reason=condition.reason,
        message=condition.message,
        quota=quota,
        ahead=ahead,
        fix=fix,
        command=command("kubectl describe", resource, obj.name, namespace=obj.namespace),
    )
