"""The scheduler that a file describes: a configuration, or the pod that runs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kexplain.config.configured_scheduler import scheduler_from
from kexplain.config.releases import features_of
from kexplain.config.scheduler_files import SchedulerFile, read_scheduler_file
from kexplain.config.scheduler_flags import check_flags, configuration_of, feature_gates, known_release
from kexplain.errors import UsageError
from kexplain.framework.features import Features
from kexplain.scheduler.cycle import Scheduler


def scheduler_of_file(path: str, release: str, asked_gates: Mapping[str, bool]) -> tuple[Scheduler, Features]:
    """The scheduler, and the features that it decides with; a release and gates that are asked for go first.

    Raises InputError with all faults of the file.
    """
    file = read_scheduler_file(path)
    check_flags(file)
    release, notes = known_release(release, file)
    gates = feature_gates(file)
    known = {gate: value for gate, value in gates.items() if _is_known(release, gate)}
    passed_over = [gate for gate in gates if gate not in known]
    if passed_over:
        notes = (*notes, f"feature gates of the scheduler's pod that are not looked at: {', '.join(passed_over)}")
    features = features_of(release, {**known, **asked_gates})
    scheduler = _of_file(file, features, release)
    return replace(scheduler, notes=(*notes, *scheduler.notes)), features


def _is_known(release: str, gate: str) -> bool:
    # A pod sets gates of all components alike; on our own command line one that means nothing is a slip.
    try:
        features_of(release, {gate: True})
    except UsageError:
        return False
    return True


def _of_file(file: SchedulerFile, features: Features, release: str) -> Scheduler:
    document = file.configuration
    if document is None:
        return scheduler_from(configuration_of(file), features, release)
    return scheduler_from(document.value, features, release, document.fault, document.duplicates)
