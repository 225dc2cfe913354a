"""Everything that says which scheduler decides, and the scheduler built of it."""

from collections.abc import Mapping

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.config.component.default_profile import default_profile
from kexplain.config.component.extenders import with_extenders
from kexplain.config.releases.detection import ReleaseChoice, asked_release
from kexplain.config.releases.release import POLICY_RELEASE, behaving, behaviour_of
from kexplain.errors import UsageError
from kexplain.objects.well_known import DEFAULT_SCHEDULER_NAME
from kexplain.parameters import parameter
from kexplain.scheduler.cycle import Scheduler


class SchedulerSettings(Struct, frozen=True, kw_only=True):
    """A scheduler as a command line describes it; what is not given is left to the release.

    `config` and `policy` are files; no more than one of them can be given.
    """

    config: str = ""
    policy: str = ""
    #: Such as "1.34"; empty for the default.
    kubernetes_version: str = ""
    feature_gates: Mapping[str, bool] = msgspec.field(default_factory=dict)
    #: For a scheduler without a configuration, which names its profiles itself.
    scheduler_name: str = ""
    #: Overrides what a configuration says, of each profile too; 0 works it out from the size of the cluster.
    percentage_of_nodes_to_score: int | None = None
    #: How many disks of a cloud a node takes, for a Policy: what KUBE_MAX_PD_VOLS was for.
    max_pd_volumes: int | None = None
    #: Without it, neither the report nor the message says what evicting pods would do.
    preempts: bool = True
    #: Without, extenders are not sent anything, and reports say so.
    calls_extenders: bool = False
    #: Ask every plugin about every node even where the pod fits.
    traces_everything: bool = False


def build_scheduler(settings: SchedulerSettings | None = None, observed: ReleaseChoice | None = None) -> Scheduler:
    """The scheduler of these settings; without any, that of the newest release.

    `observed` is the release that the cluster lets on, for settings and files that name none.
    Raises UsageError on settings that do not go together, InputError with all faults of a file.
    """
    settings = settings or SchedulerSettings()
    _check(settings)
    scheduler = _built(settings, observed or ReleaseChoice())
    profiles = dict(scheduler.profiles)
    if settings.percentage_of_nodes_to_score is not None:
        scheduler = replace(scheduler, percentage_of_nodes_to_score=settings.percentage_of_nodes_to_score)
        profiles = {name: replace(each, percentage_of_nodes_to_score=None) for name, each in profiles.items()}
    scheduler = replace(scheduler, profiles=profiles, traces_everything=settings.traces_everything)
    scheduler = scheduler if settings.preempts else scheduler.without_post_filter()
    return with_extenders(scheduler, calls=settings.calls_extenders)


def _check(settings: SchedulerSettings) -> None:
    config, policy, name = parameter("config"), parameter("policy"), parameter("scheduler_name")
    if settings.config and settings.policy:
        raise UsageError(f"{config} and {policy} exclude each other: a scheduler has only one of them")
    if settings.config and settings.scheduler_name:
        advice = "set schedulerName in the profile, or spec.schedulerName in the pod"
        raise UsageError(f"{name} cannot be combined with {config}, whose profiles have their own names", advice)
    if settings.max_pd_volumes is not None and not settings.policy:
        later = "later releases count what a node's CSINode says it takes"
        raise UsageError(f"{parameter('max_pd_volumes')} works only with {policy}: {later}")
    if settings.policy and (settings.kubernetes_version or settings.feature_gates):
        both = f"{parameter('kubernetes_version')} and {parameter('feature_gates')}"
        raise UsageError(f"{policy} excludes {both}: it decides as Kubernetes {POLICY_RELEASE}")


def _built(settings: SchedulerSettings, observed: ReleaseChoice) -> Scheduler:
    asked, gates = settings.kubernetes_version, settings.feature_gates
    # Runs without a file need not read YAML.
    if settings.policy:
        from kexplain.config.policy.policy_scheduler import read_policy  # noqa: PLC0415

        return read_policy(settings.policy, scheduler_name=settings.scheduler_name, max_volumes=settings.max_pd_volumes)
    if settings.config:
        from kexplain.config.component.from_file import scheduler_of_file  # noqa: PLC0415

        return scheduler_of_file(settings.config, asked, gates, observed)
    choice = asked_release(asked) if asked else observed
    behaviour = behaviour_of(choice.release, gates)
    profile = default_profile(behaviour.features, scheduler_name=settings.scheduler_name or DEFAULT_SCHEDULER_NAME)
    scheduler = Scheduler({profile.scheduler_name: profile}, notes=(choice.note,) if choice.note else ())
    return behaving(scheduler, behaviour)
