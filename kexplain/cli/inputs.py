"""What a command reads, and what it says beside its report."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import BinaryIO, TypeVar

from kexplain.case import Case, NoNodesError, load_case
from kexplain.cli.connection import live_cluster
from kexplain.config.scheduler_settings import SchedulerSettings
from kexplain.errors import UsageError
from kexplain.load.live.connection import Connection
from kexplain.objects.pod_selection import PodSelection, parse_field_selector, parse_label_selector
from kexplain.objects.selectors import SelectorError
from kexplain.render.view import printable

Parsed = TypeVar("Parsed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The pods to place and the cluster around them, as they were named on the command line."""

    references: list[str]
    cluster: list[str]
    recursive: bool
    namespace: str
    replicas: int | None
    all_namespaces: bool = False
    #: Which pods are meant, as kubectl takes it.
    selector: str = ""
    field_selector: str = ""
    #: The cluster to read where no file describes one; None if there is nothing that names any.
    connection: Connection | None = None

    def load(self, scheduler: SchedulerSettings, *, may_be_empty: bool = False) -> Case:
        """Read it all for that scheduler. Raises what `load_case` does, and UsageError if nothing was named."""
        if not self.references and not self.cluster and self.connection is None:
            raise UsageError(
                "nothing to explain: name a manifest, a directory, - for stdin, or pod/NAME with --cluster FILE",
                "for instance: kexplain pod.yaml --nodes nodes.yaml",
            )
        if [*self.references, *self.cluster].count("-") > 1:
            raise UsageError("stdin (-) can be read only once")
        try:
            return load_case(
                self.references,
                self.cluster,
                namespace=self.namespace,
                replicas=self.replicas,
                recursive=self.recursive,
                stdin=standard_input(),
                may_be_empty=may_be_empty,
                settings=scheduler,
                selection=self._selection(),
                live=None if self.connection is None else partial(live_cluster, self.connection),
            )
        except NoNodesError as error:
            hint = f"{error.hint}, given with --nodes FILE; or name a cluster to read with --kubeconfig"
            raise NoNodesError(error.message, hint) from None

    def _selection(self) -> PodSelection:
        return PodSelection(
            # Where files or names are given, the namespace says where they are, and chooses nothing.
            namespace="" if self.all_namespaces or self.references else self.namespace,
            labels=_parsed("--selector", self.selector, parse_label_selector),
            fields=_parsed("--field-selector", self.field_selector, parse_field_selector),
        )


def _parsed(option: str, text: str, parse: Callable[[str], Parsed]) -> Parsed:
    try:
        return parse(text)
    except SelectorError as error:
        raise UsageError(f'{option} "{text}": {error}') from None


def standard_input() -> BinaryIO:
    """Standard input as bytes; a process may be started without."""
    return sys.stdin.buffer if sys.stdin is not None else BytesIO()


def print_notes(notes: Iterable[str]) -> None:
    """What there is to say beside the report, on stderr."""
    for note in notes:
        print(f"kexplain: note: {printable(note)}", file=sys.stderr)  # noqa: T201
