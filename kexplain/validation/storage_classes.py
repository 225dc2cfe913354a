"""What storage is provided by: classes, drivers, and what drivers say of nodes.

Source: storage/validation, release 1.36 with its default feature gates: VolumeLimitScaling is off.
"""

from collections.abc import Mapping

from kexplain.objects.json_values import shown
from kexplain.validation import rows
from kexplain.validation.field import Field, reject_repeated
from kexplain.validation.labels import check_label_selector
from kexplain.validation.metadata import check_metadata
from kexplain.validation.names import among, annotation_key, dns_subdomain, label_key
from kexplain.validation.persistent_volumes import check_inline_spec
from kexplain.validation.resources import check_not_negative
from kexplain.validation.rows import Table
from kexplain.validation.volumes import check_csi_driver

_MOST_PARAMETER_BYTES = 256 << 10
_LEAST_TOKEN_SECONDS, _MOST_TOKEN_SECONDS = 600, 1 << 32


# ---------------------------------------------------------------------------------------------------- classes


def _check_parameters(parameters: Field) -> None:
    if not parameters.no_more_than(512):
        return
    if "" in parameters.mapping:
        parameters.reject("has a key that is empty")
    size = sum(len(key.encode()) + len(value.string.encode()) for key, value in parameters.entries())
    if size > _MOST_PARAMETER_BYTES:
        parameters.reject(f"holds more than {_MOST_PARAMETER_BYTES} bytes")


def _check_topologies(terms: Field) -> None:
    """Terms that differ. An API server calls a term without expressions a repetition, even the first."""
    seen: list[Mapping[str, frozenset[str]]] = [{}]
    for term in terms.items():
        expressions = term.child("matchLabelExpressions")
        for expression in expressions.items():
            values = expression.child("values")
            values.require("needs at least one value")
            reject_repeated((value.string, value) for value in values.items())
            expression.child("key").obey(label_key)
        reject_repeated((each.child("key").string, each.child("key")) for each in expressions.items())
        values_by_key = {
            each.child("key").string: frozenset(each.child("values").strings) for each in expressions.items()
        }
        if values_by_key in seen:
            expressions.reject("is empty, or the same as those of another term")
        seen.append(values_by_key)


#: A class of volumes.
STORAGE_CLASS: Table = {
    "metadata": check_metadata,
    "provisioner": rows.needs(annotation_key),
    "parameters": _check_parameters,
    "reclaimPolicy": rows.may(among("Delete", "Retain")),
    "volumeBindingMode": rows.given(among("Immediate", "WaitForFirstConsumer")),
    "allowedTopologies": _check_topologies,
}
#: A class of attributes that volumes can be given later.
VOLUME_ATTRIBUTES_CLASS: Table = {
    "metadata": check_metadata,
    "driverName": rows.needs(annotation_key),
    "parameters": (rows.regardless(rows.required_as("needs at least one parameter")), _check_parameters),
}


# ---------------------------------------------------------------------------------------------------- drivers


def _check_token_requests(requests: Field) -> None:
    audiences: set[str] = set()
    for request in requests.items():
        audience, seconds = request.child("audience"), request.child("expirationSeconds")
        if audience.string in audiences:
            audience.reject(f"{shown(audience.string)} is listed twice")
            continue
        audiences.add(audience.string)
        seconds.within(_LEAST_TOKEN_SECONDS, _MOST_TOKEN_SECONDS)


def _check_tokens_in_secrets(spec: Field) -> None:
    if not spec.child("tokenRequests").items():
        spec.child("serviceAccountTokenInSecrets").forbid("needs tokenRequests beside it")


def _check_topology_keys(driver: Field) -> None:
    """An API server names the driver where a topology key is wrong."""
    keys = [key.written(driver) for key in driver.child("topologyKeys").items()]
    reject_repeated((key.string, key) for key in keys)
    for key in keys:
        key.obey(label_key)


def _check_attached(source: Field) -> None:
    name, inline = source.child("persistentVolumeName"), source.child("inlineVolumeSpec")
    if name.is_set == inline.is_set:
        source.reject("takes persistentVolumeName or inlineVolumeSpec, and exactly one of them")
    elif name.is_set:
        name.require()
    else:
        check_inline_spec(inline)


CSI_DRIVER: Table = {
    "metadata": check_metadata,
    "spec.fsGroupPolicy": rows.given(among("ReadWriteOnceWithFSType", "File", "None")),
    "spec.tokenRequests": _check_token_requests,
    "spec.volumeLifecycleModes": rows.each(rows.given(among("Persistent", "Ephemeral")), as_list=True),
    "spec.nodeAllocatableUpdatePeriodSeconds": rows.at_least(10),
    "spec": _check_tokens_in_secrets,
}
#: The drivers on a node.
CSI_NODE: Table = {
    "metadata": check_metadata,
    "spec.drivers[]": {
        "name": check_csi_driver,
        "nodeID": (rows.regardless(rows.required), rows.longest(256)),
        "allocatable.count": rows.not_negative,
        "": _check_topology_keys,
    },
    "spec.drivers": rows.unique("name", at="name"),
}
#: How much of a class there is for some nodes.
CSI_STORAGE_CAPACITY: Table = {
    "metadata": check_metadata,
    "nodeTopology": check_label_selector,
    "storageClassName": rows.obeys(dns_subdomain),
    "capacity": check_not_negative,
}
#: A volume that is to be attached to a node; an API server drops the status of a new one.
VOLUME_ATTACHMENT: Table = {
    "metadata": check_metadata,
    "spec.attacher": check_csi_driver,
    "spec.source": _check_attached,
    "spec.source.persistentVolumeName": rows.given(dns_subdomain),
    "spec.nodeName": rows.obeys(dns_subdomain),
}
