"""`kexplain event`: what the message of an event means."""

from typing import Annotated, ClassVar

from msgspec import Struct

from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.declaring import Words, argument, option, utf8
from kexplain.cli.flags.report import ReportFlags
from kexplain.render import Kind


class EventFlags(Struct, frozen=True, kw_only=True):
    """The messages, and the pod that they are about."""

    panel: ClassVar = "What to explain"

    texts: Annotated[Words, argument(callback=lambda values: [utf8(value) for value in values or ()])] = ()
    pod: Annotated[str, option(callback=utf8)] = ""
    namespace: Annotated[str, option("-n", callback=utf8)] = ""


class Request(Struct, frozen=True, kw_only=True):
    """What does the message of a FailedScheduling event mean, part by part?

    For example:
        kexplain event "0/5 nodes are available: ..."  # a message, as pasted
        kubectl describe pod web | kexplain event -  # what kubectl prints of a pod
        kubectl get events -A -o json | kexplain event -  # every event of a pod
        kexplain event "..." --pod web --cluster FILE  # with the nodes behind each part
    """

    reports: ClassVar = Kind.EVENT

    events: EventFlags
    cluster: ClusterFlags
    report: ReportFlags
