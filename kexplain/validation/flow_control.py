"""Who may ask an API server how much at once. Source: flowcontrol/validation, release 1.36."""

import math

from kexplain.objects.json_values import shown
from kexplain.validation.field import Field
from kexplain.validation.names import dns_subdomain

_VERBS = ("create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch")
_EXEMPT = "exempt"
_MOST_PRECEDENCE = 10_000
_DEFAULT_PRECEDENCE = 1_000
_MOST_QUEUES = 10_000_000
_DEFAULT_QUEUES, _DEFAULT_HAND, _DEFAULT_LENGTH = 64, 8, 50
_MOST_BITS = 60


def _check_precedence(schema: Field) -> None:
    precedence = schema.descend("spec", "matchingPrecedence")
    number = precedence.number(_DEFAULT_PRECEDENCE) or _DEFAULT_PRECEDENCE
    precedence.reject_if(not 0 < number <= _MOST_PRECEDENCE, f"{number} is not between 1 and {_MOST_PRECEDENCE}")
    if number == 1 and schema.descend("metadata", "name").string != _EXEMPT:
        precedence.reject(f"1 is for the schema {_EXEMPT}")


def _account(name: str) -> str | None:
    return None if name == "*" else dns_subdomain(name)


def _check_verbs(verbs: Field) -> None:
    unknown = [verb for verb in verbs.strings if verb not in _VERBS]
    if unknown:
        verbs.reject(f"{shown(unknown[0])} is not supported: use *, {', '.join(_VERBS)}")


def _unless_all(values: Field) -> bool:
    """Of a list that is a star, which stands alone, or is missing, there is no more to say."""
    if not values.require("needs at least one value"):
        return False
    values.reject_if("*" in values.strings and len(values.strings) > 1, "must have nothing else beside *")
    return "*" not in values.strings


def _is_url(text: str) -> str | None:
    stars = text.count("*")
    is_wrong = not text.startswith("/") or " " in text or "//" in text
    if is_wrong or stars > 1 or (stars == 1 and not text.endswith("/*")):
        return "is not a path such as /healthz or /healthz/*"
    return None


def _check_exempt(level: Field) -> None:
    kind = level.descend("spec", "type")
    if (level.descend("metadata", "name").string == _EXEMPT) != (kind.string == "Exempt"):
        kind.reject(f"Exempt is for the level {_EXEMPT}, and nothing else is")


def _check_queuing(queuing: Field) -> None:
    queues, hand, length = (queuing.child(name) for name in ("queues", "handSize", "queueLengthLimit"))
    length.reject_if((length.number() or _DEFAULT_LENGTH) < 0, "must be greater than 0")
    count, size = queues.number() or _DEFAULT_QUEUES, hand.number() or _DEFAULT_HAND
    queues.reject_if(not 0 < count <= _MOST_QUEUES, f"{count} is not between 1 and {_MOST_QUEUES}")
    if size <= 0:
        hand.reject("must be greater than 0")
    elif size > count:
        hand.reject(f"{size} is more than there are queues ({count})")
    elif math.ceil(math.log2(count) * size) > _MOST_BITS:
        hand.reject(f"{size} of {count} queues are too many to be told apart")
