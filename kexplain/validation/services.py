"""Services.

Source: core/validation `ValidateServiceCreate` and what it calls, `registry/core/service/storage`, release 1.36 with
its default feature gates and node port range. Which address families and ranges a cluster has is not known here.
"""

from kexplain.objects.json_values import shown
from kexplain.validation.field import Field, reject_repeated
from kexplain.validation.names import cidr, ip, is_ipv6
from kexplain.validation.probes import check_port
from kexplain.validation.rows import judge, names_differ

_FAMILIES = ("IPv4", "IPv6")
_HEADLESS = ["None"]
_NODE_PORTS = range(30_000, 32_768)
_SOURCE_RANGES = "service.beta.kubernetes.io/load-balancer-source-ranges"


def check_service(service: Field) -> None:
    """A service, with the type and the list of addresses that an API server fills in."""
    spec = service.child("spec")
    changed = {**spec.mapping, "type": spec.child("type").string or "ClusterIP"}
    if not spec.child("clusterIPs").items() and spec.child("clusterIP").string:
        changed["clusterIPs"] = [spec.child("clusterIP").string]
    judge(service.with_value({**service.mapping, "spec": changed}), "services.filled_in")


def _check_given_out(service: Field) -> bool:
    """Addresses and node ports are given out first; where that fails, an API server looks no further."""
    spec, before = service.child("spec"), len(service.problems)
    kind = spec.child("type").string
    if kind != "ExternalName":
        _check_addresses(spec, spec.child("clusterIPs"))
    if len(service.problems) == before and kind in ("NodePort", "LoadBalancer"):
        _check_node_port_range(spec)
    return len(service.problems) == before


# -------------------------------------------------------------------------------------------- cluster addresses


def _check_addresses(spec: Field, addresses: Field) -> None:
    """Cluster IPs, their families, and the policy on these; an API server looks at the first that are wrong only."""
    before = len(spec.problems)
    families, policy, single = spec.child("ipFamilies"), spec.child("ipFamilyPolicy"), spec.child("clusterIP")
    given = addresses.strings
    addresses.reject_if(given and given[0] != single.string, "must begin with clusterIP")
    for family in families.items():
        family.one_of(*_FAMILIES)
    reject_repeated((family.string, family) for family in families.items())
    policy.one_of("SingleStack", "PreferDualStack", "RequireDualStack")
    if given != _HEADLESS:
        _check_list(addresses, families)
    if len(spec.problems) == before and policy.string in ("", "SingleStack"):
        is_dual_by_default = given == _HEADLESS and not spec.child("selector").mapping and not policy.is_set
        if not is_dual_by_default and (len(given) == 2 or len(families.items()) == 2):
            policy.reject("must be PreferDualStack or RequireDualStack for several addresses or families")


def _check_list(addresses: Field, families: Field) -> None:
    given, before = addresses.strings, len(addresses.problems)
    for index, address in enumerate(addresses.items()):
        if index == 0 and address.value == _HEADLESS[0]:
            addresses.reject("None must be the only value")
        else:
            address.obey(ip)
    is_sound = len(addresses.problems) == before
    addresses.reject_if(len(given) > 2, "can hold at most 2 addresses")
    if not is_sound:
        return
    if len(given) > 1 and len({is_ipv6(address) for address in given}) != len(given):
        addresses.reject("can hold at most one address of each IP family")
    for address, family in zip(addresses.items(), families.strings, strict=False):
        if family in _FAMILIES and is_ipv6(address.string) != (family == "IPv6"):
            address.reject(f"{shown(address.string)} is not of the family {family}, which ipFamilies names")


def _check_node_port_range(spec: Field) -> None:
    for port in spec.child("ports").items():
        node_port = port.child("nodePort")
        if node_port.number() and node_port.number() not in _NODE_PORTS:
            limits = f"{_NODE_PORTS[0]} to {_NODE_PORTS[-1]}"
            node_port.reject(f"{node_port.number()} is not a node port, by default {limits}")
            return


# ------------------------------------------------------------------------------------------------------- ports


def _check_repeated_ports(ports: Field) -> None:
    names_differ(ports, "name")
    node_ports = [(_protocol(port), port.child("nodePort")) for port in ports.items()]
    reject_repeated(((protocol, each.number()), each) for protocol, each in node_ports if each.number())
    reject_repeated(((_protocol(port), port.child("port").number()), port) for port in ports.items())


def _protocol(port: Field) -> str:
    return port.child("protocol").string or "TCP"


def _check_target(port: Field) -> None:
    # Without a target port, it is the port itself.
    target = port.child("targetPort")
    check_port(target if target.value else port.child("port").written(target.text))


# -------------------------------------------------------------------------------------------- what a type takes


def _check_balancer(service: Field) -> None:
    """What only a load balancer takes."""
    spec = service.child("spec")
    is_balancer = spec.child("type").value == "LoadBalancer"
    # An API server writes the name so.
    ranges = spec.child("loadBalancerSourceRanges").written("spec.LoadBalancerSourceRanges")
    annotation = service.descend("metadata", "annotations").key(_SOURCE_RANGES)
    if ranges.items():
        ranges.reject_if(not is_balancer, "can be set only where the type is LoadBalancer")
        for each in ranges.items():
            each.with_value(each.string.strip()).obey(cidr)
    elif annotation.is_set:
        annotation.reject_if(not is_balancer, "can be set only where the type is LoadBalancer")
        if annotation.string.strip():
            for text in annotation.string.split(","):
                annotation.with_value(text.strip()).obey(cidr)
