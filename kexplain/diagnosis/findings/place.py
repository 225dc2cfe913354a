"""Where nodes and volumes are, and what ails nodes, with the words for it."""

from collections.abc import Mapping

from kexplain.explain.output import Output
from kexplain.objects.node_service import Trouble
from kexplain.objects.well_known import HOSTNAME
from kexplain.words import joined, plural, verb

#: So many nodes or pools are named.
NAMED = 3


class Place(Output, frozen=True, omit_defaults=True):
    """Some nodes, at least one: `pool general`, `node g1 (pool general)`, `nodes a and b`, `the 9 nodes in zone 1a`.

    `pool` is the one that they are of; `nodes` and `pools` are named where they are few, and have names. Nodes are
    `whole` if there are no others, and `others` if they are not where the pod belongs.
    """

    count: int
    nodes: tuple[str, ...] = ()
    pools: tuple[str, ...] = ()
    pool: str = ""
    zone: str = ""
    whole: bool = False
    others: bool = False

    @property
    def is_one(self) -> bool:
        """Whether `what` stands for one thing: a pool, a node."""
        return self.count == 1 or len(self.pools) == 1

    @property
    def is_pool(self) -> bool:
        """Whether `what` names pools."""
        return self.count > 1 and bool(self.pools)

    @property
    def has(self) -> str:
        """What the nodes do that have something."""
        return verb(self.is_one, "has")

    @property
    def offers(self) -> str:
        """What they do that offer something."""
        return verb(self.is_one, "offers")

    @property
    def where(self) -> str:
        """Behind `no room`."""
        preposition = "in" if self.is_pool else "on" if self.count <= NAMED else "on any of"
        return f"{preposition} {self.what}"

    @property
    def what(self) -> str:
        """The nodes or the pool."""
        in_zone = f" in zone {self.zone}" if self.zone else ""
        if self.count == 1:
            return f"node {self.nodes[0]}{f' (pool {self.pool})' if self.pools else ''}{in_zone}"
        if self.pools:
            return f"pool{'' if len(self.pools) == 1 else 's'} {joined(self.pools)}{in_zone}"
        if self.nodes:
            return f"nodes {joined(self.nodes)}"
        return f"{self.count} other nodes" if self.others else f"the {self.count} nodes{self._whose}"

    @property
    def plural(self) -> str:
        """The nodes, even of a pool: `the 9 nodes of pool general`."""
        if self.is_pool:
            return f"the {self.count} nodes of {self.what}"
        return f"the {self.what}" if self.nodes[1:] else self.what

    @property
    def every(self) -> str:
        """All of them: `both nodes of pool general`."""
        number = "both" if self.count == 2 else f"all {self.count}"
        if self.is_pool:
            return f"{number} nodes of {self.what}"
        return self.what if self.nodes else f"{number} nodes{self._whose}"

    @property
    def _whose(self) -> str:
        return f" in zone {self.zone}" if self.zone else "" if self.whole else " that it may use"


class Ailments(Output, frozen=True):
    """What ails nodes, each by what comes first of it: `2 cordoned, 1 unreachable`.

    The trouble that most of them have comes first. `taints` are the keys that say so of nodes
    that are on their way, or about to go; `node_pool` is the NodePool that gives new nodes these. `since` is when that
    began, where it ought to be over.
    """

    nodes_by_trouble: dict[str, int]
    taints: tuple[str, ...] = ()
    node_pool: str = ""
    since: str = ""

    def __str__(self) -> str:
        return counted(self.nodes_by_trouble)

    @property
    def out(self) -> str:
        """The same behind `are`."""
        taint = f"taint {joined(self.taints)}"
        taint = f"startup {taint} of NodePool {self.node_pool}" if self.node_pool else taint
        ailing = f"{self} ({taint})" if self.taints else str(self)
        ailing += f" since {self.since}" if self.since else ""
        return f"out of service ({ailing})" if "," in ailing else ailing

    @property
    def is_cordon(self) -> bool:
        """Whether most of them are cordoned."""
        return next(iter(self.nodes_by_trouble)) == Trouble.CORDONED


def counted(count_by_name: Mapping[str, int], name: str = "") -> str:
    """How many there are of each, or the name of the only one, behind `name`."""
    if len(count_by_name) == 1:
        return f"{name}{next(iter(count_by_name))}"
    return ", ".join(f"{count} {each}" for each, count in count_by_name.items())


class Others(Output, frozen=True):
    """Where the nodes are that are no candidates: `12 nodes are reserved (8 spot, 4 gpu), 3 are out of service.`"""

    reserved: int
    by_whom: str
    elsewhere: int
    why_elsewhere: str
    out: int
    ailments: Ailments | None

    def __str__(self) -> str:
        found = (
            (self.reserved, "reserved", self.by_whom),
            (self.elsewhere, self.why_elsewhere, ""),
            (self.out, "out of service", str(self.ailments or "")),
        )
        parts: list[str] = []
        for count, what, brackets in found:
            if count:
                number = str(count) if parts else plural(count, "node")
                parts.append(f"{number} {verb(count, 'is')} {what}{f' ({brackets})' if brackets else ''}")
        return f"{', '.join(parts)}." if parts else ""


class VolumePlace(Output, frozen=True):
    """The one zone or node that a volume is in, by its label: `in zone eu-1a`, `on node g1`.

    `word` is what its domain is called; `exists` is whether there is such a node. Where no label says so, `node` is one
    that is called so otherwise, by its address for instance, and `label` is what its label says.
    """

    claim: str
    key: str
    value: str
    word: str = ""
    exists: bool = False
    node: str = ""
    label: str = ""

    def __str__(self) -> str:
        if self.key == HOSTNAME:
            return f"on node {self.value}"
        return f"in {self.value if self.value.startswith(self.word) else f'{self.word} {self.value}'}"
