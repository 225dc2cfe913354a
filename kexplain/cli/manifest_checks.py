"""What an API server would refuse of the manifests that are explained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from kexplain.case.building import Contents
from kexplain.case.records import Case, PodToPlace
from kexplain.cli.flags.pods import Validate
from kexplain.errors import Fault, InputError
from kexplain.load import Loaded
from kexplain.load.loaded import Origin

#: Whoever writes so many manifests lints them.
_MOST = 100


def checked(case: Case, mode: Validate) -> Case:
    """The case with a note on each field that is refused. Raises InputError in strict mode."""
    manifests = [] if mode is Validate.IGNORE else [*_manifests(case.pods)]
    if not manifests:
        return case
    faults = [fault for origin in manifests[:_MOST] for fault in _faults(origin, case.scheduler.release)]
    if faults and mode is Validate.STRICT:
        raise InputError(faults, "an API server refuses that with strict validation")
    return replace(case, notes=(*map(str, dict.fromkeys(faults)), *case.notes)) if faults else case


def refuse_invalid(manifests: Loaded, contents: Contents) -> None:
    """Raise InputError on manifests that an API server would not take."""
    origins = [manifests.origin(obj) for obj in manifests.objects if not obj.metadata.uid]
    faults = [fault for origin in origins[:_MOST] for fault in _faults(origin, contents.scheduler.release)]
    if faults:
        raise InputError(faults, "an API server refuses that with strict validation")


def _manifests(pods: Iterable[PodToPlace]) -> Iterator[Origin]:
    """The manifests of pods, each once; what comes from a cluster has none."""
    known = set()
    for placed in pods:
        if placed.manifest is not None and id(placed.made_of) not in known:
            known.add(id(placed.made_of))
            yield placed.manifest


def _faults(origin: Origin, release: str) -> Sequence[Fault]:
    # Most of what a live cluster or a dump is asked needs none of it.
    from kexplain.validation import Stage, check  # noqa: PLC0415

    value = origin.value()
    problems = check(value, releases=(release,)) if isinstance(value, dict) else ()
    found = []
    for problem in problems:
        # What admission refuses is known to whoever has built the case.
        if problem.stage in (Stage.DECODING, Stage.VALIDATION):
            mark = origin.mark(problem.path, of_key=problem.is_about_key)
            found.append(Fault(mark.source or origin.source, mark.line, mark.column, problem.field, problem.message))
    return found
