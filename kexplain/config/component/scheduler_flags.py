"""What the flags of kube-scheduler say, where its pod is all there is.

Source: kube-scheduler `cmd/kube-scheduler/app/options`, `deprecated.go` of 1.22. Flags that configure a scheduler
count only without --config, as they did there.
"""

from typing import Any

from kexplain.config.component.api_versions import newest_api_version
from kexplain.config.component.records import KIND
from kexplain.config.component.scheduler_files import SchedulerFile
from kexplain.config.releases.detection import ReleaseChoice, asked_release
from kexplain.config.releases.release import named, nearest_release
from kexplain.framework.features import DEFAULT_RELEASE

_PROVIDERS = ("DefaultProvider", "ClusterAutoscalerProvider")
_NAME = "scheduler-name"
_HARD_WEIGHT = "hard-pod-affinity-symmetric-weight"
_PROVIDER = "algorithm-provider"
_VALUES = {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False}


def check_flags(file: SchedulerFile) -> None:
    """Raise InputError where a flag that counts has no value that it can have."""
    weight = file.flags.get(_HARD_WEIGHT)
    if weight and not (weight.value.isdecimal() and int(weight.value) <= 100):
        raise file.fault(_HARD_WEIGHT, f'"{weight.value}" is not between 0 and 100')
    provider = file.flags.get(_PROVIDER)
    if provider and provider.value not in _PROVIDERS:
        raise file.fault(_PROVIDER, f'"{provider.value}" is not one of {", ".join(_PROVIDERS)}')
    gates = file.flags.get("feature-gates")
    for item in gates.value.strip("\"'").split(",") if gates else ():
        name, _, value = item.partition("=")
        if item.strip() and (not name.strip() or value.strip().lower() not in _VALUES):
            raise file.fault("feature-gates", f'"{item}" is not GATE=true or GATE=false')


def configuration_of(file: SchedulerFile, release: str) -> dict[str, Any]:
    """The configuration that the flags amount to, for a release."""
    plugin_config: list[dict[str, Any]] = []
    profile: dict[str, Any] = {"pluginConfig": plugin_config}
    if name := file.flags.get(_NAME):
        profile["schedulerName"] = name.value
    if weight := file.flags.get(_HARD_WEIGHT):
        plugin_config.append({"name": "InterPodAffinity", "args": {"hardPodAffinityWeight": int(weight.value)}})
    provider = file.flags.get(_PROVIDER)
    if provider and provider.value == "ClusterAutoscalerProvider":
        plugin_config.append({"name": "NodeResourcesFit", "args": {"scoringStrategy": {"type": "MostAllocated"}}})
    return {"apiVersion": newest_api_version(release), "kind": KIND, "profiles": [profile]}


def feature_gates(file: SchedulerFile) -> dict[str, bool]:
    """The feature gates that the flags set."""
    flag = file.flags.get("feature-gates")
    pairs = [item.split("=") for item in flag.value.strip("\"'").split(",") if item.strip()] if flag else []
    return {name.strip(): _VALUES[value.strip().lower()] for name, value in pairs}


def release_of(asked: str, file: SchedulerFile, observed: ReleaseChoice) -> ReleaseChoice:
    """The release to decide as: the one that is asked for, that of the image, or the one observed."""
    if asked:
        return asked_release(asked)
    if not file.release:
        return observed
    image = "the release of the scheduler's image"
    nearest = nearest_release(file.release)
    if nearest != file.release:
        note = f"deciding as Kubernetes {named(nearest)}, the nearest known release to {file.release}, {image}"
        return ReleaseChoice(nearest, note)
    return ReleaseChoice(
        nearest, "" if nearest == DEFAULT_RELEASE else f"deciding as Kubernetes {named(nearest)}, {image}"
    )
