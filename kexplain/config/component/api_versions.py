"""What the versions of KubeSchedulerConfiguration differ in: fields, arguments, and which plugins are on.

Source: scheduler `apis/config/v1beta1` of 1.22, `v1beta2` and `v1beta3` of 1.23, `v1`. The version decides what is
on and how much it weighs; what the plugins do then is up to the release.
"""

from collections.abc import Mapping

from msgspec import Struct

from kexplain.config.component.plugin_args import PLUGIN_ARGS, PluginArgs
from kexplain.config.component.records import GROUP
from kexplain.config.component.removed_plugins import V1BETA1_ARGS
from kexplain.framework.traits import release_key
from kexplain.tables import table


class ApiVersion(Struct, frozen=True):
    """One version; `served` are the first and the last release that read it, the last one open for v1."""

    name: str
    served: tuple[str, str]
    #: The version that lists the plugins which are on by default.
    defaults: str
    #: Fields that other versions have, by the part that they belong to: "", "profile" or "plugins".
    absent: Mapping[str, tuple[str, ...]]
    #: Plugins that no longer go by a name of their own, whatever release it is.
    refused: frozenset[str] = frozenset()
    #: Whether naming a default plugin again puts it in its place, rather than behind the others a second time.
    replaces: bool = True

    @property
    def plugin_args(self) -> Mapping[str, type[PluginArgs]]:
        """What the arguments of plugins are read as."""
        if self.name == "v1":
            return PLUGIN_ARGS
        of_beta = {name: args for name, args in PLUGIN_ARGS.items() if name != "DynamicResources"}
        return {**of_beta, **V1BETA1_ARGS} if self.name == "v1beta1" else of_beta


#: By apiVersion.
API_VERSIONS: Mapping[str, ApiVersion] = {
    f"{GROUP}{version.name}": version for version in table("configuration-versions", tuple[ApiVersion, ...])
}


def newest_api_version(release: str) -> str:
    """The newest version that a release reads."""
    return next(name for name, each in API_VERSIONS.items() if release_key(each.served[0]) <= release_key(release))
