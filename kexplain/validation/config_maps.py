"""ConfigMaps and Secrets.

Source: core/validation `ValidateConfigMap`, `ValidateSecret`, release 1.36.
"""

import json
from base64 import b64decode
from typing import Any

from kexplain.objects.json_values import shown
from kexplain.validation.field import Field
from kexplain.validation.metadata import check_metadata
from kexplain.validation.names import config_key
from kexplain.validation.rows import judge

_MOST_BYTES = 1 << 20


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
    texts = {key: content.decode(errors="surrogateescape") for key, content in contents.items()}
    judge(secret.with_value({**secret.mapping, "data": texts}), "config_maps.by_type")


def _is_json_object(content: Field) -> None:
    try:
        value: Any = json.loads(content.string.encode(errors="surrogateescape"))
    except ValueError:
        value = ""
    content.reject_if(not isinstance(value, dict | None), "is not a JSON object")
