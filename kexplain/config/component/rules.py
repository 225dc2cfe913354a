"""The rules that a KubeSchedulerConfiguration must keep, beyond its shape: those that are more than a row.

The rows are in `scheduler-judgements.json`; `validation/rows.py` says how they are read, and they ask for what is here
by its name.

Source: scheduler `apis/config/validation/validation.go` and `validation_pluginargs.go`, component-base
`config/validation`.
"""

import base64
import binascii
from ipaddress import ip_address

from kexplain.cluster.resource import is_extended_resource_name
from kexplain.config.component.api_versions import API_VERSIONS, ApiVersion
from kexplain.config.component.removed_plugins import SCORING_STRATEGIES
from kexplain.load.decoding import fit
from kexplain.objects.core import NodeSelectorTerm
from kexplain.objects.go_duration import parse_duration
from kexplain.objects.node_selectors import parse_node_term
from kexplain.objects.problem import Problem
from kexplain.objects.selectors import SelectorError, is_qualified_name
from kexplain.validation.field import Field, reject_repeated
from kexplain.validation.row_paths import fields_at
from kexplain.validation.rows import judge


def broken_rules(configuration: object) -> list[Problem]:
    """Everything in a plain value that breaks a rule, as far as it has the shape of a configuration."""
    problems: list[Problem] = []
    judge(Field(configuration, problems), "config.component.rules.configuration")
    return problems


# ----------------------------------------------------------------------------------------------- texts


def duration(text: str) -> str | None:
    """As Go reads them."""
    return "is not a duration" if parse_duration(text) is None else None


def a_second(text: str) -> str | None:
    """Durations of no less than that."""
    return "is below 1s" if (parse_duration(text) or 0) < 1 else None


def extended(text: str) -> str | None:
    """Resources that Kubernetes does not know itself."""
    return None if is_qualified_name(text) and is_extended_resource_name(text) else "is not an extended resource"


def is_base64(text: str) -> str | None:
    """Bytes, written as text."""
    try:
        base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return "is not base64"
    return None


def socket_address(text: str) -> str | None:
    """An IP, a port behind a colon, or both; what is left out is filled in."""
    host, colon, port = text.rpartition(":")
    if not colon or (":" in host and not host.endswith("]")):
        host, port = text, "1"
    try:
        ip_address(host.removeprefix("[").removesuffix("]") if host or not colon else "::")
        is_right = port.isascii() and port.isdecimal() and 1 <= int(port[:6]) <= 65535
    except ValueError:
        is_right = False
    return None if is_right else "is not an address such as 0.0.0.0:10251"


# ---------------------------------------------------------------------------------------- the scheduler


def check_lease(election: Field) -> None:
    """A lease lasts longer than its holder tries to renew it; what is not set, or is nothing, has a default."""
    lease = parse_duration(election.child("leaseDuration").string or "0s")
    renew = parse_duration(election.child("renewDeadline").string or "0s")
    if lease is not None and renew is not None and (lease or 15) <= (renew or 10):
        message = f"{lease or 15:g}s is not longer than renewDeadline ({renew or 10:g}s)"
        election.child("leaseDuration").reject(message)


def check_names(profiles: Field) -> None:
    """Only a profile that is alone may leave its name to the default."""
    names = fields_at(profiles, "[].schedulerName")
    first_by_name: dict[str, Field] = {}
    for name in names:
        if not name.string and (len(names) > 1 or name.is_set):
            name.reject("is needed where there are several profiles" if len(names) > 1 else "is empty")
        elif name.string and (first := first_by_name.setdefault(name.string, name)) is not name:
            name.reject(f'"{name.string}" is also the name of {first.holder().text}')


def check_served(name: Field) -> bool:
    """Whether the version has a plugin of that name, or leaves it to others."""
    version = _version(name)
    if name.string not in version.refused:
        return True
    instead = "; use scoringStrategy of NodeResourcesFit" if name.string in SCORING_STRATEGIES else ""
    name.reject(f"{name.string} is not allowed in {version.name}{instead}")
    return False


def is_first(config: Field) -> bool:
    """Whether no arguments come before these that are of the same plugin."""
    name = config.child("name")
    first = next(each for each in config.holder().items() if each.child("name").string == name.string)
    if first.path != config.path:
        name.reject(f"pluginConfig[{first.path[-1]}] already configures {name.string}")
    return first.path == config.path


def check_arguments(config: Field) -> None:
    """The arguments of a plugin that takes some; its table goes by its name."""
    name = config.child("name")
    if check_served(name) and name.string in _version(name).plugin_args:
        judge(config.child("args"), f"config.component.rules.{name.string}")


def _version(field: Field) -> ApiVersion:
    return API_VERSIONS[fields_at(field, "outer apiVersion")[0].string]


def check_together(extenders: Field) -> None:
    """A resource has one manager, and only one of all extenders binds."""
    managed = fields_at(extenders, "[].managedResources[].name")
    reject_repeated(((each.string, each) for each in managed), "is managed twice")
    binders = [each for each in fields_at(extenders, "[].bindVerb") if each.string]
    for each in binders[1:2]:
        each.reject(f"{binders[0].holder().text} already binds, and only one extender may")


# ----------------------------------------------------------------------------------- arguments of plugins


def check_term(requirement: Field) -> None:
    """What one of the expressions or fields of a term asks for can be asked."""
    *_, kind, _ = requirement.path
    term, _ = fit({kind: [requirement.value]}, NodeSelectorTerm)
    try:
        parse_node_term(term or NodeSelectorTerm())
    except SelectorError as error:
        is_field = kind == "matchFields"
        requirement.reject("fields take operator In or NotIn with exactly one value" if is_field else str(error))


def check_points(shape: Field) -> None:
    """There is one at least."""
    shape.require("needs at least one point, such as {utilization: 0, score: 0}")


def rises(point: Field) -> None:
    """The utilization is above that of the point before."""
    own, points = point.child("utilization"), point.holder().items()
    before = points[int(point.path[-1]) - 1].child("utilization").number()
    if point.path[-1] and own.number() <= before:
        own.reject(f"{own.number()} is not above the {before} before it: utilization must rise from point to point")


def check_pairs(constraints: Field) -> None:
    """No two spread over the same, in the same way."""
    first_by_pair: dict[tuple[str, ...], Field] = {}
    for each in constraints.items():
        pair = tuple(each.child(name).string for name in ("topologyKey", "whenUnsatisfiable"))
        first = first_by_pair.setdefault(pair, each)
        if first is not each:
            place = first.path[-1]
            each.reject(f"defaultConstraints[{place}] has the same topologyKey and whenUnsatisfiable")
