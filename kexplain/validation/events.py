"""Events, of both API groups. Source: core/validation `ValidateEventCreate`, events/v1 conversion, release 1.36."""

from kexplain.objects.problem import Stage
from kexplain.validation.field import Field
from kexplain.validation.names import path_segment
from kexplain.validation.rows import judge


def _check_late(metadata: Field) -> None:
    # Validation does not look at the metadata of these; this is found last of all.
    metadata = metadata.at_stage(Stage.POLICY)
    name = metadata.child("name")
    if not name.string and not metadata.child("generateName").string:
        name.reject("is required, or a generateName instead")
    name.obey(path_segment)
    judge(metadata.child("finalizers"), "metadata.finalizers")
