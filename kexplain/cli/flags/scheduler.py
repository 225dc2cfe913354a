"""Which scheduler decides."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from kexplain.cli.flags.declaring import Words, option, utf8, values_for
from kexplain.errors import UsageError

if TYPE_CHECKING:
    from kexplain.config.scheduler_settings import SchedulerSettings

_VALUES = {"true": True, "false": False}


class SchedulerFlags(Struct, frozen=True, kw_only=True):
    """The release and the configuration of the scheduler."""

    panel: ClassVar = "The scheduler"

    kubernetes_version: Annotated[
        str,
        option(
            metavar="VERSION",
            daily=True,
            help="The release to decide as, such as 1.34. Default is the release of most kubelets.",
        ),
    ] = ""
    config: Annotated[
        str,
        option(
            metavar="FILE",
            daily=True,
            help="A file with a KubeSchedulerConfiguration. Also a ConfigMap, AKS object or pod of "
            "kube-scheduler with one; the image of such a pod gives the release.",
        ),
    ] = ""
    scheduler_name: Annotated[
        str,
        option(
            metavar="NAME",
            callback=utf8,
            help="The schedulerName that this scheduler serves; default is default-scheduler. Excludes --config, "
            "whose profiles have names.",
        ),
    ] = ""
    feature_gates: Annotated[
        Words,
        option(metavar="GATE=true|false,…", help="Feature gates of the scheduler that differ from their defaults."),
    ] = ()
    percentage_of_nodes_to_score: Annotated[
        int | None,
        option(
            min=0,
            max=100,
            metavar="PERCENT",
            help="Feasible nodes to find before scoring, in percent of all nodes; 0 derives it from their number. "
            "Overrides --config and its profiles.",
        ),
    ] = None
    policy: Annotated[
        str,
        option(
            metavar="FILE", help="A legacy Policy of Kubernetes 1.22 or earlier; default-1.4 is the default of 1.4."
        ),
    ] = ""
    max_pd_volumes: Annotated[
        int | None,
        option(
            metavar="N", min=1, help="With --policy, how many cloud disks a node can attach, like KUBE_MAX_PD_VOLS."
        ),
    ] = None

    def settings(self) -> "SchedulerSettings":
        """The scheduler that they describe. Raises UsageError on feature gates that cannot be read."""
        from kexplain.config.scheduler_settings import SchedulerSettings

        given = values_for(SchedulerSettings, self) | {"feature_gates": parse_feature_gates(self.feature_gates)}
        return SchedulerSettings(**given)


class CycleFlags(SchedulerFlags, frozen=True, kw_only=True):
    """The scheduler, and how its cycles run."""

    no_preemption: Annotated[bool, option(help="Skip the preemption dry run.")] = False
    call_extenders: Annotated[
        bool, option(help="Send pods and nodes to the extenders of the configuration, and use their answers.")
    ] = False
    start_index: Annotated[
        int, option(min=0, metavar="N", help="Where the round robin over nodes starts for the first pod; default is 0.")
    ] = 0

    def settings(self) -> "SchedulerSettings":
        """The scheduler that they describe, with what its cycles do."""
        return replace(super().settings(), preempts=not self.no_preemption, calls_extenders=self.call_extenders)


def parse_feature_gates(texts: Sequence[str]) -> dict[str, bool]:
    """Gates by name, of texts such as `A=true,B=false`; of a gate named twice the last counts.

    Raises UsageError on anything else.
    """
    gates = {}
    for item in (item.strip() for text in texts for item in text.split(",") if item.strip()):
        name, _, value = item.partition("=")
        if value.lower() not in _VALUES:
            raise UsageError(f'--feature-gates: "{item}" is not GATE=true or GATE=false')
        gates[name.strip()] = _VALUES[value.lower()]
    return gates
