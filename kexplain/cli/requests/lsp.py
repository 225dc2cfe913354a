"""`kexplain lsp`: a language server, for editors."""

from msgspec import Struct

from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.requests.lint import LintedClusterFlags


class Request(Struct, frozen=True, kw_only=True):
    """Show in an editor what lint finds, correct it, and say of a workload how often it fits.

    It speaks the Language Server Protocol over standard input and output, and needs the extra kexplain[lsp]. Without
    options the cluster is the one that .kexplain.yaml names, or the editor.

    For example:
        kexplain lsp  # without a cluster, or with that of .kexplain.yaml
        kexplain lsp --cluster cluster.snapshot  # also whether everything schedules
    """

    cluster: LintedClusterFlags
    connection: ConnectionFlags
