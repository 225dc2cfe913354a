"""What the versions of KubeSchedulerConfiguration differ in: fields, arguments, and which plugins are on.

Source: scheduler `apis/config/v1beta1` of 1.22, `v1beta2` and `v1beta3` of 1.23, `v1`. The version decides what is
on and how much it weighs; what the plugins do then is up to the release.
"""

from collections.abc import Mapping

from msgspec import Struct

from kexplain.config.component.plugin_args import PLUGIN_ARGS, PluginArgs
from kexplain.config.component.plugin_sets import MULTI_POINT
from kexplain.config.component.records import GROUP
from kexplain.config.component.removed_plugins import V1BETA1_ARGS
from kexplain.framework.plugin import ExtensionPoint
from kexplain.framework.traits import release_key


class ApiVersion(Struct, frozen=True):
    """One version; `served` are the first and the last release that read it, the last one open for v1."""

    name: str
    served: tuple[str, str]
    #: The version that lists the plugins which are on by default.
    defaults: str
    plugin_args: Mapping[str, type[PluginArgs]]
    #: Fields that other versions have, by the part that they belong to: "", "profile" or "plugins".
    absent: Mapping[str, tuple[str, ...]]
    #: Plugins that no longer go by a name of their own, whatever release it is.
    refused: frozenset[str] = frozenset()
    #: Whether naming a default plugin again puts it in its place, rather than behind the others a second time.
    replaces: bool = True


_BIND_ADDRESSES = ("healthzBindAddress", "metricsBindAddress")
_PLACEMENT = ("placementFeasible", "placementGenerate", "placementScore", "podGroupPostFilter")
_BETA_ARGS = {name: args for name, args in PLUGIN_ARGS.items() if name != "DynamicResources"}
_PERCENTAGE = ("percentageOfNodesToScore",)
_GONE_WITH_V1BETA2 = frozenset(
    {
        "NodeLabel", "ServiceAffinity", "NodePreferAvoidPods", "NodeResourcesLeastAllocated",
        "NodeResourcesMostAllocated", "RequestedToCapacityRatio",
    }
)  # fmt: skip

#: By apiVersion.
API_VERSIONS: Mapping[str, ApiVersion] = {
    f"{GROUP}{version.name}": version
    for version in (
        ApiVersion(
            "v1",
            ("1.25", ""),
            "v1",
            PLUGIN_ARGS,
            {"": _BIND_ADDRESSES},
            _GONE_WITH_V1BETA2,
        ),
        ApiVersion(
            "v1beta3",
            ("1.23", "1.28"),
            "v1",
            _BETA_ARGS,
            {"": _BIND_ADDRESSES, "profile": _PERCENTAGE, "plugins": _PLACEMENT},
            _GONE_WITH_V1BETA2,
        ),
        ApiVersion(
            "v1beta2",
            ("1.22", "1.27"),
            "v1beta2",
            _BETA_ARGS,
            {"profile": _PERCENTAGE, "plugins": _PLACEMENT},
            _GONE_WITH_V1BETA2,
        ),
        ApiVersion(
            "v1beta1",
            ("1.19", "1.22"),
            "v1beta1",
            {**_BETA_ARGS, **V1BETA1_ARGS},
            {"profile": _PERCENTAGE, "plugins": (MULTI_POINT, ExtensionPoint.PRE_ENQUEUE, *_PLACEMENT)},
            replaces=False,
        ),
    )
}


def newest_api_version(release: str) -> str:
    """The newest version that a release reads."""
    return next(
        name for name, version in API_VERSIONS.items() if release_key(version.served[0]) <= release_key(release)
    )
