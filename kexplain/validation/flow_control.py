"""Who may ask an API server how much at once. Source: flowcontrol/validation, release 1.36."""

import math

from kexplain.objects.json_values import shown
from kexplain.validation.field import Field

_VERBS = ("create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch")
_DEFAULT_QUEUES, _DEFAULT_HAND = 64, 8
_MOST_BITS = 60


def _check_verbs(verbs: Field) -> None:
    unknown = [verb for verb in verbs.strings if verb not in _VERBS]
    if unknown:
        verbs.reject(f"{shown(unknown[0])} is not supported: use *, {', '.join(_VERBS)}")


def _check_hand(queuing: Field) -> None:
    hand = queuing.child("handSize")
    count, size = queuing.child("queues").number() or _DEFAULT_QUEUES, hand.number() or _DEFAULT_HAND
    if size > count:
        hand.reject(f"{size} is more than there are queues ({count})")
    elif math.ceil(math.log2(count) * size) > _MOST_BITS:
        hand.reject(f"{size} of {count} queues are too many to be told apart")
