"""Who may ask an API server how much at once. Source: flowcontrol/validation, release 1.36."""

from __future__ import annotations

import math

from kexplain.validation.metadata import check_metadata
from kexplain.validation.names import dns_label, dns_subdomain
from kexplain.validation.problem import Field, reject_repeated, shown

_METHODS = ("ByNamespace", "ByUser")
_VERBS = ("create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch")
_SUBJECTS = {"Group": "group", "ServiceAccount": "serviceAccount", "User": "user"}
_LEVELS = ("Exempt", "Limited")
_RESPONSES = ("Queue", "Reject")
_EXEMPT = "exempt"
_MOST_PRECEDENCE = 10_000
_DEFAULT_PRECEDENCE = 1_000
_MOST_QUEUES = 10_000_000
_DEFAULT_QUEUES, _DEFAULT_HAND, _DEFAULT_LENGTH = 64, 8, 50
_MOST_BITS = 60


def check_flow_schema(schema: Field) -> None:
    """Which requests belong together, and how much they matter."""
    metadata, spec = schema.child("metadata"), schema.child("spec")
    check_metadata(metadata, is_namespaced=False)
    precedence = spec.child("matchingPrecedence")
    number = precedence.number(_DEFAULT_PRECEDENCE) or _DEFAULT_PRECEDENCE
    if not 0 < number <= _MOST_PRECEDENCE:
        precedence.reject(f"{number} is not between 1 and {_MOST_PRECEDENCE}")
    if number == 1 and metadata.child("name").string != _EXEMPT:
        precedence.reject(f"1 is for the schema {_EXEMPT}")
    method = spec.child("distinguisherMethod")
    if method.is_set and method.child("type").string not in _METHODS:
        method.child("type").reject(f"use {' or '.join(_METHODS)}")
    level = spec.child("priorityLevelConfiguration").child("name")
    if level.require():
        level.obey(dns_subdomain)
    for rule in spec.child("rules").items():
        _check_rule(rule)
    _check_conditions(schema)


def _check_conditions(obj: Field) -> None:
    kinds = [condition.child("type") for condition in obj.descend("status", "conditions").items()]
    reject_repeated((kind.string, kind) for kind in kinds)
    for kind in kinds:
        kind.require()


def _check_rule(rule: Field) -> None:
    subjects, resources, urls = (rule.child(name) for name in ("subjects", "resourceRules", "nonResourceRules"))
    if subjects.require("needs a subject at least"):
        for subject in subjects.items():
            _check_subject(subject)
    if not resources.items() and not urls.items():
        rule.reject("needs resourceRules or nonResourceRules")
    for each in resources.items():
        _check_resources(each)
    for each in urls.items():
        _check_verbs(each.child("verbs"))
        _check_urls(each.child("nonResourceURLs"))


def _check_subject(subject: Field) -> None:
    kind = subject.child("kind")
    if kind.string not in _SUBJECTS:
        kind.reject(f"{shown(kind.string)} is not supported: use {', '.join(_SUBJECTS)}")
        return
    for of, name in _SUBJECTS.items():
        named = subject.child(name)
        if of != kind.string:
            if named.is_set:
                named.reject(f"must be left out where the kind is {kind.string}")
        elif named.require_set():
            _check_named(named, needs_namespace=of == "ServiceAccount")


def _check_named(named: Field, *, needs_namespace: bool) -> None:
    name, namespace = named.child("name"), named.child("namespace")
    if name.require() and needs_namespace and name.string != "*":
        name.obey(dns_subdomain)
    if needs_namespace and namespace.require():
        namespace.obey(dns_label)


def _check_verbs(verbs: Field) -> None:
    if _has_all(verbs):
        return
    unknown = [verb for verb in verbs.strings if verb not in _VERBS]
    if unknown:
        verbs.reject(f"{shown(unknown[0])} is not supported: use *, {', '.join(_VERBS)}")


def _has_all(values: Field) -> bool:
    """Whether a list is a star, which stands alone, or is missing; else it has to be looked at."""
    if not values.require("needs a value at least"):
        return True
    if "*" in values.strings and len(values.strings) > 1:
        values.reject("must have nothing else beside *")
    return "*" in values.strings


def _check_resources(rule: Field) -> None:
    _check_verbs(rule.child("verbs"))
    _has_all(rule.child("apiGroups"))
    _has_all(rule.child("resources"))
    namespaces = rule.child("namespaces")
    if not namespaces.items() and rule.child("clusterScope").flag:
        return
    if not _has_all(namespaces):
        for namespace in namespaces.items():
            namespace.obey(dns_label)


def _check_urls(urls: Field) -> None:
    if _has_all(urls):
        return
    for url in urls.items():
        text = url.string
        stars = text.count("*")
        is_wrong = not text.startswith("/") or " " in text or "//" in text
        if is_wrong or stars > 1 or (stars == 1 and not text.endswith("/*")):
            url.reject(f"{shown(text)} is not a path such as /healthz or /healthz/*")


def check_priority_level(level: Field) -> None:
    """How many requests of a kind are served at once, and what becomes of the others."""
    metadata, spec = level.child("metadata"), level.child("spec")
    check_metadata(metadata, is_namespaced=False)
    kind, limited, exempt = (spec.child(name) for name in ("type", "limited", "exempt"))
    if (metadata.child("name").string == _EXEMPT) != (kind.string == "Exempt"):
        kind.reject(f"Exempt is for the level {_EXEMPT}, and nothing else is")
    if kind.string not in _LEVELS:
        kind.reject(f"{shown(kind.string)} is not supported: use {' or '.join(_LEVELS)}")
    elif kind.string == "Limited":
        if exempt.is_set:
            exempt.reject("must be left out where the type is Limited")
        if limited.require_set("is required where the type is Limited"):
            _check_limited(limited)
    else:
        if limited.is_set:
            limited.reject("must be left out where the type is Exempt")
        _check_shares(exempt)
    _check_conditions(level)


def _check_shares(shares: Field) -> None:
    shares.child("nominalConcurrencyShares").not_negative()
    shares.child("lendablePercent").within(0, 100)


def _check_limited(limited: Field) -> None:
    _check_shares(limited)
    limited.child("borrowingLimitPercent").not_negative()
    response = limited.child("limitResponse")
    kind, queuing = response.child("type"), response.child("queuing")
    if kind.string not in _RESPONSES:
        kind.reject(f"{shown(kind.string)} is not supported: use {' or '.join(_RESPONSES)}")
    elif kind.string == "Reject":
        if queuing.is_set:
            queuing.reject("must be left out where the type is Reject")
    elif queuing.require_set("is required where the type is Queue"):
        _check_queuing(queuing)


def _check_queuing(queuing: Field) -> None:
    queues, hand, length = (queuing.child(name) for name in ("queues", "handSize", "queueLengthLimit"))
    if (length.number() or _DEFAULT_LENGTH) < 0:
        length.reject("must be greater than 0")
    count, size = queues.number() or _DEFAULT_QUEUES, hand.number() or _DEFAULT_HAND
    if not 0 < count <= _MOST_QUEUES:
        queues.reject(f"{count} is not between 1 and {_MOST_QUEUES}")
    if size <= 0:
        hand.reject("must be greater than 0")
    elif size > count:
        hand.reject(f"{size} is more than there are queues ({count})")
    elif math.ceil(math.log2(count) * size) > _MOST_BITS:
        hand.reject(f"{size} of {count} queues are too many to be told apart")
