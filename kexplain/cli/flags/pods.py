"""What to place."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import Struct

from kexplain.bounds import MAX_COPIES
from kexplain.cli.flags.declaring import Declaration, Words, argument, option, utf8

if TYPE_CHECKING:
    from kexplain.objects.pod_selection import PodSelection


#: What is meant without POD; a request that means something else says so in its `without_pods`.
PENDING = "every pending pod"


def _pods(request: Any) -> Declaration:
    return argument(
        metavar="POD",
        help=f"A manifest, a directory, - for stdin, or pod/NAME; default: {_without_pods(request)}. Names are NAME, "
        "pod/NAME, deploy/NAME, deploy NAME and so on, in the cluster of --cluster or in the live one.",
    )


def _namespace(request: Any) -> Declaration:
    search = " Without POD, it limits the search for pending pods to this namespace."
    return option(
        "-n",
        metavar="NAME",
        callback=utf8,
        daily=True,
        help="Namespace of POD and of objects that name none. Default is that of the kubeconfig's context for a "
        f"live cluster, else default.{search if _without_pods(request) == PENDING else ''}",
    )


def _without_pods(request: Any) -> str:
    return str(getattr(request, "without_pods", PENDING))


class Validate(StrEnum):
    """What becomes of fields that an API server would refuse."""

    STRICT = "strict"
    WARN = "warn"
    IGNORE = "ignore"

    @property
    def strict(self) -> bool | None:
        """Whether they are faults, not notes; None where nobody looks."""
        return None if self is Validate.IGNORE else self is Validate.STRICT


class PodFlags(Struct, frozen=True, kw_only=True):
    """The pods that a command is about."""

    panel: ClassVar = "What to place"

    pods: Annotated[Words, _pods] = ()
    filename: Annotated[Words, option("-f")] = ()
    namespace: Annotated[str, _namespace] = ""
    all_namespaces: Annotated[bool, option("-A")] = False
    selector: Annotated[str, option("-l", callback=utf8)] = ""
    field_selector: Annotated[str, option(callback=utf8)] = ""
    replicas: Annotated[int | None, option(min=1, max=MAX_COPIES)] = None

    validate: Annotated[Validate, option()] = Validate.WARN

    @property
    def references(self) -> Words:
        """Files and names, in the order in which they were given, with a kind before each name that has one."""
        from kexplain.objects.workload_kinds import kind_and_name

        return [*kind_and_name(self.pods), *self.filename]

    def selection(self) -> "PodSelection":
        """Which pods are meant. Raises UsageError on selectors that cannot be read."""
        from kexplain.objects.pod_selection import PodSelection, asked, parse_field_selector, parse_label_selector

        labels = asked(parse_label_selector, self.selector, "--selector ")
        chosen = asked(parse_field_selector, self.field_selector, "--field-selector ")
        # Where files or names are given, the namespace says where they are, and chooses nothing.
        namespace = "" if self.all_namespaces or self.references else self.namespace
        return PodSelection(namespace=namespace, labels=labels, fields=chosen)
