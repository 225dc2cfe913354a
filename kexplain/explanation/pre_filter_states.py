"""What plugins have worked out of a pod before they are asked about nodes, in words for who knows the plugins."""

from collections.abc import Mapping

from kexplain.explain.wording import amount
from kexplain.plugins.devices.allocator import DevicesState
from kexplain.plugins.inter_pod_affinity import AffinityFilterState
from kexplain.plugins.resource_allocation import FitRequest
from kexplain.plugins.spread_counts import SpreadFilterState
from kexplain.plugins.volume_claims import PodVolumeClaims
from kexplain.words import plural, some

_SHOWN = 5


def state_text(state: object) -> str:
    """The figures of the state; empty where it has none beyond what the pod says itself."""
    match state:
        case FitRequest():
            asked = [f"{name} {amount(name, each)}" for name, each in state.amounts if each]
            return f"requests {', '.join(asked)}" if asked else "requests nothing"
        case SpreadFilterState():
            texts = (
                f"{each.topology_key}, maxSkew {each.max_skew}: {_counts(counts.count_by_domain)}"
                for each, counts, _ in state.checks
            )
            return "; ".join(dict.fromkeys(texts))
        case AffinityFilterState():
            found = {"near": state.affinity, "apart from": state.anti, "repelled by": state.existing_anti}
            pairs = {name: {"=".join(pair): count for pair, count in each.items()} for name, each in found.items()}
            return "; ".join(f"{name} pods in {_counts(each)}" for name, each in pairs.items() if each)
        case PodVolumeClaims():
            return f"{plural(len(state.bound), 'bound claim')}, {len(state.delayed)} to be bound"
        case DevicesState():
            allocated = sum(each.status.allocation is not None for each in state.claims)
            return f"{plural(len(state.claims), 'claim')}, {allocated} allocated already"
        case _:
            return ""


def _counts(count_by_domain: Mapping[str, int]) -> str:
    """How many pods each domain has, those with the fewest first."""
    counts = sorted(count_by_domain.items(), key=lambda each: each[1])
    return some([f"{domain} ({count})" for domain, count in counts], _SHOWN) or "no domain"
