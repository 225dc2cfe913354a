"""How to reach an API server, in the words of kubectl's flags; nothing here connects to anything."""

from msgspec import Struct

#: Where a pod finds the credentials of its service account.
SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount"


class Connection(Struct, frozen=True, kw_only=True):
    """Which cluster to read, and as which user; the kubeconfig files decide what is empty."""

    #: Files in the order in which they count; those that do not exist are passed over.
    kubeconfig: tuple[str, ...] = ()
    context: str = ""
    cluster_name: str = ""
    user: str = ""
    server: str = ""
    token: str = ""
    username: str = ""
    password: str = ""
    certificate_authority: str = ""
    client_certificate: str = ""
    client_key: str = ""
    insecure_skip_tls_verify: bool = False
    tls_server_name: str = ""
    as_user: str = ""
    as_uid: str = ""
    as_groups: tuple[str, ...] = ()
    #: `KEY=VALUE`, as often as wanted for one key.
    as_extra: tuple[str, ...] = ()
    #: Seconds for one request as a whole. Without, only a server that falls silent is given up on.
    request_timeout: float | None = None
    disable_compression: bool = False
    #: Whether a list may be as old as what the server holds in memory.
    cached_read: bool = False
    #: Whether this runs in a pod, whose service account serves where there is no kubeconfig file.
    in_cluster: bool = False
    service_account: str = SERVICE_ACCOUNT
    #: Who asks, for the logs of the server.
    user_agent: str = "kexplain"
