"""A live cluster: configuration, credentials and TLS as the official client reads them.

The only module that imports `kubernetes`, and imported by nothing that does not read a cluster. Of the client no
model is used: answers are passed on as bytes. Where the client differs from kubectl, this module corrects it: the first
of several kubeconfig files names the current context, `as` and `proxy-url` of a kubeconfig have their effect, files and
credential plugins are found beside the kubeconfig that names them, a plugin that fails ends the run, and the client's
legacy auth providers never run.
"""

import os
import ssl
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from ipaddress import ip_address, ip_network
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit
from urllib.request import getproxies_environment

from kubernetes.client import Configuration
from kubernetes.config.config_exception import ConfigException
from kubernetes.config.incluster_config import InClusterConfigLoader
from kubernetes.config.kube_config import ConfigNode, KubeConfigLoader

from kexplain.bounds import PARSER_TOO_DEEP, TOO_DEEP
from kexplain.errors import ClusterError
from kexplain.grouping import grouped
from kexplain.load.live.api_client import ApiClient
from kexplain.load.live.api_resources import Resource
from kexplain.load.live.chunked_list import Listener
from kexplain.load.live.cluster_reader import read_cluster
from kexplain.load.live.connection import Connection
from kexplain.load.live.credential_plugin import PluginError, credentials
from kexplain.load.live.entries import (
    Entry,
    check_file,
    check_files,
    install_hint,
    with_cluster_flags,
    with_credentials_found,
    with_user_flags,
)
from kexplain.load.live.kubeconfig import read_kubeconfig
from kexplain.load.live.surroundings import read_around
from kexplain.load.live.transport import Access, HttpTransport, without_password
from kexplain.load.loaded import Loaded
from kexplain.parameters import parameter

#: What names of headers hold besides letters and digits, and `%` announces anything else.
_IN_A_HEADER = "!#$&'*+-.^_`|~"
#: Of what a plugin says about its failure.
_LONGEST_REASON = 1000


class LiveCluster:
    """A cluster behind an API server, read when it is asked for and then kept."""

    def __init__(self, connection: Connection, listener: Listener | None = None) -> None:
        """Raises ClusterError if nothing names the cluster or the user."""
        self._connection = connection
        self._listener = listener
        self._access = access(connection)
        self._loaded: dict[tuple[Resource, ...], Loaded] = {}

    @property
    def namespace(self) -> str:
        """Where objects are that name no namespace; empty if nothing says so."""
        return self._access.namespace

    def read(self, resources: Sequence[Resource]) -> Loaded:
        """The objects of these kinds. Raises ClusterError if the cluster cannot be read."""
        kinds = tuple(resources)
        if kinds not in self._loaded:
            cached = self._connection.cached_read
            with closing(self._transport()) as transport:
                server = ApiClient(transport)
                self._loaded[kinds] = read_cluster(server, kinds, cached=cached, listener=self._listener)
        return self._loaded[kinds]

    def around(self, namespace: str = "") -> Loaded:
        """What was said in it, and what other projects have written; of a namespace, what was said there.

        A note says what cannot be read.
        """
        with closing(self._transport()) as transport:
            return read_around(transport, namespace, cached=self._connection.cached_read)

    def _transport(self) -> HttpTransport:
        given = self._connection
        return HttpTransport(
            self._access, request_timeout=given.request_timeout, compressed=not given.disable_compression
        )


def access(connection: Connection) -> Access:
    """How the cluster is reached that a connection describes. Raises ClusterError if that is not said, or wrong."""
    # Unlike Path.exists, this is False for what cannot be looked at.
    files = [path for path in connection.kubeconfig if os.path.exists(path)]
    # Keys embedded in a kubeconfig go through files, which must not outlive this.
    with TemporaryDirectory(prefix="kexplain-") as directory:
        if files or connection.server:
            return _from_kubeconfig(connection, files, directory)
        if connection.in_cluster:
            return _from_service_account(connection)
    named = ", ".join(connection.kubeconfig)
    missing = f"there is no file {named}" if named else "neither KUBECONFIG nor HOME is set"
    advice = f"name a kubeconfig file with {parameter('kubeconfig')}, or files with {parameter('cluster')}"
    raise ClusterError(f"no cluster to read: {missing}", advice)


# ----------------------------------------------------------------------------------------------- kubeconfig


class _Chosen(NamedTuple):
    """The entries of a kubeconfig that count, with the flags applied."""

    cluster: Entry
    user: Entry
    user_name: str
    context_name: str
    namespace: str


