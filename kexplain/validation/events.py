"""Events, of both API groups. Source: core/validation `ValidateEventCreate`, events/v1 conversion, release 1.36."""

from kexplain.objects.problem import Stage
from kexplain.validation.field import Field
from kexplain.validation.names import dns_subdomain, path_segment
from kexplain.validation.rows import judge


def check_core_event(event: Field) -> None:
    """An event of the core group, of whose metadata only the name is looked at."""
    _check_name(event)
    _check_common(
        event,
        regarding=event.child("involvedObject"),
        controller=event.child("reportingComponent"),
        note=event.child("message"),
    )


def _check_name(event: Field) -> None:
    # Validation does not look at the metadata of these; this is found last of all.
    metadata = event.child("metadata").at_stage(Stage.POLICY)
    name = metadata.child("name")
    if not name.string and not metadata.child("generateName").string:
        name.reject("is required, or a generateName instead")
    name.obey(path_segment)
    judge(metadata.child("finalizers"), "metadata.finalizers")


def _check_common(event: Field, *, regarding: Field, controller: Field, note: Field) -> None:
    namespace = event.descend("metadata", "namespace").string or "default"
    about = regarding.child("namespace")
    if event.child("eventTime").string:
        if not about.string and namespace not in ("default", "kube-system"):
            about.reject("must be the namespace of the event")
        judge(controller, "events.controller")
        judge(event, "events.described")
        note.no_longer_than(1024)
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
