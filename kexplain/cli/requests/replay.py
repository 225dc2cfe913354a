"""`kexplain replay`: pods that come and go, under one configuration or several."""

from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Struct

from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.flags.connection import ConnectionFlags
from kexplain.cli.flags.declaring import Words, option, utf8
from kexplain.cli.flags.pods import PodFlags
from kexplain.cli.flags.report import ReportFlags
from kexplain.cli.flags.scheduler import parse_feature_gates
from kexplain.errors import UsageError
from kexplain.render import Kind

if TYPE_CHECKING:
    from kexplain.config.scheduler_settings import SchedulerSettings


class ReplayFlags(Struct, frozen=True, kw_only=True):
    """The schedulers to compare, and how the trace is played."""

    panel: ClassVar = "The runs"

    config: Annotated[Words, option()] = ()
    faster: Annotated[float, option(min=0.001)] = 1.0
    seeds: Annotated[int, option(min=1, max=10_000)] = 1
    kubernetes_version: Annotated[str, option()] = ""
    feature_gates: Annotated[Words, option()] = ()
    no_preemption: Annotated[bool, option()] = False
    workers: Annotated[int | None, option(min=1)] = None
    dask: Annotated[str, option(callback=utf8)] = ""

    def settings(self) -> "dict[str, SchedulerSettings]":
        """Each scheduler by its name. Raises UsageError on two of one name."""
        from kexplain.config.scheduler_settings import SchedulerSettings  # noqa: PLC0415 (help needs no engine)

        found: dict[str, SchedulerSettings] = {}
        for word in self.config or ("default",):
            name, _, path = word.rpartition("=") if "=" in word else ("", "", word)
            name = name or path.rpartition("/")[2].rpartition(".yaml")[0] or path
            if name in found:
                instead = f"give one another name: --config NAME={path}"
                raise UsageError(f"two configurations are called {name}", instead)
            found[name] = SchedulerSettings(
                config="" if path == "default" else path,
                kubernetes_version=self.kubernetes_version,
                feature_gates=parse_feature_gates(self.feature_gates),
                preempts=not self.no_preemption,
            )
        return found


class Request(Struct, frozen=True, kw_only=True):
    """What happens to pods that come and go? A trace, played under one configuration or several.

    For example:
        kexplain replay pods.csv --nodes nodes.csv  # a trace in CSV, such as Alibaba's openb
        kexplain replay pods.csv --nodes nodes.csv --config a.yaml --config b.yaml  # side by side
        kexplain replay jobs/ --cluster dump.json --faster 4 -o html=replay.html  # with curves over time
    """

    reports: ClassVar = Kind.REPLAY
    without_pods: ClassVar = "none"

    pods: PodFlags
    cluster: ClusterFlags
    runs: ReplayFlags
    report: ReportFlags
    connection: ConnectionFlags
