"""The cluster, as files describe it."""

from typing import Annotated, ClassVar

from msgspec import Struct

from kexplain.cli.flags.declaring import Words, option, utf8


class ClusterFlags(Struct, frozen=True, kw_only=True):
    """The files that describe the cluster; without any, a live one is read where a command can."""

    panel: ClassVar = "The cluster"

    cluster: Annotated[Words, option()] = ()
    nodes: Annotated[Words, option()] = ()
    running: Annotated[Words, option("--pods")] = ()
    at: Annotated[str, option(callback=utf8)] = ""
    instance_types: Annotated[str, option()] = ""
    recursive: Annotated[bool, option("-R")] = False

    @property
    def files(self) -> Words:
        """All files, nodes first."""
        return [*self.nodes, *self.running, *self.cluster]
