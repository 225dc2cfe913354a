"""The entries of a kubeconfig that count: their files found, flags applied, and nothing in them that must not run.

Source: client-go `tools/clientcmd` (`ResolveLocalPaths`, `getCluster`, `validateClusterInfo`) and `rest/plugin.go`.
"""

import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from msgspec import Struct, defstruct

from kexplain.errors import ClusterError
from kexplain.load.decoding import decoded, shape_of
from kexplain.load.live.connection import Connection
from kexplain.parameters import parameter
from kexplain.shell import program

Entry = dict[str, Any]

_FILES = ("certificate-authority", "client-certificate", "client-key", "tokenFile")

#: Bundles of all authorities there are have less than one.
_LONGEST_FILE = 16 << 20
_CREDENTIALS = ("token", "tokenFile", "exec", "auth-provider", "username", "password")
_CLIENT_CERTIFICATE = ("client-certificate", "client-certificate-data", "client-key", "client-key-data")
_AUTHORITY = ("certificate-authority", "certificate-authority-data")
_INSECURE = "insecure-skip-tls-verify"
_TEXTS = ("server", "tls-server-name", "proxy-url", "token", "username", "password", "as", "as-uid")
#: What brings the credentials that a provider once brought.
_INSTEAD = {"gcp": "gke-gcloud-auth-plugin", "azure": "kubelogin", "oidc": "kubectl oidc-login"}


def _record(kinds: Mapping[str, Any]) -> type[Struct]:
    """A record of fields by their names, of these kinds."""
    named = [(f"field{number}", key, kind) for number, (key, kind) in enumerate(kinds.items())]
    fields = [(field, kind | None, None) for field, _, kind in named]
    return defstruct("Record", fields, rename={field: key for field, key, _ in named})


_PLUGIN: dict[str, Any] = dict.fromkeys(("command", "apiVersion", "installHint", "interactiveMode"), str)
_PLUGIN |= {"args": list[str], "env": list[_record({"name": str, "value": str})], "provideClusterInfo": bool}  # type: ignore[misc]
#: What is read of a cluster or a user.
_ENTRY = _record(
    {
        **dict.fromkeys((*_FILES, *_TEXTS), str),
        **dict.fromkeys((_INSECURE, "disable-compression"), bool),
        "as-groups": list[str],
        "as-user-extra": dict[str, list[str]],
        "exec": _record(_PLUGIN),
        "auth-provider": _record({"name": str, "config": dict[str, str]}),
    }
)


def with_files_beside(entry: Mapping[str, Any], directory: str) -> Entry:
    """The entry with its file names, and that of a credential plugin, counted from the directory of the kubeconfig."""
    resolved = _checked(entry)
    resolved |= {key: os.path.join(directory, resolved[key]) for key in _FILES if resolved.get(key)}
    plugin = resolved.get("exec")
    # A bare name is looked up on the PATH instead.
    if plugin and os.path.dirname(plugin.get("command", "")):
        resolved["exec"] = {**plugin, "command": os.path.join(directory, plugin["command"])}
    return resolved


def _checked(entry: Mapping[str, Any]) -> Entry:
    """The entry as Go reads it. Raises ValueError where kubectl could not: a text is no list of its letters."""
    read, problems = decoded(entry, shape_of(_ENTRY), strict=False)
    if problems:
        raise ValueError(f"{'.'.join(map(str, problems[0].path))}: {problems[0].message}")
    return {**entry, **read}


def check_files(entry: Mapping[str, Any]) -> None:
    """Raise ValueError where a file that an entry names is none, or longer than any certificate or token."""
    for key in _FILES:
        if entry.get(key):
            check_file(key, entry[key])


def check_file(what: str, path: str) -> None:
    """As `check_files`, of a file that may be missing: that is told where it is read."""
    with suppress(FileNotFoundError):
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode):
            raise ValueError(f"{what}: {path} is not a file")
        if found.st_size > _LONGEST_FILE:
            raise ValueError(f"{what}: {path} has more than {_LONGEST_FILE >> 20} MiB")


