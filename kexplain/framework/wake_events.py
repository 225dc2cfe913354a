"""Which changes of a cluster have the scheduler try a pod again: what its plugins register, and what becomes of that.

Source: scheduler `EnqueueExtensions`, `buildQueueingHintMap`, from 1.32 on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cluster import Cluster, PodInfo
from kexplain.framework.features import Features
from kexplain.framework.plugin import ExtensionPoint, Plugin, implements, offers
from kexplain.framework.profile import Profile
from kexplain.objects.requests import RequestRules
from kexplain.tables import table

#: The releases whose rules these are.
WAKING_RELEASES = ("1.32", "1.33", "1.34", "1.35", "1.36")
#: After so long a pod is tried again whatever happens. Source: `DefaultPodMaxInUnschedulablePodsDuration`.
LONGEST_WAIT_SECONDS = 300
#: How long a pod waits at least after its first and after many attempts. Source: `DefaultPodInitialBackoffDuration`.
FIRST_BACKOFF_SECONDS, LONGEST_BACKOFF_SECONDS = 1, 10


class ClusterEvent(Struct, frozen=True):
    """A kind of change. If `looks_closer`, the plugin looks at each such change: only one that may help wakes the pod.

    `needs` and `yields_to` name what has to be on or off, of Features or RequestRules. `hint` is how the plugin looks
    at pods that come and go; nothing else happens while a queue is followed here.
    """

    resource: str
    actions: tuple[str, ...]
    looks_closer: bool = False
    needs: str = ""
    yields_to: str = ""
    hint: Callable[[str, PodInfo, PodInfo, Cluster], bool] | None = None


class LooksAtPods(Plugin, Protocol):
    """Looks closer at pods that come and go; to a plugin that does not, each may help."""

    def may_help(self, action: str, pod: PodInfo, other: PodInfo, cluster: Cluster) -> bool:
        """Whether it may help a rejected pod that the other one comes ("Add") or goes ("Delete")."""


#: By name of a plugin, the changes that it registers for.
_REGISTERED = table("queueing-events", dict[str, tuple[ClusterEvent, ...]])
#: What wakes the pods that a plugin has rejected which registers nothing: one outside of kube-scheduler, say.
ANY_CHANGE = _REGISTERED[""]
#: Where a plugin can turn a pod away.
_TURNING_AWAY = (ExtensionPoint.PRE_ENQUEUE, ExtensionPoint.PRE_FILTER, ExtensionPoint.FILTER)
#: A new node may have been passed over for its taints, so that whoever waits for one is woken by these, too.
BEHIND_NEW_NODES = ClusterEvent("Node", ("UpdateNodeTaint",))


def events_by_plugin(
    profile: Profile, features: Features, rules: RequestRules
) -> Callable[[str], tuple[ClusterEvent, ...]]:
    """Tells the changes that wake a pod which the profile's plugin of some name has rejected."""

    def events_of(plugin: str) -> tuple[ClusterEvent, ...]:
        turning_away = (*profile.pre_enqueue, *profile.pre_filter, *profile.filter, *profile.post_filter)
        found = next((each for each in turning_away if each.name == plugin), None)
        return registered_events(found, features, rules)

    return events_of


def registered_events(plugin: Plugin | None, features: Features, rules: RequestRules) -> tuple[ClusterEvent, ...]:
    """The changes that wake a pod which this plugin has rejected; None is one that is not known here."""
    if plugin is None or plugin.name not in _REGISTERED:
        rejects = plugin is None or any(implements(plugin, point) for point in _TURNING_AWAY)
        return ANY_CHANGE if rejects else ()
    hints = features.queueing_hints
    hint = plugin.may_help if hints and offers(plugin, LooksAtPods) else None
    events = tuple(
        replace(event, looks_closer=hints and event.looks_closer, hint=hint)
        for event in _REGISTERED[plugin.name]
        if _holds(event, features, rules)
    )
    awaits_nodes, awaits_taints = (_has(events, action) for action in ("Add", "UpdateNodeTaint"))
    return (*events, BEHIND_NEW_NODES) if awaits_nodes and not awaits_taints else events


def wakes(events: Iterable[ClusterEvent], action: str, pod: PodInfo, other: PodInfo, cluster: Cluster) -> bool:
    """Whether it wakes the pod that another one comes ("Add") or goes ("Delete")."""
    of_pods = (event for event in events if event.resource == "Pod" and action in event.actions)
    return any(event.hint is None or event.hint(action, pod, other, cluster) for event in of_pods)


def awaits_claims(events: Iterable[ClusterEvent]) -> bool:
    """Whether a claim that gives its devices back wakes the pod. Source: `isSchedulableAfterClaimChange`."""
    return any(event.resource == "resource.k8s.io/ResourceClaim" and "Update" in event.actions for event in events)


def _holds(event: ClusterEvent, features: Features, rules: RequestRules) -> bool:
    def is_on(name: str) -> bool:
        return bool(getattr(features if hasattr(features, name) else rules, name))

    return (not event.needs or is_on(event.needs)) and not (event.yields_to and is_on(event.yields_to))


def _has(events: Iterable[ClusterEvent], action: str) -> bool:
    return any(event.resource == "Node" and action in event.actions for event in events)
