"""What an object of a queue tells about a pod that it holds back."""

from functools import cache
from typing import Any

from kexplain.diagnosis.findings.statement import Statement
from kexplain.diagnosis.records import Held, Kind, held_by
from kexplain.objects.queues import QueueObject
from kexplain.objects.untrusted import WrittenCondition
from kexplain.shell import command
from kexplain.tables import rows


@cache
def reasons() -> dict[str, dict[str, str]]:
    """What reasons and messages of queues mean, and how that is said."""
    return rows(__file__, "reasons")


def told_of(obj: QueueObject, by: str, kind: Kind, said: Statement, condition: WrittenCondition, **more: Any) -> Held:
    """The hold that the object tells of, in the words of its condition; `more` is what else its `Hold` has."""
    resource = f"{obj.kind.lower()}s.{(obj.api_version or '').partition('/')[0]}"
    more["command"] = command("kubectl describe", resource, obj.name, namespace=obj.namespace)
    what, version = f"{obj.kind} {obj.key.removeprefix('/')}", obj.api_version or ""
    written = {"since": condition.since, "reason": condition.reason, "message": condition.message}
    return held_by(by, kind, said, object=what, api_version=version, **written, **more)
