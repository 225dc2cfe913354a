"""The metadata of any object.

Source: apimachinery `api/validation.ValidateObjectMeta`, core/validation `ValidateObjectMeta`, release 1.36.
"""

from kexplain.objects.json_values import shown
from kexplain.validation.field import Field, Rule
from kexplain.validation.names import annotation_key, dns_label, dns_subdomain, prefix_of
from kexplain.validation.rows import judge

_ANNOTATIONS_LIMIT = 256 << 10
#: Generated names take so much of the prefix, and add five characters of this kind.
_GENERATED_FROM, _GENERATED = 58, "bcdfg"


def check_metadata(metadata: Field, name_rule: Rule = dns_subdomain, *, is_namespaced: bool = True) -> None:
    """The metadata of a new object; one without a namespace goes to the one that the request names."""
    name, prefix = metadata.child("name"), metadata.child("generateName")
    if prefix.string:
        prefix.obey(prefix_of(name_rule))
    if name.string:
        name.obey(name_rule)
    elif not prefix.string:
        name.require("is required, or a generateName instead")
    elif problem := name_rule(final_name(metadata)):
        name.reject(f"a name generated from {shown(prefix.string)} {problem}")
    # An API server clears the namespace of what is in none.
    if is_namespaced and metadata.child("namespace").string:
        metadata.child("namespace").obey(dns_label)
    judge(metadata, "metadata.rest")


def check_cluster_metadata(metadata: Field, name_rule: Rule = dns_subdomain) -> None:
    """The metadata of a new object of a kind without namespaces."""
    check_metadata(metadata, name_rule, is_namespaced=False)


def check_template_metadata(metadata: Field) -> None:
    """The metadata of what is made of a template: labels and annotations, and nothing else."""
    check_annotations(metadata.child("annotations"))
    judge(metadata.child("labels"), "labels.labels")
    for name in metadata.mapping:
        if name not in ("annotations", "labels") and metadata.mapping[name]:
            metadata.child(name).reject("cannot be set here: labels and annotations can")


def check_annotations(annotations: Field) -> None:
    """A map of annotations: keys like those of labels, and not too much in all."""
    size = 0
    for key, value in annotations.entries():
        value.written(annotations).judge(key, annotation_key)
        size += len(key.encode()) + len(value.string.encode())
    annotations.reject_if(size > _ANNOTATIONS_LIMIT, f"holds {size} bytes in all, more than {_ANNOTATIONS_LIMIT}")


def _check_controllers(owners: Field) -> None:
    controllers = [owner.written(owners) for owner in owners.items() if owner.child("controller").flag]
    for owner in controllers[1:]:
        owner.reject("only one owner can be the controller")


def final_name(metadata: Field) -> str:
    """The name; where an API server generates it, one of the same length."""
    prefix = metadata.child("generateName").string
    generated = prefix[:_GENERATED_FROM] + _GENERATED if prefix else ""
    return metadata.child("name").string or generated
