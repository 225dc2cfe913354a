"""The message of the event about a pod that was not scheduled, around what nodes and plugins say."""

from kexplain.framework.features import Features
from kexplain.framework.post_filtering import PostFilterResult

#: An event's note holds this many bytes; longer messages are cut. Source: events `validation.NoteLengthLimit`.
EVENT_LENGTH_LIMIT = 1024
NO_NODES = "no nodes available to schedule pods"


def no_nodes(features: Features) -> str:
    """The whole message in a cluster without nodes."""
    return f"0/0 nodes are available: {NO_NODES}" if features.pre_filter_message_stands_alone else NO_NODES


def post_filter_message(after: PostFilterResult, features: Features) -> str:
    """What joins the message of what PostFilter answered."""
    failed = bool(after.answers) and (status := after.answers[-1][1].status) is not None and not status.is_rejection
    if not after.message or not (features.post_filter_errors_are_told if failed else features.post_filter_is_told):
        return ""
    return f"{after.message}." if features.post_filter_message_gets_full_stop else after.message


def truncated(message: str) -> str:
    """The message as an event holds it. Source: scheduler `truncateMessage`, which counts bytes."""
    encoded = message.encode()
    if len(encoded) <= EVENT_LENGTH_LIMIT:
        return message
    return encoded[: EVENT_LENGTH_LIMIT - 4].decode(errors="ignore") + " ..."
