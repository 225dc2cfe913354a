"""ConfigMaps and Secrets.

Source: core/validation `ValidateConfigMap`, `ValidateSecret`, release 1.36.
"""

import json
from base64 import b64decode
from collections.abc import Mapping
from typing import Any

from kexplain.objects.json_values import shown
from kexplain.validation.field import Field
from kexplain.validation.metadata import check_metadata
from kexplain.validation.names import config_key

_MOST_BYTES = 1 << 20
_SERVICE_ACCOUNT = "kubernetes.io/service-account.name"
#: The key that holds registry credentials as JSON, by the type of the Secret.
_REGISTRY_KEYS = {
    "kubernetes.io/dockercfg": ".dockercfg",
    "kubernetes.io/dockerconfigjson": ".dockerconfigjson",
}
_CERTIFICATE_KEYS = ("tls.crt", "tls.key")
_LOGIN_KEYS = ("username", "password")
_SSH_KEY = "ssh-privatekey"


def check_config_map(config_map: Field) -> None:
    """A ConfigMap: a key is in `data` or in `binaryData`, and all values together have a limit."""
    check_metadata(config_map.child("metadata"))
    data, binary = config_map.child("data"), config_map.child("binaryData")
    for key, value in data.entries():
        value.judge(key, config_key)
        value.reject_if(key in binary.mapping, f"{shown(key)} is also in binaryData")
    for key, value in binary.entries():
        value.judge(key, config_key)
    size = sum(len(value.string.encode()) for _, value in data.entries())
    size += sum(len(b64decode(value.string)) for _, value in binary.entries())
    config_map.reject_if(size > _MOST_BYTES, f"holds {size} bytes; at most {_MOST_BYTES} are valid")


def check_secret(secret: Field) -> None:
    """A Secret: its keys, its size, and what its type asks for. `stringData` overrides `data`."""
    check_metadata(secret.child("metadata"))
    data = secret.child("data")
    contents = {key: b64decode(value.string) for key, value in data.entries()}
    contents |= {key: value.string.encode() for key, value in secret.child("stringData").entries()}
    for key in contents:
        data.key(key).judge(key, config_key)
    size = sum(map(len, contents.values()))
    data.reject_if(size > _MOST_BYTES, f"holds {size} bytes; at most {_MOST_BYTES} are valid")
    _check_type(secret, data, contents)


def _check_type(secret: Field, data: Field, contents: Mapping[str, bytes]) -> None:
    kind = secret.child("type").string
    match kind:
        case "kubernetes.io/service-account-token":
            secret.descend("metadata", "annotations").key(_SERVICE_ACCOUNT).require()
        case "kubernetes.io/dockercfg" | "kubernetes.io/dockerconfigjson":
            key = _REGISTRY_KEYS[kind]
            if key not in contents:
                data.key(key).reject("is required")
            elif not _is_json_object(contents[key]):
                data.key(key).reject("is not a JSON object")
        case "kubernetes.io/basic-auth":
            if not any(key in contents for key in _LOGIN_KEYS):
                for key in _LOGIN_KEYS:
                    data.key(key).reject("is required, or the other of username and password")
        case "kubernetes.io/ssh-auth":
            data.key(_SSH_KEY).reject_if(not contents.get(_SSH_KEY), "is required")
        case "kubernetes.io/tls":
            for key in _CERTIFICATE_KEYS:
                data.key(key).reject_if(key not in contents, "is required")


def _is_json_object(content: bytes) -> bool:
    try:
        value: Any = json.loads(content)
    except ValueError:
        return False
    return value is None or isinstance(value, dict)