def _from_kubeconfig(connection: Connection, files: Sequence[str], directory: str) -> Access:
    named = ", ".join(files) or "the flags"
    with _unreadable_as_cluster_error(named):
        chosen = _choose(connection, files)
        configuration = Configuration()
        node = ConfigNode(
            named,
            {
                "clusters": [{"name": "chosen", "cluster": chosen.cluster}],
                "users": [{"name": "chosen", "user": _with_plugin_run(chosen)}],
                "contexts": [{"name": "chosen", "context": {"cluster": "chosen", "user": "chosen"}}],
            },
            os.path.abspath(files[0]) if files else None,
        )
        loader = KubeConfigLoader(config_dict=node, active_context="chosen", temp_file_path=directory)
        loader.load_and_set(configuration)
        identity, headers = _identity(connection, chosen), _headers(connection, chosen.user)
        proxy = chosen.cluster.get("proxy-url") or ""
        return _access(configuration, identity=identity, namespace=chosen.namespace, headers=headers, proxy=proxy)


def _identity(connection: Connection, chosen: _Chosen) -> str:
    """Whose credentials are sent: where flags give them, no user of the kubeconfig is to blame."""
    if connection.token:
        return parameter("token")
    who = f"user {chosen.user_name}" if chosen.user_name else "nobody"
    return f"{who} in context {chosen.context_name}" if chosen.context_name else who


@contextmanager
def _unreadable_as_cluster_error(named: str) -> Iterator[None]:
    """Whatever the client raises on a kubeconfig that is none, in a line."""
    try:
        yield
    except (ConfigException, OSError, AttributeError, KeyError, TypeError, ValueError) as error:
        text = " ".join(str(error).split()) or type(error).__name__
        text = TOO_DEEP if PARSER_TOO_DEEP in text else text
        raise ClusterError(f"{named}: the configuration cannot be used: {text}", _see_kubeconfig()) from None
    except RecursionError:
        raise ClusterError(f"{named}: the configuration cannot be used: {TOO_DEEP}", _see_kubeconfig()) from None


def _see_kubeconfig() -> str:
    return f"see kubectl config view, or name another file with {parameter('kubeconfig')}"


def _choose(connection: Connection, files: Sequence[str]) -> _Chosen:
    config = read_kubeconfig(files)
    name = connection.context or config.current_context
    if not name and not connection.server:
        raise ConfigException(f"there is no current context: name one with {parameter('context')}")
    context = _entry(config.contexts, "context", name)
    cluster_name = connection.cluster_name or context.get("cluster") or ""
    user_name = connection.user or context.get("user") or ""
    named_cluster = _entry(config.clusters, "cluster", cluster_name)
    user = with_credentials_found(with_user_flags(_entry(config.users, "user", user_name), connection), user_name)
    cluster = with_cluster_flags(named_cluster, connection)
    if not cluster.get("server"):
        raise ConfigException(f'cluster "{cluster_name}" has no server')
    for entry in (cluster, user):
        check_files(entry)
    return _Chosen(cluster, user, user_name, name, context.get("namespace") or "")


def _entry(entries: Mapping[str, Entry], kind: str, name: str) -> Entry:
    """The entry of this name; an empty one without a name. Raises ConfigException if there is no such entry."""
    if name and name not in entries:
        raise ConfigException(f'there is no {kind} "{name}"; there are {", ".join(entries) or "none"}')
    return entries.get(name, {})


def _with_plugin_run(chosen: _Chosen) -> Entry:
    """The user with what a credential plugin brings. Raises ClusterError if it brings nothing."""
    plugin = chosen.user.get("exec")
    if not plugin:
        return chosen.user
    try:
        return credentials(chosen.user, chosen.cluster)
    except PluginError as error:
        hint = install_hint(plugin) or "run it by hand to see what it lacks"
        reason = " ".join(str(error).split())[:_LONGEST_REASON]
        raise ClusterError(f"the credential plugin {plugin.get('command')} failed: {reason}", hint) from None


