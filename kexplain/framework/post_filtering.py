"""PostFilter: looking for a way to make room. Source: `framework/runtime/framework.go`, `RunPostFilterPlugins`."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.filtering import FilterChain, Trial
from kexplain.framework.plugin import PostFilterPlugin, PreFilterPlugin, offers
from kexplain.framework.plugin_errors import Asked
from kexplain.framework.postfilter import Candidate, NodeStatuses, PostFiltered, Review, Reviewer
from kexplain.framework.pre_filtering import PreFilterResult
from kexplain.framework.profile import Profile
from kexplain.framework.status import Code, Status, error
from kexplain.objects.core import Pod


class PostFilterHandle(Struct, frozen=True):
    """What a PostFilter plugin may look at: a cluster in which no node fits, and why each was turned down."""

    cluster: Cluster
    statuses: NodeStatuses
    chain: FilterChain
    reviewer: Reviewer | None = None

    @property
    def seeks_victims(self) -> bool:
        """Whether any extender is asked for victims."""
        return self.reviewer is not None and self.reviewer.seeks_victims

    def trial(self, node_info: NodeInfo) -> Trial:
        """A trial run on a copy of that node."""
        return Trial(self.chain, node_info, self.cluster)

    def state(self, plugin_name: str) -> Any:
        """What that plugin's PreFilter has made; None if it skipped, rejected or was not asked."""
        return self.chain.state(plugin_name)

    def review(self, candidates: Sequence[Candidate]) -> Review | Status:
        """What extenders say of these candidates; see `Reviewer`."""
        return self.reviewer.review(candidates) if self.reviewer else Review(tuple(candidates))


class PostFilterResult(Struct, frozen=True):
    """All PostFilter plugins' answers, and the text that joins the event's message."""

    answers: tuple[tuple[str, PostFiltered], ...] = msgspec.field(default=())
    message: str = ""


def run_post_filters(
    profile: Profile,
    pod: Pod,
    cluster: Cluster,
    statuses: NodeStatuses,
    pre_filter: PreFilterResult,
    reviewer: Reviewer | None = None,
) -> PostFilterResult:
    """Ask until one succeeds or says that nothing can help; otherwise all reasons are joined."""
    handle = PostFilterHandle(cluster, statuses, pre_filter.reached_chain, reviewer)
    answers: list[tuple[str, PostFiltered]] = []
    reasons: list[str] = []
    for plugin in profile.post_filter:
        answer = _post_filtered(plugin, pod, handle, pre_filter)
        answers.append((plugin.name, answer))
        if answer.status is None:
            return PostFilterResult(tuple(answers), answer.message)
        if answer.status.code is not Code.UNSCHEDULABLE:
            return PostFilterResult(tuple(answers), answer.status.message)
        reasons += answer.status.reasons
    return PostFilterResult(tuple(answers), ", ".join(reasons))


def _post_filtered(
    plugin: PostFilterPlugin, pod: Pod, handle: PostFilterHandle, pre_filter: PreFilterResult
) -> PostFiltered:
    if offers(plugin, PreFilterPlugin) and plugin.name not in pre_filter.reached:
        # Upstream keeps state by name, and does not find any of a PreFilter that never ran.
        return PostFiltered(error("not found"))
    with Asked(plugin.name, pod):
        return plugin.post_filter(pod, handle)
