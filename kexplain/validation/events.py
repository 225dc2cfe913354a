"""Events, of both API groups. Source: core/validation `ValidateEventCreate`, events/v1 conversion, release 1.36."""

from kexplain.objects.problem import Stage
from kexplain.validation.field import Field
from kexplain.validation.metadata import check_finalizers
from kexplain.validation.names import dns_subdomain, label_key, path_segment
from kexplain.validation.rows import judge, longest, obeys, regardless, required

_TYPES = ("Normal", "Warning")
_LEAST_IN_SERIES = 2
#: What only old events had, and how an API server writes it.
_OLD_FIELDS = {
    "deprecatedFirstTimestamp": "firstTimestamp",
    "deprecatedLastTimestamp": "lastTimestamp",
    "deprecatedCount": "count",
}


def check_core_event(event: Field) -> None:
    """An event of the core group, of whose metadata only the name is looked at."""
    _check_name(event)
    _check_common(
        event,
        regarding=event.child("involvedObject"),
        controller=event.child("reportingComponent"),
        note=event.child("message"),
    )


def _check_kind(event: Field) -> None:
    kind = event.child("type")
    if kind.string not in _TYPES:
        kind.with_value(kind.string).one_of(*_TYPES)


def _check_old_fields(event: Field) -> None:
    """A new event has nothing that only old ones had."""
    for name, written in _OLD_FIELDS.items():
        event.child(name).written(written).forbid_value("must not be set")
    source = event.child("deprecatedSource")
    if source.child("component").string or source.child("host").string:
        source.written("source").reject("must not be set")


def _has_several(count: Field) -> None:
    count.reject_if(count.number() < _LEAST_IN_SERIES, f"must be at least {_LEAST_IN_SERIES}")


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


def _check_new_event(event: Field) -> None:
    _check_common(
        event,
        regarding=event.child("regarding").written("involvedObject"),
        controller=event.child("reportingController"),
        note=event.child("note").written("message"),
    )


def _check_new(event: Field, controller: Field, note: Field) -> None:
    judge(controller, (regardless(required), obeys(label_key)))
    judge(event, dict.fromkeys(("reportingInstance", "action", "reason"), (regardless(required), longest(128))))
    note.no_longer_than(1024)
