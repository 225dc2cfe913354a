"""The cluster, as files describe it."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from kexplain.cli.flags.declaring import option


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterFlags:
    """The files that describe the cluster; without any, a live one is read where a command can."""

    panel: ClassVar = "The cluster"

    cluster: Annotated[
        list[str],
        option(
            metavar="FILE|DIR",
            daily=True,
            help="What the cluster holds: a dump or a snapshot. Also manifests and directories.",
        ),
    ] = field(default_factory=list)
    nodes: Annotated[
        list[str],
        option(
            metavar="FILE",
            daily=True,
            help="Its nodes, from kubectl get nodes -o yaml. Also a directory, or - for stdin.",
        ),
    ] = field(default_factory=list)
    running: Annotated[
        list[str], option("--pods", metavar="FILE", daily=True, help="Its running pods. Any file may hold any kinds.")
    ] = field(default_factory=list)
    recursive: Annotated[bool, option("-R", help="Read subdirectories too.")] = False

    @property
    def files(self) -> list[str]:
        """All files, nodes first."""
        return [*self.nodes, *self.running, *self.cluster]
