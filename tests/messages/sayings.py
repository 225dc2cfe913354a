"""Messages made of every text in the tables, as components put them together, with values of our own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from kexplain.messages.other_texts import (
    ADMISSION_TEXTS,
    CLUSTER_AUTOSCALER_TEXTS,
    EARLIER_NODE_TEXTS,
    EARLIER_POD_TEXTS,
    FARGATE_TEXTS,
    GKE_MESSAGES,
    KARPENTER_TEXTS,
    KUBELET_TEXTS,
    OTHER_NODE_TEXTS,
    OTHER_POD_TEXTS,
    SCALE_UP_FAILURES,
)
from kexplain.messages.text import Text
from kexplain.messages.texts import NODE_TEXTS, POD_TEXTS, POST_FILTER_TEXTS

_VALUES: Mapping[str, str] = {
    **dict.fromkeys(("count", "number", "have"), "3"),
    **dict.fromkeys(("want", "requested", "most", "capacity", "nodes", "limit"), "12"),
    "code": "503",
    "details": " in zone-b",
    "name": "blue",
    "fault": "the answer came too late",
    "reason": "no socket was there",
    "cause": "context deadline exceeded",
    "pod": "shop/web-0",
    "value": "batch",
    "group": "pool-a",
    "resource": "example.com/npu",
    "claim": "data-web-0",
    "node": "node-7",
    "plugin": "VolumeBinding",
    "kind": "Pod",
    "key": "topology.kubernetes.io/zone",
    "volume": "pv-7",
    "taint": "example.com/dedicated: batch",
    "tainted": "example.com/dedicated=batch:NoSchedule",
    "label": "example.com/disk",
    "time": "15m0s",
    "resources": "cpu, memory",
    "queue": "team-a",
    "flavor": "spot",
    "level": "restricted:latest",
    "objects": "pods",
    "address": "https://extender.example.com:8443/filter",
    "file": "web.yaml",
    "storage_class": "fast",
    "agent": "example.com",
    "condition": "draining",
    "place": "nodeclaim/general-7f2c",
    "wanted": "topology.kubernetes.io/zone In [zone-a]",
    "offered": "topology.kubernetes.io/zone In [zone-b zone-c]",
    "where": "zone-b",
    "groups": "[{pool-a 1->2 (max: 3)}]",
}


def saying(text: Text) -> str:
    """The words of a text, with a value for each name."""
    words = text.filled({name: _VALUES.get(name, name) for name in re.findall(r"<([a-z_]+)>", text.template)})
    return words.replace("  ", " ").replace("( ", "(").strip()


def _of_nodes(texts: Sequence[Text]) -> Iterator[str]:
    preempted = "0/9 nodes are available: 4 No preemption victims found for incoming pod, 5 Preemption is not helpful"
    ends = (
        "",
        f" preemption: {preempted} for scheduling.",
        f" no new claims to deallocate, preemption: {preempted} for scheduling.",
        " preemption: not eligible due to preemptionPolicy=Never.",
    )
    for index, text in enumerate(texts):
        yield f"0/9 nodes are available: 2 {saying(text)}, 7 Insufficient cpu.{ends[index % len(ends)]}"


def sayings() -> Mapping[str, Sequence[str]]:
    """Messages by who says them."""
    overhead = 'daemonset overhead={"cpu":"80m","memory":"90Mi","pods":"4"}'
    own = KARPENTER_TEXTS[: -len(NODE_TEXTS)]
    return {
        "of-nodes": [*_of_nodes(NODE_TEXTS)],
        "of-nodes-earlier": [*_of_nodes((*EARLIER_NODE_TEXTS, *OTHER_NODE_TEXTS))],
        "after-filters": [
            f"0/9 nodes are available: 9 Insufficient memory. {saying(text)}, preemption: not eligible due to a "
            "terminating pod on the nominated node."
            for text in POST_FILTER_TEXTS
        ],
        "of-pods": [saying(text) for text in (*POD_TEXTS, *EARLIER_POD_TEXTS)],
        "of-queues": [saying(text) for text in OTHER_POD_TEXTS],
        "of-kubelets": [saying(text) for text in KUBELET_TEXTS],
        "of-admission": [saying(text) for text in ADMISSION_TEXTS],
        "not-scaled-up": [
            f"pod didn't trigger scale-up: 2 {saying(text)}, 1 max node group size reached" for text in NODE_TEXTS
        ],
        "of-autoscalers": [saying(text) for text in (*CLUSTER_AUTOSCALER_TEXTS, *GKE_MESSAGES, *FARGATE_TEXTS)],
        "scale-up-failed": [
            f"Node scale up in zones zone-a, zone-b associated with this pod failed: {saying(text)}. Pod is at risk of "
            "not being scheduled."
            for text in SCALE_UP_FAILURES
        ],
        "of-karpenter": [saying(text) for text in own],
        "of-node-pools": [
            f'Failed to schedule pod, incompatible with nodepool "spot", {overhead}, {saying(text)}; incompatible with '
            f'nodepool "general", {overhead}, did not tolerate example.com/dedicated=batch:NoSchedule'
            for text in own
        ],
    }
