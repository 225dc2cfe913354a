"""PreFilter: what each plugin works out before any node is looked at, and the chain of filters that results.

Source: `framework/runtime/framework.go`, `RunPreFilterPlugins`.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby, takewhile
from typing import Any

from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.answer_cache import NO_CACHE, AnswerCache
from kexplain.framework.features import DEFAULT_FEATURES, Features
from kexplain.framework.filter_chain import Link, Run, Sweep
from kexplain.framework.filtering import FilterChain
from kexplain.framework.plugin import (
    FilterPlugin,
    NodeByNodeFilter,
    PreFiltered,
    PreFilterExtensions,
    PreFilterPlugin,
    Skip,
    offers,
)
from kexplain.framework.plugin_errors import Asked
from kexplain.framework.profile import Profile
from kexplain.framework.status import Code, Status, error, unresolvable, unschedulable
from kexplain.objects.core import Pod


class PreFilterResult(Struct, frozen=True):
    """What all PreFilters said together.

    `rejection` turns down the pod as a whole; plugins that are not in `reached` were asked after it, for the
    trace only, and so was `chain` made with what they said. `reached_chain` does without, as upstream has to.
    `node_names`, where given, are the only nodes to look at, as `narrowed_by` (sorted) said.
    """

    by_plugin: Mapping[str, PreFiltered[Any] | Skip | Status]
    chain: FilterChain
    reached_chain: FilterChain
    reached: frozenset[str]
    rejection: Status | None = None
    node_names: frozenset[str] | None = None
    narrowed_by: tuple[str, ...] = ()


Answers = Mapping[str, PreFiltered[Any] | Skip | Status]


def run_pre_filters(
    profile: Profile, pod: Pod, cluster: Cluster, features: Features = DEFAULT_FEATURES, cache: AnswerCache = NO_CACHE
) -> PreFilterResult:
    """Ask every PreFilter; one that rejects for good has the last word, and so has finding no common node."""
    answers: dict[str, PreFiltered[Any] | Skip | Status] = {}
    rejection: Status | None = None
    names: frozenset[str] | None = None
    narrowed_by: list[str] = []
    reached: set[str] = set()
    is_over = False
    for plugin in profile.pre_filter:
        ask = partial(pre_filtered, plugin, pod, cluster)
        answer = answers[plugin.name] = cache.answer("preFilter", (plugin,), ask)
        if is_over:
            continue
        reached.add(plugin.name)
        if isinstance(answer, Status):
            rejection = _pre_filter_failure(plugin.name, answer)
            is_over = rejection.code is not Code.UNSCHEDULABLE
        elif isinstance(answer, PreFiltered) and answer.node_names is not None:
            narrowed_by.append(plugin.name)
            names = answer.node_names if names is None else names & answer.node_names
            if not names:
                rejection = _no_common_node(narrowed_by, is_unresolvable=features.no_common_node_is_unresolvable)
                is_over = True
    chain = reached_chain = chain_of(profile, pod, cluster, answers)
    if is_over:
        known = _known_to_upstream(answers, reached, forgets_skips=features.pre_filter_rejection_leaves_nodes_open)
        reached_chain = chain_of(profile, pod, cluster, known)
    narrowing = tuple(sorted(narrowed_by))
    return PreFilterResult(answers, chain, reached_chain, frozenset(reached), rejection, names, narrowing)


def pre_filtered(plugin: PreFilterPlugin, pod: Pod, cluster: Cluster) -> PreFiltered[Any] | Skip | Status:
    """What the plugin answers. Raises PluginError if it fails."""
    with Asked(plugin.name, pod):
        return plugin.pre_filter(pod, cluster)


def _known_to_upstream(answers: Answers, reached: Container[str], *, forgets_skips: bool) -> Answers:
    """The answers that leave something behind when PreFilter ends early."""
    return {
        name: answer
        for name, answer in answers.items()
        if name in reached and (isinstance(answer, PreFiltered) or (isinstance(answer, Skip) and not forgets_skips))
    }


def chain_of(profile: Profile, pod: Pod, cluster: Cluster, answers: Answers) -> FilterChain:
    """The filters, each with what its PreFilter answered."""
    named = ((name, answer) for name, answer in answers.items() if isinstance(answer, PreFiltered))
    names_by_plugin = {name: answer.node_names for name, answer in named if answer.node_names is not None}
    missing = [
        (plugin.name, plugin.missing_state)
        for plugin in profile.pre_filter
        if plugin.name not in answers and offers(plugin, PreFilterExtensions) and plugin.missing_state
    ]
    links = _links(profile, pod, cluster, answers)
    steps, stateless = _steps(profile, pod, links, cluster), missing[0] if missing else ("", "")
    return FilterChain(pod, links, names_by_plugin, steps, profile.runs_all_filters, stateless)


def _pre_filter_failure(plugin: str, status: Status) -> Status:
    """A rejection as it is; an error says where it happened."""
    if status.is_rejection:
        return status.by(plugin)
    return error(f'running PreFilter plugin "{plugin}": {status.message}').by(plugin)


def _no_common_node(narrowed_by: Sequence[str], *, is_unresolvable: bool) -> Status:
    names = sorted(narrowed_by)
    reason = f"node(s) didn't satisfy plugin(s) [{' '.join(names)}] simultaneously"
    if len(names) == 1:
        reason = f"node(s) didn't satisfy plugin {names[0]}"
    return unresolvable(reason) if is_unresolvable else unschedulable(reason)


def _links(profile: Profile, pod: Pod, cluster: Cluster, answers: Answers) -> list[Link]:
    """The filters that did not skip; one whose PreFilter rejected has no state to run on."""
    links = []
    for plugin in profile.filter:
        answer = answers.get(plugin.name)
        extensions = profile.pre_filter_extensions.get(plugin.name)
        if isinstance(answer, PreFiltered):
            selective = profile.selective_filters.get(plugin.name)
            wholesale = profile.wholesale_filters.get(plugin.name)
            links.append(Link(plugin, answer.state, extensions, selective, wholesale))
        elif answer is None and plugin.name in profile.prepared_filters:
            links += _unprepared_link(plugin, profile.prepared_filters[plugin.name], pod, cluster)
        elif answer is None:
            links.append(Link(plugin, None, extensions))
    return links


def _steps(profile: Profile, pod: Pod, links: Sequence[Link], cluster: Cluster) -> list[Link | Run]:
    """The links in their order, those together that look at nothing but the node."""
    steps: list[Link | Run] = []
    signatures = {
        link.name: (plugin, signature)
        for link in links
        if (plugin := profile.node_by_node_filters.get(link.name)) is not None
        and not isinstance(link.state, Status)
        and (signature := plugin.sign(pod, cluster)) is not None
    }
    for is_run, every in groupby(links, lambda link: link.name in signatures):
        group = list(every)
        if is_run:
            steps.append(_run(group, signatures, cluster, len(steps)))
        else:
            steps += group
    return steps


def _run(
    links: Sequence[Link], signatures: Mapping[str, tuple[NodeByNodeFilter, object]], cluster: Cluster, place: int
) -> Run:
    """The links as one, and in it those at the start as one that look at the node alone: they speak of most nodes."""
    alone = list(takewhile(lambda link: not signatures[link.name][0].filters_by_pods_there, links))
    parts: list[Link | Run] = [*links]
    if 1 < len(alone) < len(links):
        parts = [_run(alone, signatures, cluster, -1 - place), *links[len(alone) :]]
    key = tuple(signatures[link.name] for link in links)
    sweep = cluster.fact((Sweep, place), Sweep)
    return Run(parts, key, cluster.node_memo(key), sweep, is_of_nodes=len(alone) == len(links))


class SameAnswer(Struct, frozen=True):
    """A filter that says the same of every node: its state."""

    name: str

    def filter(self, pod: Pod, state: Status, node_info: NodeInfo) -> Status:  # noqa: ARG002
        return state


def filter_unprepared(plugin: PreFilterPlugin, pod: Pod, cluster: Cluster) -> PreFiltered[Any] | Skip | Status:
    """What a plugin filters by where its PreFilter has not run; a Status is its answer for every node.

    That is what its method `unprepared` makes, if it has one; the error `missing_state`, if upstream keeps a state and
    ends with that; and what its PreFilter would make, if upstream keeps none.
    """
    missing = "" if hasattr(plugin, "unprepared") else getattr(plugin, "missing_state", "")
    prepare = getattr(plugin, "unprepared", plugin.pre_filter)
    answer: PreFiltered[Any] | Skip | Status = error(missing) if missing else prepare(pod, cluster)
    return answer


def _unprepared_link(plugin: FilterPlugin, prepared: PreFilterPlugin, pod: Pod, cluster: Cluster) -> Iterator[Link]:
    with Asked(plugin.name, pod):
        answer = filter_unprepared(prepared, pod, cluster)
    if isinstance(answer, Status):
        yield Link(SameAnswer(plugin.name), answer, None)
    elif isinstance(answer, PreFiltered):
        yield Link(plugin, answer.state, None)
