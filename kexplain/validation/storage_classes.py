"""What storage is provided by: classes, drivers, and what drivers say of nodes.

Source: storage/validation, release 1.36 with its default feature gates: VolumeLimitScaling is off.
"""

from collections.abc import Mapping

from kexplain.validation.field import Field, reject_repeated
from kexplain.validation.names import label_key
from kexplain.validation.rows import judge

_MOST_PARAMETER_BYTES = 256 << 10


# ---------------------------------------------------------------------------------------------------- classes


def _check_parameters(parameters: Field) -> None:
    if not parameters.no_more_than(512):
        return
    parameters.reject_if("" in parameters.mapping, "has a key that is empty")
    size = sum(len(key.encode()) + len(value.string.encode()) for key, value in parameters.entries())
    parameters.reject_if(size > _MOST_PARAMETER_BYTES, f"holds more than {_MOST_PARAMETER_BYTES} bytes")


def _check_topologies(terms: Field) -> None:
    """Terms that differ. An API server calls a term without expressions a repetition, even the first."""
    seen: list[Mapping[str, frozenset[str]]] = [{}]
    for term in terms.items():
        expressions = term.child("matchLabelExpressions")
        judge(term, "storage_classes.topology")
        values_by_key = {one.child("key").string: frozenset(one.child("values").strings) for one in expressions.items()}
        expressions.reject_if(values_by_key in seen, "is empty, or the same as those of another term")
        seen.append(values_by_key)


# ---------------------------------------------------------------------------------------------------- drivers


def _check_topology_keys(driver: Field) -> None:
    """An API server names the driver where a topology key is wrong."""
    keys = [key.written(driver) for key in driver.child("topologyKeys").items()]
    reject_repeated((key.string, key) for key in keys)
    for key in keys:
        key.obey(label_key)
