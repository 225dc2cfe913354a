"""What an object of a queue tells about a pod that it holds back."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from kexplain.diagnosis.findings.statement import Statement
from kexplain.diagnosis.records import Held, Kind, held_by
from kexplain.objects.queues import QueueObject
from kexplain.objects.untrusted import WrittenCondition
from kexplain.shell import command


@cache
def reasons() -> dict[str, dict[str, str]]:
    """What reasons and messages of queues mean, and how that is said."""
    return tomllib.loads((Path(__file__).parent / "tables" / "reasons.toml").read_text(encoding="utf-8"))


def told_of(obj: QueueObject, by: str, kind: Kind, said: Statement, condition: WrittenCondition, **more: Any) -> Held:
    """The hold that the object tells of, in the words of its condition; `more` is what else its `Hold` has."""
    resource = f"{obj.kind.lower()}s.{(obj.api_version or '').partition('/')[0]}"
    more["command"] = command("kubectl describe", resource, obj.name, namespace=obj.namespace)
    what, version = f"{obj.kind} {obj.key.removeprefix('/')}", obj.api_version or ""
    written = {"since": condition.since, "reason": condition.reason, "message": condition.message}
    return held_by(by, kind, said, object=what, api_version=version, **written, **more)
