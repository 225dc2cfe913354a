"""KubeSchedulerConfiguration as it is written. Source: kube-scheduler `config/v1` and its beta versions.

One set of records serves all versions: `api_versions` says which fields each of them has. None stands for what is
left to the defaults.
"""

from typing import Any

import msgspec

from kexplain.config.component.plugin_sets import MULTI_POINT, PluginRef, PluginSet, PluginSets
from kexplain.framework.extender import ExtenderConfig
from kexplain.framework.plugin import ExtensionPoint
from kexplain.objects.meta import Record

KIND = "KubeSchedulerConfiguration"
GROUP = "kubescheduler.config.k8s.io/"


class EnabledPlugin(Record, frozen=True):
    """A plugin, and what its score weighs."""

    name: str = ""
    weight: int | None = None


class PluginSetSpec(Record, frozen=True):
    """What is on beside the defaults, and what is off of them."""

    enabled: tuple[EnabledPlugin, ...] = ()
    disabled: tuple[EnabledPlugin, ...] = ()

    def plugin_set(self) -> PluginSet:
        """The same as sets are merged."""
        enabled = tuple(PluginRef(plugin.name, plugin.weight or 0) for plugin in self.enabled)
        return PluginSet(enabled, tuple(plugin.name for plugin in self.disabled))


class PluginsSpec(Record, frozen=True):
    """A set for each extension point; those that place groups of pods have no effect on a single one."""

    pre_enqueue: PluginSetSpec = PluginSetSpec()
    queue_sort: PluginSetSpec = PluginSetSpec()
    pre_filter: PluginSetSpec = PluginSetSpec()
    filter: PluginSetSpec = PluginSetSpec()
    post_filter: PluginSetSpec = PluginSetSpec()
    pre_score: PluginSetSpec = PluginSetSpec()
    score: PluginSetSpec = PluginSetSpec()
    reserve: PluginSetSpec = PluginSetSpec()
    permit: PluginSetSpec = PluginSetSpec()
    pre_bind: PluginSetSpec = PluginSetSpec()
    bind: PluginSetSpec = PluginSetSpec()
    post_bind: PluginSetSpec = PluginSetSpec()
    multi_point: PluginSetSpec = PluginSetSpec()
    placement_feasible: PluginSetSpec = PluginSetSpec()
    placement_generate: PluginSetSpec = PluginSetSpec()
    placement_score: PluginSetSpec = PluginSetSpec()
    pod_group_post_filter: PluginSetSpec = PluginSetSpec()

    def by_field(self) -> dict[str, PluginSetSpec]:
        """The sets by the name of their field."""
        return {field.encode_name: getattr(self, field.name) for field in msgspec.structs.fields(self)}

    def by_point(self) -> PluginSets:
        """The sets that bear on a single pod, by extension point and for multiPoint."""
        spec_by_field = self.by_field()
        return {point: spec_by_field[point].plugin_set() for point in (MULTI_POINT, *ExtensionPoint)}


class PluginConfig(Record, frozen=True):
    """The arguments of one plugin, which are read by its name."""

    name: str = ""
    args: Any = None


class KubeSchedulerProfile(Record, frozen=True):
    """A profile as written; None leaves a field to its default."""

    scheduler_name: str | None = None
    percentage_of_nodes_to_score: int | None = None
    plugins: PluginsSpec = PluginsSpec()
    plugin_config: tuple[PluginConfig, ...] = ()


class LeaderElection(Record, frozen=True):
    """Which of several schedulers is at work; without effect here."""

    leader_elect: bool = True
    lease_duration: str = "0s"
    renew_deadline: str = "0s"
    retry_period: str = "0s"
    resource_lock: str = ""
    resource_name: str = ""
    resource_namespace: str = ""


class ClientConnection(Record, frozen=True):
    """How the scheduler speaks to the API server; without effect here."""

    kubeconfig: str = ""
    accept_content_types: str = ""
    content_type: str = ""
    qps: float = 0
    burst: int = 0


class KubeSchedulerConfiguration(Record, frozen=True):
    """The whole file; `apiVersion` decides which defaults hold."""

    api_version: str = ""
    kind: str = ""
    parallelism: int | None = None
    leader_election: LeaderElection = LeaderElection()
    client_connection: ClientConnection = ClientConnection()
    healthz_bind_address: str | None = None
    metrics_bind_address: str | None = None
    enable_profiling: bool | None = None
    enable_contention_profiling: bool | None = None
    percentage_of_nodes_to_score: int | None = None
    pod_initial_backoff_seconds: int | None = None
    pod_max_backoff_seconds: int | None = None
    profiles: tuple[KubeSchedulerProfile, ...] = ()
    extenders: tuple[ExtenderConfig, ...] = ()
    delay_cache_until_active: bool = False
