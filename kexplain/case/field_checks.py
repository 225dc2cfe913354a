"""Fields of manifests that an API server would refuse, whatever is to become of the manifests."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from msgspec.structs import replace

from kexplain.case.case import Case
from kexplain.case.records import NOT_CREATED, NotCreated, PodToPlace
from kexplain.errors import Fault, InputError
from kexplain.load import Loaded
from kexplain.load.loaded import Origin
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.problem import Stage

#: Whoever writes so many manifests lints them.
_MOST = 100
_HINT = "an API server refuses that with strict validation"


def without_refused(case: Case, *, strict: bool | None) -> Case:
    """The case in which manifests with fields that are refused are not created; if `strict` is None nobody looks.

    Of each, the first pod stands for all. Raises InputError with everything that is refused if it is strict.
    """
    found = {} if strict is None else _faults_by_manifest(case)
    if found and strict:
        raise InputError([fault for faults in found.values() for fault in faults], _HINT)
    if not found:
        return case
    kept: list[PodToPlace] = []
    refused: dict[int, list[PodToPlace]] = {}
    by_admission = {id(each.made_of): each for each in case.not_created}
    for placed in case.pods:
        key = id(placed.made_of)
        if key not in found:
            kept.append(placed)
            continue
        if key not in refused:
            note = (
                () if key in by_admission else (f"{NOT_CREATED.format('this manifest')}, as far as that can be read",)
            )
            kept.append(replace(placed, notes=(*note, *placed.notes), is_refused=True))
        refused.setdefault(key, []).append(placed)
    not_created = [_not_created(pods, found[key], by_admission.pop(key, None)) for key, pods in refused.items()]
    others = [each for key, each in by_admission.items() if key not in found]
    return replace(case, pods=tuple(kept), not_created=(*not_created, *others))


def _faults_by_manifest(case: Case) -> dict[int, tuple[Fault, ...]]:
    """What is refused of each manifest, by the identity of what was read of it."""
    release = case.scheduler.release
    placed = {id(each.made_of): (each.manifest, each.made_of) for each in case.pods if each.manifest is not None}
    first = islice(placed.items(), _MOST)
    faults = {key: tuple(dict.fromkeys(_faults_of(origin, release, made_of))) for key, (origin, made_of) in first}
    return {key: each for key, each in faults.items() if each}


def _not_created(pods: Sequence[PodToPlace], faults: tuple[Fault, ...], more: NotCreated | None) -> NotCreated:
    """Whose fields are refused, with what admission has said, but for fields that both refuse."""
    first = pods[0]
    known = {(each.source, each.line, each.column) for each in faults}
    also = (each for each in (more.faults if more else ()) if (each.source, each.line, each.column) not in known)
    assert first.made_of is not None  # noqa: S101 - it has a manifest
    count, home = len(pods), first.pod.namespace
    every = (*faults, *also)
    return NotCreated(first.made_of, home, wanted=count, missing=count, faults=every, shown=first.pod.uid)


def check_fields(manifests: Loaded, release: str) -> None:
    """Return if an API server of the release takes all fields of new objects. Raises InputError with the others."""
    if faults := _faults((manifests.origin(obj) for obj in manifests.objects if not obj.metadata.uid), release):
        raise InputError(faults, _HINT)


def _faults(origins: Iterable[Origin], release: str) -> Sequence[Fault]:
    return [fault for origin in islice(origins, _MOST) for fault in _faults_of(origin, release)]


def _faults_of(origin: Origin, release: str, read: KubernetesObject | None = None) -> Iterator[Fault]:
    # Most of what a live cluster or a dump is asked needs none of it.
    from kexplain.validation.custom_workloads import check_all  # noqa: PLC0415

    for problem in check_all(origin.value(), read, releases=(release,)):
        # What admission refuses is known to whoever has built the case.
        if problem.stage in (Stage.DECODING, Stage.VALIDATION):
            mark = origin.mark(problem.path, of_key=problem.is_about_key)
            yield Fault(mark.source or origin.source, mark.line, mark.column, problem.field, problem.message)


def with_all_faults(error: InputError, paths: Sequence[str], release: str) -> InputError:
    """The error with all else that an API server refuses of the manifests in files, so that it is mended at once."""
    from kexplain.load.raw_manifests import load_written  # noqa: PLC0415 (most manifests can be read)

    manifests = islice(load_written(paths, "").manifests, _MOST)
    found = [fault for each in manifests for fault in _faults_of(each.origin, release, each.obj)]
    known = {each.place for each in error.faults}
    every = (*error.faults, *(each for each in found if each.place not in known))
    return InputError(sorted(every, key=lambda each: each.place), error.hint)
