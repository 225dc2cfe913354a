"""`kexplain mcp`: a server of the Model Context Protocol, for agents."""

from msgspec import Struct

from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.flags.scheduler import CycleFlags


class Request(Struct, frozen=True, kw_only=True):
    """Answer the questions of agents about one cluster, over standard input and output, without changing anything.

    It speaks the Model Context Protocol, and needs the extra kexplain[mcp].

    For example:
        kexplain mcp  # about the cluster of the kubeconfig
        kexplain mcp --cluster dump.json  # about a dump
    """

    cluster: ClusterFlags
    scheduler: CycleFlags
    connection: ConnectionFlags
