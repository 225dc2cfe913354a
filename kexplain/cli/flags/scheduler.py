"""Which scheduler decides."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cli.flags.declaring import Words, option, utf8, values_for
from kexplain.errors import UsageError
from kexplain.parameters import parameter

if TYPE_CHECKING:
    from kexplain.config.scheduler_settings import SchedulerSettings

_VALUES = {"true": True, "false": False}


class SchedulerFlags(Struct, frozen=True, kw_only=True):
    """The release and the configuration of the scheduler."""

    panel: ClassVar = "The scheduler"

    kubernetes_version: Annotated[str, option()] = ""
    config: Annotated[str, option()] = ""
    scheduler_name: Annotated[str, option(callback=utf8)] = ""
    feature_gates: Annotated[Words, option()] = ()
    percentage_of_nodes_to_score: Annotated[int | None, option(min=0, max=100)] = None
    policy: Annotated[str, option()] = ""
    max_pd_volumes: Annotated[int | None, option(min=1)] = None

    def settings(self) -> "SchedulerSettings":
        """The scheduler that they describe. Raises UsageError on feature gates that cannot be read."""
        from kexplain.config.scheduler_settings import SchedulerSettings

        given = values_for(SchedulerSettings, self) | {"feature_gates": parse_feature_gates(self.feature_gates)}
        return SchedulerSettings(**given)


class CycleFlags(SchedulerFlags, frozen=True, kw_only=True):
    """The scheduler, and how its cycles run."""

    no_preemption: Annotated[bool, option()] = False
    call_extenders: Annotated[bool, option()] = False
    start_index: Annotated[int, option(min=0)] = 0

    def settings(self) -> "SchedulerSettings":
        """The scheduler that they describe, with what its cycles do."""
        return replace(super().settings(), preempts=not self.no_preemption, calls_extenders=self.call_extenders)


def parse_feature_gates(texts: Sequence[str], name: str = "feature_gates") -> dict[str, bool]:
    """Gates by name, of texts such as `A=true,B=false`; of a gate named twice the last counts.

    Raises UsageError on anything else, with the name of the parameter.
    """
    gates = {}
    for item in (item.strip() for text in texts for item in text.split(",") if item.strip()):
        gate, _, value = item.partition("=")
        if value.lower() not in _VALUES:
            raise UsageError(f'{parameter(name)}: "{item}" is not GATE=true or GATE=false')
        gates[gate.strip()] = _VALUES[value.lower()]
    return gates
