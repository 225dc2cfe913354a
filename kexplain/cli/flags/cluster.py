"""The cluster, as files describe it."""

from typing import Annotated, ClassVar

from msgspec import Struct

from kexplain.cli.flags.declaring import Words, option


class ClusterFlags(Struct, frozen=True, kw_only=True):
    """The files that describe the cluster; without any, a live one is read where a command can."""

    panel: ClassVar = "The cluster"

    cluster: Annotated[
        Words,
        option(
            metavar="FILE|DIR",
            daily=True,
            help="What the cluster holds: a dump or a snapshot. Also manifests and directories.",
        ),
    ] = ()
    nodes: Annotated[
        Words,
        option(
            metavar="FILE",
            daily=True,
            help="Its nodes, from kubectl get nodes -o yaml. Also a directory, or - for stdin.",
        ),
    ] = ()
    running: Annotated[
        Words, option("--pods", metavar="FILE", daily=True, help="Its running pods. Any file may hold any kinds.")
    ] = ()
    instance_types: Annotated[
        str,
        option(
            metavar="FILE",
            help="A table of the cloud's instance types, to tell what nodes may come: JSON of aws ec2 "
            "describe-instance-types, gcloud compute machine-types list, or az vm list-skus.",
        ),
    ] = ""
    recursive: Annotated[bool, option("-R", help="Read subdirectories too.")] = False

    @property
    def files(self) -> Words:
        """All files, nodes first."""
        return [*self.nodes, *self.running, *self.cluster]
