"""Everything that says which scheduler decides, and the scheduler built of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kexplain.config.default_profile import default_profile
from kexplain.config.extenders import with_extenders
from kexplain.config.releases import features_of
from kexplain.errors import UsageError
from kexplain.framework.features import DEFAULT_RELEASE
from kexplain.framework.profile import DEFAULT_SCHEDULER_NAME
from kexplain.scheduler.cycle import Scheduler


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulerSettings:
    """A scheduler as a command line describes it; what is not given is left to the release.

    `config` and `policy` are files; no more than one of them can be given.
    """

    config: str = ""
    policy: str = ""
    #: Such as "1.34"; empty for the default.
    kubernetes_version: str = ""
    feature_gates: Mapping[str, bool] = field(default_factory=dict)
    #: For a scheduler without a configuration, which names its profiles itself.
    scheduler_name: str = ""
    #: Overrides what a configuration says; 0 works it out from the size of the cluster.
    percentage_of_nodes_to_score: int | None = None
    #: Without, nothing is said of what evicting pods would do, in the message neither.
    preempts: bool = True
    #: Without, extenders are not sent anything, and reports say so.
    calls_extenders: bool = False
    #: Ask every plugin about every node even where the pod fits.
    traces_everything: bool = False


def build_scheduler(settings: SchedulerSettings | None = None) -> Scheduler:
    """The scheduler of these settings; without any, that of the newest release.

    Raises UsageError on settings that do not go together, InputError with all faults of a file.
    """
    settings = settings or SchedulerSettings()
    if settings.config or settings.policy:
        raise UsageError("--config and --policy are not built")
    release = settings.kubernetes_version or DEFAULT_RELEASE
    features = features_of(release, settings.feature_gates)
    profile = default_profile(features, scheduler_name=settings.scheduler_name or DEFAULT_SCHEDULER_NAME)
    scheduler = Scheduler({profile.scheduler_name: profile}, settings.percentage_of_nodes_to_score or 0)
    if not settings.preempts:
        profiles = {name: replace(profile, post_filter=()) for name, profile in scheduler.profiles.items()}
        scheduler = replace(scheduler, profiles=profiles)
    scheduler = with_extenders(scheduler, features, calls=settings.calls_extenders)
    return replace(scheduler, traces_everything=settings.traces_everything, release=release)
