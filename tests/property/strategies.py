"""Small clusters at random, crowded enough that rules get in each other's way."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from kexplain.cluster import Cluster
from kexplain.objects.core import Affinity, Node, Pod, PodAffinityTerm, Toleration, TopologySpreadConstraint
from kexplain.objects.meta import Labels, LabelSelector
from tests.factories import (
    HOSTNAME,
    ZONE,
    affinity,
    cluster,
    container,
    exists,
    in_,
    namespace,
    node,
    node_affinity,
    node_term,
    pod,
    selector,
    service,
    spread,
    term,
    toleration,
)

KEYS = ("app", "tier")
VALUES = ("a", "b")
NAMESPACES = ("default", "other")
TOPOLOGY_KEYS = (HOSTNAME, ZONE, "rack")
TAINTS = ("k=v:NoSchedule", "k:NoExecute", "soft:PreferNoSchedule")
GPU = "nvidia.com/gpu"

labels: st.SearchStrategy[Labels] = st.dictionaries(st.sampled_from(KEYS), st.sampled_from(VALUES), max_size=2)

expressions: st.SearchStrategy[tuple[str, str, list[str]]] = st.one_of(
    st.tuples(
        st.sampled_from(KEYS),
        st.sampled_from(("In", "NotIn")),
        st.lists(st.sampled_from(VALUES), min_size=1, max_size=2),
    ),
    st.tuples(st.sampled_from(KEYS), st.sampled_from(("Exists", "DoesNotExist")), st.builds(list[str])),
)


@st.composite
def selectors(draw: st.DrawFn, *, may_be_empty: bool = True) -> LabelSelector:
    """A label selector that can be parsed."""
    found = draw(st.lists(expressions, max_size=1))
    wanted = draw(labels)
    return selector(wanted if wanted or found or may_be_empty else {"app": "a"}, *found)


@st.composite
def nodes(draw: st.DrawFn, name: str) -> Node:
    """A node, perhaps in a zone and a rack, perhaps tainted or cordoned."""
    rack = draw(st.sampled_from((None, "1", "2")))
    return node(
        name,
        cpu=draw(st.integers(0, 4)),
        memory=f"{draw(st.integers(1, 8))}Gi",
        pods=draw(st.integers(0, 6)),
        further={GPU: draw(st.integers(0, 2))},
        zone=draw(st.sampled_from((None, "a", "b"))),
        labels=draw(labels) | ({} if rack is None else {"rack": rack}),
        taints=draw(st.lists(st.sampled_from(TAINTS), max_size=1)),
        cordoned=draw(st.integers(0, 9)) == 0,
        images={"img:1": 500 * 1024**2} if draw(st.booleans()) else None,
    )


@st.composite
def node_lists(draw: st.DrawFn) -> list[Node]:
    """Up to a dozen nodes."""
    return [draw(nodes(f"n{index}")) for index in range(draw(st.integers(0, 12)))]


@st.composite
def terms(draw: st.DrawFn) -> PodAffinityTerm:
    """A pod affinity term, in any namespace or in selected ones."""
    return term(
        draw(selectors()),
        draw(st.sampled_from(TOPOLOGY_KEYS)),
        namespaces=draw(st.sampled_from((None, ["other"]))),
        namespace_selector=draw(st.sampled_from((None, selector(), selector({"team": "x"})))),
    )


@st.composite
def affinities(draw: st.DrawFn) -> Affinity | None:
    """No affinity, or a little of everything."""
    if draw(st.booleans()):
        return None
    weighted = st.tuples(st.integers(1, 100), terms())
    preferred = [(draw(st.integers(1, 100)), node_term(exists("rack")))] if draw(st.booleans()) else None
    required = [node_term(in_("rack", "1"))] if draw(st.integers(0, 4)) == 0 else []
    return affinity(
        near=draw(st.lists(terms(), max_size=1)),
        far=draw(st.lists(terms(), max_size=2)),
        prefers_near=draw(st.lists(weighted, max_size=1)),
        prefers_far=draw(st.lists(weighted, max_size=1)),
        node=node_affinity(*required, preferred=preferred) if required or preferred else None,
    )


@st.composite
def constraints(draw: st.DrawFn) -> TopologySpreadConstraint:
    """A spread constraint, hard or soft, that is about some pods."""
    return spread(
        draw(st.sampled_from(TOPOLOGY_KEYS)),
        draw(selectors(may_be_empty=False)),
        max_skew=draw(st.integers(1, 2)),
        soft=draw(st.booleans()),
        min_domains=draw(st.sampled_from((None, 1, 3))),
        affinity_policy=draw(st.sampled_from((None, "Ignore"))),
        taints_policy=draw(st.sampled_from((None, "Honor"))),
    )


tolerations: st.SearchStrategy[list[Toleration]] = st.lists(
    st.sampled_from((toleration("k", "v"), toleration("k", operator="Exists"), toleration(operator="Exists"))),
    max_size=1,
)


@st.composite
def pods(draw: st.DrawFn, name: str, *, on: Sequence[str] = (), deleting: bool = True) -> Pod:
    """A pod, on one of the nodes if there are any; `deleting` allows for pods that are on their way out."""
    return pod(
        name,
        namespace=draw(st.sampled_from(NAMESPACES)),
        labels=draw(labels),
        node=draw(st.sampled_from(on)) if on else None,
        cpu=draw(st.sampled_from((None, "500m", "1", "2"))),
        memory=draw(st.sampled_from((None, "1Gi"))),
        further={GPU: draw(st.integers(0, 1))},
        init=[container("1", sidecar=True)] if draw(st.integers(0, 4)) == 0 else [],
        ports=draw(st.lists(st.sampled_from(("80", "10.0.0.1:80", "53/UDP")), max_size=1)),
        image="img:1",
        priority=draw(st.integers(0, 2)),
        affinity=draw(affinities()),
        spread=draw(st.lists(constraints(), max_size=2)),
        tolerations=draw(tolerations),
        deleting=deleting and draw(st.integers(0, 4)) == 0,
    )


@st.composite
def clusters(draw: st.DrawFn, *, deleting: bool = True) -> Cluster:
    """Up to four nodes and eight pods."""
    names = [f"n{index}" for index in range(draw(st.integers(1, 4)))]
    services = [service("s", {"app": "a"})] if draw(st.booleans()) else []
    return cluster(
        [draw(nodes(name)) for name in names],
        [draw(pods(f"p{index}", on=names, deleting=deleting)) for index in range(draw(st.integers(0, 8)))],
        namespace("default", {"team": "x"}),
        namespace("other", {"team": "y"}),
        *services,
    )
