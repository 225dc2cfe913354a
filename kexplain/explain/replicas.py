"""Pods whose manifests say the same but for what each has of its own: what helps one of them helps the other."""

import msgspec
from msgspec.structs import replace

from kexplain.objects.core import Pod

_encode = msgspec.json.Encoder().encode


def manifest_key(pod: Pod) -> bytes:
    """All that is said of a pod's manifest, as one text: replicas have the same.

    It leaves out what an API server or a controller gives each: names, times, an index, tokens and claims.
    """
    owner = pod.metadata.controller
    controller = (owner.api_version, owner.kind, owner.name) if owner else None
    claims = tuple(replace(claim, resource_claim_name=None) for claim in pod.spec.resource_claims or ())
    own = dict.fromkeys(("volumes", "service_account_name", "service_account", "active_deadline_seconds"))
    spec = replace(pod.spec, **own, resource_claims=claims or None)
    return _encode((pod.namespace, controller, spec))
