"""Events, of both API groups. Source: core/validation `ValidateEventCreate`, events/v1 conversion, release 1.36."""

from __future__ import annotations

from kexplain.validation.metadata import check_finalizers, check_metadata
from kexplain.validation.names import dns_subdomain, label_key, path_segment
from kexplain.validation.problem import Field, Stage

_TYPES = ("Normal", "Warning")
_LONGEST = 128
_LONGEST_NOTE = 1024
_LEAST_IN_SERIES = 2


def check_core_event(event: Field) -> None:
    """An event of the core group, of whose metadata only the name is looked at."""
    _check_name(event)
    _check_common(
        event,
        regarding=event.child("involvedObject"),
        controller=event.child("reportingComponent"),
        note=event.child("message"),
    )


def check_event(event: Field) -> None:
    """An event of events.k8s.io, which has everything that new events have, and nothing that old ones had."""
    _check_common(
        event,
        regarding=event.child("regarding").written("involvedObject"),
        controller=event.child("reportingController"),
        note=event.child("note").written("message"),
    )
    check_metadata(event.child("metadata"))
    series = event.child("series")
    if series.is_set:
        if series.child("count").number() < _LEAST_IN_SERIES:
            series.child("count").reject(f"must be {_LEAST_IN_SERIES} at least")
        series.child("lastObservedTime").require()
    event.child("eventTime").require()
    if event.child("type").string not in _TYPES:
        event.child("type").with_value(event.child("type").string).one_of(_TYPES)
    for name, written in (
        ("deprecatedFirstTimestamp", "firstTimestamp"),
        ("deprecatedLastTimestamp", "lastTimestamp"),
        ("deprecatedCount", "count"),
    ):
        if event.child(name).value:
            event.child(name).written(written).reject("must not be set")
    source = event.child("deprecatedSource")
    if source.child("component").string or source.child("host").string:
        source.written("source").reject("must not be set")


def _check_name(event: Field) -> None:
    # Validation does not look at the metadata of these; this is found last of all.
    metadata = event.child("metadata").at_stage(Stage.POLICY)
    name = metadata.child("name")
    if not name.string and not metadata.child("generateName").string:
        name.reject("is required, or a generateName instead")
    name.obey(path_segment)
    check_finalizers(metadata.child("finalizers"))


def _check_common(event: Field, *, regarding: Field, controller: Field, note: Field) -> None:
    namespace = event.descend("metadata", "namespace").string or "default"
    about = regarding.child("namespace")
    if event.child("eventTime").string:
        if not about.string and namespace not in ("default", "kube-system"):
            about.reject("must be the namespace of the event")
        _check_new(event, controller, note)
    elif about.string != namespace and (about.string or namespace != "default"):
        about.reject("must be the namespace of the event")
    if problem := dns_subdomain(namespace):
        event.descend("metadata", "namespace").written("namespace").reject(problem)


def _check_new(event: Field, controller: Field, note: Field) -> None:
    controller.require()
    controller.obey(label_key)
    for name in ("reportingInstance", "action", "reason"):
        event.child(name).require()
        event.child(name).no_longer_than(_LONGEST)
    note.no_longer_than(_LONGEST_NOTE)
