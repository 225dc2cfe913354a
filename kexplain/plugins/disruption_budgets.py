"""Disruption budgets as preemption counts them. Source: `framework/preemption/util.go`."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import starmap

from msgspec import Struct

from kexplain.cluster import Cluster, Listers
from kexplain.grouping import grouped
from kexplain.objects.core import Pod
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.objects.selectors import Selector, SelectorError, selector_from


class Budget(Struct, frozen=True):
    """A disruption budget: how many of its pods may go, and which have gone already."""

    key: str
    namespace: str
    selector: Selector
    disrupted: frozenset[str]
    allowed: int


class Budgets:
    """All budgets; which of them select a pod is worked out once for all its replicas."""

    def __init__(self, budgets: Iterable[Budget], *, selects_all: bool = False) -> None:
        """One whose selector is empty `selects_all` pods of its namespace, those without labels too, or none."""
        self._selects_all = selects_all
        counted = [budget for budget in budgets if selects_all or not budget.selector.is_empty]
        self._some_are_leaving = any(budget.disrupted for budget in counted)
        self._by_namespace = grouped((budget.namespace, budget) for budget in counted)
        self._selecting: dict[tuple[object, ...], list[Budget]] = {}

    def __bool__(self) -> bool:
        return bool(self._by_namespace)

    def protecting(self, pod: Pod) -> list[Budget]:
        """The budgets that evicting the pod would draw on."""
        namespace, labels = pod.namespace, pod.metadata.labels or {}
        here = self._by_namespace.get(namespace)
        if not here or not (labels or self._selects_all):
            return []
        key = (namespace, *labels, *labels.values())
        found = self._selecting.get(key)
        if found is None:
            found = self._selecting[key] = [budget for budget in here if budget.selector.matches(labels)]
        return [budget for budget in found if pod.name not in budget.disrupted] if self._some_are_leaving else found

    def drawn_on(self, pods: Iterable[Pod]) -> tuple[str, ...]:
        """The budgets that evicting these pods would draw on, by their keys."""
        return tuple(dict.fromkeys(budget.key for pod in pods for budget in self.protecting(pod)))


class Evictions:
    """Pods that leave one after the other, and what budgets allow of that."""

    def __init__(self, budgets: Budgets, *, ends_at_first: bool) -> None:
        """A pod whose eviction violates a budget draws on none after the first of those, if it `ends_at_first`."""
        self._budgets = budgets
        self._ends_at_first = ends_at_first
        self._evicted: dict[int, int] = {}

    def violates(self, pod: Pod) -> bool:
        """Whether evicting that pod next would violate a budget."""
        violates = False
        for budget in self._budgets.protecting(pod):
            self._evicted[id(budget)] = evicted = self._evicted.get(id(budget), 0) + 1
            if evicted > budget.allowed:
                violates = True
                if self._ends_at_first:
                    break
        return violates


def parse_budgets(cluster: Cluster, *, selects_all: bool = False) -> Budgets:
    """The budgets whose selectors can be read; see `Budgets`."""
    return Budgets(starmap(_budget, readable_budgets(cluster)), selects_all=selects_all)


def readable_budgets(cluster: Cluster) -> Sequence[tuple[PodDisruptionBudget, Selector]]:
    """The budgets whose selectors can be read, each with that; worked out once."""
    return cluster.listers.derived(_readable, PodDisruptionBudget)


def _readable(listers: Listers) -> Sequence[tuple[PodDisruptionBudget, Selector]]:
    found = []
    for pdb in listers.every(PodDisruptionBudget):
        with suppress(SelectorError):
            found.append((pdb, selector_from(pdb.spec.selector)))
    return found


def _budget(pdb: PodDisruptionBudget, selector: Selector) -> Budget:
    disrupted = frozenset(pdb.status.disrupted_pods or ())
    return Budget(pdb.key, pdb.namespace, selector, disrupted, pdb.status.disruptions_allowed or 0)
