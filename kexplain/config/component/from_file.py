"""The scheduler that a file describes: a configuration, or the pod that runs it."""

from collections.abc import Mapping

from msgspec.structs import replace

from kexplain.config.component.configured_scheduler import scheduler_from
from kexplain.config.component.scheduler_files import SchedulerFile, read_scheduler_file
from kexplain.config.component.scheduler_flags import check_flags, configuration_of, feature_gates, release_of
from kexplain.config.releases.detection import ReleaseChoice
from kexplain.config.releases.release import Behaviour, behaviour_of, knows_gate
from kexplain.scheduler.cycle import Scheduler


def scheduler_of_file(
    path: str, asked_release: str, asked_gates: Mapping[str, bool], observed: ReleaseChoice
) -> Scheduler:
    """The scheduler of a file; a release and gates that are asked for go first, and what was observed comes last.

    Raises InputError with all faults of the file.
    """
    file = read_scheduler_file(path)
    check_flags(file)
    choice = release_of(asked_release, file, observed)
    gates = feature_gates(file)
    # A pod sets gates of all components alike; on our own command line one that means nothing is a slip.
    known = {gate: value for gate, value in gates.items() if knows_gate(choice.release, gate)}
    passed_over = [gate for gate in gates if gate not in known]
    notes = [choice.note] if choice.note else []
    if passed_over:
        notes.append(f"feature gates of the scheduler's pod that are ignored here: {', '.join(passed_over)}")
    scheduler = _of_file(file, behaviour_of(choice.release, {**known, **asked_gates}))
    return replace(scheduler, notes=(*notes, *scheduler.notes))


def _of_file(file: SchedulerFile, behaviour: Behaviour) -> Scheduler:
    document = file.configuration
    if document is None:
        return scheduler_from(configuration_of(file, behaviour.release), behaviour)
    return scheduler_from(document.value, behaviour, document)