def with_cluster_flags(cluster: Mapping[str, Any], connection: Connection) -> Entry:
    """The cluster as flags have it. Raises ValueError where it would be trusted and checked at once."""
    cluster = dict(cluster)
    if connection.server:
        cluster["server"] = connection.server if "://" in connection.server else f"https://{connection.server}"
    if connection.server or connection.tls_server_name:
        cluster["tls-server-name"] = connection.tls_server_name
    if connection.certificate_authority or connection.insecure_skip_tls_verify:
        # Either says all there is to say of how the server is known.
        cluster = {key: value for key, value in cluster.items() if key not in (*_AUTHORITY, _INSECURE)}
    if connection.certificate_authority:
        cluster["certificate-authority"] = os.path.abspath(connection.certificate_authority)
    if connection.insecure_skip_tls_verify:
        cluster[_INSECURE] = True
    if cluster.get(_INSECURE) and any(cluster.get(key) for key in _AUTHORITY):
        raise ValueError(f"certificate-authority and {_INSECURE} exclude each other")
    return cluster


def with_user_flags(user: Mapping[str, Any], connection: Connection) -> Entry:
    """The user as flags have it, who gives no credentials beside those of flags."""
    user = dict(user)
    if connection.token or connection.username:
        user = {key: value for key, value in user.items() if key not in _CREDENTIALS}
    if connection.token:
        user["token"] = connection.token
    elif connection.username:
        user |= {"username": connection.username, "password": connection.password}
    if connection.client_certificate:
        user = {key: value for key, value in user.items() if key not in _CLIENT_CERTIFICATE}
        user["client-certificate"] = os.path.abspath(connection.client_certificate)
        if connection.client_key:
            user["client-key"] = os.path.abspath(connection.client_key)
    return user


def with_credentials_found(user: Mapping[str, Any], name: str) -> Entry:
    """The user with the file of the credential plugin, which is never one that the working directory happens to hold.

    An ID token of the legacy provider `oidc` is taken as it is. Raises ClusterError where it is missing, on other
    legacy providers, and where there is no such plugin; ValueError where its entry lacks something.
    """
    if user.get("auth-provider"):
        return _without_provider(user, name)
    plugin = user.get("exec")
    if not plugin:
        return dict(user)
    # What kubectl would not run. Source: client-go `validateAuthInfo`.
    missing = [f"{key} is missing" for key in ("command", "apiVersion") if not plugin.get(key)]
    missing += ["the name of a variable is missing" for each in plugin.get("env") or () if not each.get("name")]
    if plugin.get("interactiveMode") not in (None, "", "Never", "IfAvailable", "Always"):
        missing.append("interactiveMode is not Never, IfAvailable or Always")
    if missing:
        raise ValueError(f"exec: {missing[0]}")
    command = plugin["command"]
    if not os.path.dirname(command):
        found = program(command)
        if found is None:
            raise ClusterError(f"the credential plugin {command} is not on the PATH", install_hint(plugin) or None)
        command = found
    return {**user, "exec": {**plugin, "command": command}}


def _without_provider(user: Mapping[str, Any], name: str) -> Entry:
    """The user with the token that a legacy auth provider last left.

    Those of the official client would run programs, and send secrets to servers whose certificates they do not check.
    """
    provider = user["auth-provider"]
    kind, settings = provider.get("name") or "", provider.get("config") or {}
    if kind == "oidc" and settings.get("id-token"):
        return {**{key: value for key, value in user.items() if key not in _CREDENTIALS}, "token": settings["id-token"]}
    said = "has no id-token" if kind == "oidc" else "is not supported, nor by kubectl since 1.26"
    raise ClusterError(
        f'the legacy auth provider {kind or "without a name"} of user "{name}" {said}',
        f"have a credential plugin (exec) such as {_INSTEAD.get(kind, _INSTEAD['oidc'])} bring the credentials, "
        f"or give a token with {parameter('token')}",
    )


def install_hint(plugin: Mapping[str, Any]) -> str:
    """How to get a credential plugin, as its kubeconfig says; empty if it does not."""
    return " ".join(str(plugin.get("installHint") or "").split())
