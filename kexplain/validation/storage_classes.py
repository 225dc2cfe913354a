"""What storage is provided by: classes, drivers, and what drivers say of nodes.

Source: storage/validation, release 1.36 with its default feature gates: VolumeLimitScaling is off.
"""

from __future__ import annotations

from collections.abc import Mapping

from kexplain.validation.labels import check_label_selector
from kexplain.validation.metadata import check_metadata
from kexplain.validation.names import dns_subdomain, label_key
from kexplain.validation.persistent_volumes import check_inline_spec
from kexplain.validation.problem import Field, reject_repeated, shown
from kexplain.validation.resources import check_not_negative
from kexplain.validation.volumes import check_csi_driver

_RECLAIM_POLICIES = ("Delete", "Retain")
_BINDING_MODES = ("Immediate", "WaitForFirstConsumer")
_GROUP_POLICIES = ("ReadWriteOnceWithFSType", "File", "None")
_LIFECYCLE_MODES = ("Persistent", "Ephemeral")
_MOST_PARAMETERS = 512
_MOST_PARAMETER_BYTES = 256 << 10
_MOST_NODE_ID = 256
_LEAST_UPDATE_SECONDS = 10
_LEAST_TOKEN_SECONDS, _MOST_TOKEN_SECONDS = 600, 1 << 32


# ---------------------------------------------------------------------------------------------------- classes


def check_storage_class(storage_class: Field) -> None:
    """A class of volumes."""
    check_metadata(storage_class.child("metadata"))
    _check_provisioner(storage_class.child("provisioner"))
    _check_parameters(storage_class.child("parameters"))
    policy = storage_class.child("reclaimPolicy")
    if policy.string:
        policy.one_of(_RECLAIM_POLICIES)
    storage_class.child("volumeBindingMode").one_of(_BINDING_MODES)
    _check_topologies(storage_class.child("allowedTopologies"))


def check_volume_attributes_class(attributes_class: Field) -> None:
    """A class of attributes that volumes can be given later."""
    check_metadata(attributes_class.child("metadata"))
    _check_provisioner(attributes_class.child("driverName"))
    parameters = attributes_class.child("parameters")
    parameters.require("needs at least one parameter")
    _check_parameters(parameters)


def _check_provisioner(name: Field) -> None:
    if name.require() and (problem := label_key(name.string.lower())):
        name.reject(f"{shown(name.string)} {problem}")


def _check_parameters(parameters: Field) -> None:
    if not parameters.no_more_than(_MOST_PARAMETERS):
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
            values.require("needs a value at least")
            reject_repeated((value.string, value) for value in values.items())
            expression.child("key").obey(label_key)
        reject_repeated((each.child("key").string, each.child("key")) for each in expressions.items())
        values_by_key = {
            each.child("key").string: frozenset(each.child("values").strings) for each in expressions.items()
        }
        if values_by_key in seen:
            expressions.reject("is empty, or the same as those of another term")
        seen.append(values_by_key)


# ---------------------------------------------------------------------------------------------------- drivers


def check_csi_driver_object(driver: Field) -> None:
    """A driver."""
    check_metadata(driver.child("metadata"))
    spec = driver.child("spec")
    spec.child("fsGroupPolicy").one_of(_GROUP_POLICIES)
    requests = spec.child("tokenRequests")
    _check_token_requests(requests)
    for mode in spec.child("volumeLifecycleModes").items():
        mode.written(spec.child("volumeLifecycleModes")).one_of(_LIFECYCLE_MODES)
    period = spec.child("nodeAllocatableUpdatePeriodSeconds")
    if period.is_set and period.number() < _LEAST_UPDATE_SECONDS:
        period.reject(f"{period.number()} is less than {_LEAST_UPDATE_SECONDS} seconds")
    in_secrets = spec.child("serviceAccountTokenInSecrets")
    if in_secrets.is_set and not requests.items():
        in_secrets.reject("needs tokenRequests beside it")


def _check_token_requests(requests: Field) -> None:
    audiences: set[str] = set()
    for request in requests.items():
        audience, seconds = request.child("audience"), request.child("expirationSeconds")
        if audience.string in audiences:
            audience.reject(f"{shown(audience.string)} is listed twice")
            continue
        audiences.add(audience.string)
        seconds.within(_LEAST_TOKEN_SECONDS, _MOST_TOKEN_SECONDS)


def check_csi_node(node: Field) -> None:
    """The drivers on a node; an API server names the driver where a topology key is wrong."""
    check_metadata(node.child("metadata"))
    drivers = node.descend("spec", "drivers")
    for driver in drivers.items():
        name, node_id = driver.child("name"), driver.child("nodeID")
        check_csi_driver(name)
        node_id.require()
        node_id.no_longer_than(_MOST_NODE_ID)
        driver.descend("allocatable", "count").not_negative()
        keys = [key.written(driver) for key in driver.child("topologyKeys").items()]
        reject_repeated((key.string, key) for key in keys)
        for key in keys:
            key.obey(label_key)
    reject_repeated((driver.child("name").string, driver.child("name")) for driver in drivers.items())


def check_csi_storage_capacity(capacity: Field) -> None:
    """How much of a class there is for some nodes."""
    check_metadata(capacity.child("metadata"))
    check_label_selector(capacity.child("nodeTopology"))
    capacity.child("storageClassName").obey(dns_subdomain)
    check_not_negative(capacity.child("capacity"))


def check_volume_attachment(attachment: Field) -> None:
    """A volume that is to be attached to a node; an API server drops the status of a new one."""
    check_metadata(attachment.child("metadata"))
    spec = attachment.child("spec")
    check_csi_driver(spec.child("attacher"))
    source = spec.child("source")
    name, inline = source.child("persistentVolumeName"), source.child("inlineVolumeSpec")
    if name.is_set == inline.is_set:
        source.reject("takes persistentVolumeName or inlineVolumeSpec, and exactly one of them")
    elif name.is_set:
        name.require()
    else:
        check_inline_spec(inline)
    if name.is_set:
        name.obey(dns_subdomain)
    spec.child("nodeName").obey(dns_subdomain)