def _headers(connection: Connection, user: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Who asks, and the user to impersonate; flags override the kubeconfig. Source: client-go `transport`."""
    extra = grouped((key, value) for key, _, value in (each.partition("=") for each in connection.as_extra))
    flags: dict[str, Any] = {"as": connection.as_user, "as-uid": connection.as_uid}
    flags |= {"as-groups": connection.as_groups, "as-user-extra": extra}
    who = flags if any(flags.values()) else user
    headers = [("Impersonate-User", who["as"])] if who.get("as") else []
    others = [("Impersonate-Uid", who["as-uid"])] if who.get("as-uid") else []
    others += [("Impersonate-Group", group) for group in who.get("as-groups") or ()]
    extra = who.get("as-user-extra") or {}
    named = ((f"Impersonate-Extra-{quote(key, safe=_IN_A_HEADER)}", values) for key, values in extra.items())
    others += [(name, value) for name, values in named for value in values]
    if others and not headers:
        raise ConfigException(
            f"{parameter('as_uid')}, {parameter('as_groups')} and {parameter('as_extra')} need {parameter('as_user')}"
        )
    return [("User-Agent", connection.user_agent), *headers, *others]


# -------------------------------------------------------------------------------------------------- service account


def _from_service_account(connection: Connection) -> Access:
    directory = Path(connection.service_account)
    configuration = Configuration()
    try:
        for file in ("token", "ca.crt", "namespace"):
            check_file(file, str(directory / file))
        loader = InClusterConfigLoader(str(directory / "token"), str(directory / "ca.crt"), try_refresh_token=False)
        loader.load_and_set(configuration)
        namespace = ""
        with suppress(FileNotFoundError):
            namespace = (directory / "namespace").read_text(encoding="utf-8").strip()
        headers = _headers(connection, {})
        return _access(configuration, identity="the service account of this pod", namespace=namespace, headers=headers)
    except (ConfigException, OSError, ValueError) as error:
        advice = f"mount the token of a service account, or name a kubeconfig file with {parameter('kubeconfig')}"
        raise ClusterError(f"the service account of this pod cannot be used: {error}", advice) from None


# ------------------------------------------------------------------------------------------------------------ both


def _access(
    configuration: Any, *, identity: str, namespace: str, headers: Sequence[tuple[str, str]], proxy: str = ""
) -> Access:
    address = configuration.host.rstrip("/")
    credentials = (configuration.api_key.get("BearerToken") or "").strip()
    if not (credentials.isascii() and credentials.isprintable()):
        raise ConfigException("the token contains characters that no token may contain, such as a line break")
    for name, value in headers:
        if not value.isprintable():
            raise ConfigException(f"{name} cannot be sent: it contains a character such as a line break")
    authorization = [("Authorization", credentials)] if credentials else []
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigException(f"{without_password(address)} is not an address such as https://HOST:PORT")
    return Access(
        address=address,
        identity=identity,
        # As Go sends them: HTTP itself knows bytes only, and Python takes Latin-1 for granted.
        headers=(*authorization, *((name, value.encode().decode("latin-1")) for name, value in headers)),
        tls=_tls(configuration) if parts.scheme == "https" else None,
        tls_server_name=configuration.tls_server_name or "",
        proxy=proxy or _proxy_of_environment(parts.scheme, parts.hostname),
        namespace=namespace,
    )


def _tls(configuration: Any) -> ssl.SSLContext:
    """Made once for all connections: reading certificates costs more than asking for a list."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if not configuration.verify_ssl:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    elif configuration.ssl_ca_cert:
        context.load_verify_locations(configuration.ssl_ca_cert)
    else:
        context.load_default_certs()
    if configuration.cert_file:
        # Without a password the library would ask for one on the terminal.
        context.load_cert_chain(configuration.cert_file, configuration.key_file, password="")
    return context


def _proxy_of_environment(scheme: str, host: str) -> str:
    """The proxy for a host; empty if it is reached directly. Source: Go `httpproxy`."""
    proxies = getproxies_environment()
    exceptions = [each.strip() for each in proxies.get("no", "").split(",") if each.strip()]
    is_local = host == "localhost" or (_is_address(host) and ip_address(host).is_loopback)
    return "" if is_local or any(_covers(each, host) for each in exceptions) else proxies.get(scheme, "")


def _covers(exception: str, host: str) -> bool:
    """Whether an entry of NO_PROXY is about a host: all, an address, a network, a domain."""
    if exception == "*":
        return True
    if _is_address(host):
        with suppress(ValueError):
            return ip_address(host) in ip_network(exception, strict=False)
        return False
    domain = exception.partition(":")[0].lstrip("*").lower()
    return host == domain or host.endswith(f".{domain.lstrip('.')}")


def _is_address(host: str) -> bool:
    with suppress(ValueError):
        return bool(ip_address(host))
    return False
