"""What plugins go by: pods of one signature fare alike. Source: `SignPlugin` of kube-scheduler from 1.34 on.

Deviation: upstream's plugins sign nothing where they look at other pods or at claims, as its signatures outlive what
is there. A signature here is for one cluster as it stands, so that nearly every pod has one. Which of them upstream
has, too, is for `Batching`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Protocol

import msgspec
from msgspec import Struct

from kexplain.cluster import Cluster
from kexplain.objects.core import Pod

#: Records that read the same encode the same. Unlike msgpack, JSON takes whole numbers of any size, which quantities
#: may be.
encoded = msgspec.json.Encoder().encode


class Signature(Struct, frozen=True):
    """All that a plugin reads of a pod, and of what the cluster holds for this pod alone.

    `read` decides what the plugin says, `named` is in its words only: it tells pods apart once the plugin speaks.
    """

    read: Hashable = ()
    named: Hashable = ()


#: Of a plugin that says the same of every pod.
NOTHING_READ = Signature()


class SignPlugin(Protocol):
    """A plugin that says what it goes by, so that pods of which it reads the same are asked about once.

    Without it every pod is unique: nothing that is known of one is taken for another.
    """

    @property
    def name(self) -> str:
        """The name that upstream gives it."""

    def sign(self, pod: Pod, cluster: Cluster) -> Signature | None:
        """The signature of a pod in that cluster; None for one like no other."""


class Batching(Protocol):
    """A plugin that upstream does not let sign every pod."""

    def is_signed_upstream(self, pod: Pod) -> bool:
        """Whether upstream's `SignPod` has a signature for the pod."""


class PodSignature(Struct, frozen=True):
    """The signatures of all plugins of a profile; `named` has those that name anything, by their plugins."""

    read: tuple[Hashable, ...]
    named: tuple[tuple[str, Hashable], ...] = ()

    def told_apart_by(self, other: PodSignature) -> frozenset[str] | None:
        """The plugins whose words differ for these two pods, if they say anything; None for pods that differ."""
        return None if self.read != other.read else frozenset(name for name, _ in {*self.named} ^ {*other.named})


def joined(plugins: Iterable[SignPlugin], pod: Pod, cluster: Cluster, *further: Hashable) -> PodSignature | None:
    """The pod's signature by all of these plugins, which keep their order, and by what else is read of it."""
    read: list[Hashable] = [*further]
    named: list[tuple[str, Hashable]] = []
    for plugin in plugins:
        signature = plugin.sign(pod, cluster)
        if signature is None:
            return None
        read.append(signature.read)
        if signature.named != ():
            named.append((plugin.name, signature.named))
    return PodSignature(tuple(read), tuple(named))
