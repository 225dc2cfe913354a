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

    texts: Annotated[
        Words,
        argument(
            metavar="TEXT",
            callback=lambda values: [utf8(value) for value in values or ()],
            help="A message, or a file, or - for stdin: events in YAML or JSON, what kubectl prints, or messages.",
        ),
    ] = ()
    pod: Annotated[
        str,
        option(metavar="NAME", callback=utf8, help="The pod that a message is about; an event names its own."),
    ] = ""
    namespace: Annotated[str, option("-n", metavar="NAME", callback=utf8, help="The namespace of that pod.")] = ""


class Request(Struct, frozen=True, kw_only=True):
    """What does the message of a FailedScheduling event mean, part by part?"""

    examples: ClassVar = (
        ('kexplain event "0/5 nodes are available: ..."', "a message, as pasted"),
        ("kubectl describe pod web | kexplain event -", "what kubectl prints of a pod"),
        ("kubectl get events -A -o json | kexplain event -", "every event of a pod"),
        ('kexplain event "..." --pod web --cluster FILE', "with the nodes behind each part"),
    )
    reports: ClassVar = Kind.EVENT

    events: EventFlags
    cluster: ClusterFlags
    report: ReportFlags
