"""Fields of manifests that an API server would refuse, whatever is to become of the manifests."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from msgspec.structs import replace

from kexplain.case.records import Case, PodToPlace
from kexplain.errors import Fault, InputError
from kexplain.load import Loaded
from kexplain.load.loaded import Origin
from kexplain.objects.problem import Stage

#: Whoever writes so many manifests lints them.
_MOST = 100
_HINT = "an API server refuses that with strict validation"


def with_field_notes(case: Case, *, strict: bool | None) -> Case:
    """The case with a note on each field that is refused; if `strict` is None nobody looks.

    Raises InputError with all of them if it is strict.
    """
    if strict is None:
        return case
    faults = _faults(_manifests(case.pods), case.scheduler.release)
    if faults and strict:
        raise InputError(faults, _HINT)
    return replace(case, notes=(*map(str, dict.fromkeys(faults)), *case.notes)) if faults else case


def check_fields(manifests: Loaded, release: str) -> None:
    """Return if an API server of the release takes all fields of new objects. Raises InputError with the others."""
    if faults := _faults((manifests.origin(obj) for obj in manifests.objects if not obj.metadata.uid), release):
        raise InputError(faults, _HINT)


def _manifests(pods: Iterable[PodToPlace]) -> Iterator[Origin]:
    """The manifests of pods, each once; what comes from a cluster has none."""
    known = set()
    for placed in pods:
        if placed.manifest is not None and id(placed.made_of) not in known:
            known.add(id(placed.made_of))
            yield placed.manifest


def _faults(origins: Iterable[Origin], release: str) -> Sequence[Fault]:
    return [fault for origin in islice(origins, _MOST) for fault in _faults_of(origin, release)]


def _faults_of(origin: Origin, release: str) -> Iterator[Fault]:
    # Most of what a live cluster or a dump is asked needs none of it.
    from kexplain.validation import check  # noqa: PLC0415

    value = origin.value()
    for problem in check(value, releases=(release,)) if isinstance(value, dict) else ():
        # What admission refuses is known to whoever has built the case.
        if problem.stage in (Stage.DECODING, Stage.VALIDATION):
            mark = origin.mark(problem.path, of_key=problem.is_about_key)
            yield Fault(mark.source or origin.source, mark.line, mark.column, problem.field, problem.message)
