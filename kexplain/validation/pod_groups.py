"""Groups of pods that are scheduled together, and the workloads that they are made for.

Source: the tags of scheduling/v1beta1 `types.go`, which its validation is generated from, and scheduling/validation
`ValidateWorkloadSpec`, release 1.37. Whoever writes these has enabled the API; whether its optional parts are, is not
known, and they are looked at as if they were.
"""

from __future__ import annotations

from collections.abc import Iterator

from kexplain.validation.field import Field

#: Of templates within templates, the groups of pods at the bottom included.
_DEEPEST = 4
_OF_PODS, _OF_GROUPS = "podGroupTemplates", "compositePodGroupTemplates"


def _all_templates(holder: Field) -> Iterator[Field]:
    for name in (_OF_PODS, _OF_GROUPS):
        for template in holder.child(name).items():
            yield template
            yield from _all_templates(template)


def _depth(template: Field) -> int:
    """How many templates of groups stand one in the other, this one included."""
    return 1 + max(map(_depth, template.child(_OF_GROUPS).items()), default=0)


def _check_templates_together(spec: Field) -> None:
    for template in spec.child(_OF_GROUPS).items():
        template.reject_if(_depth(template) >= _DEEPEST, f"templates may be {_DEEPEST} deep, those of pods included")
    priorities = {(one.child("priorityClassName").string, one.child("priority").value) for one in _all_templates(spec)}
    spec.reject_if(len(priorities) > 1, "all templates must have the same priorityClassName and priority")
    _check_names_of_lists(spec, set())


def _check_names_of_lists(holder: Field, known: set[str]) -> None:
    """No two lists have a template of one name; each sees to its own."""
    for name in (_OF_PODS, _OF_GROUPS):
        templates = holder.child(name).items()
        names = [each.child("name").string for each in templates]
        for template, own in zip(templates, names, strict=True):
            template.child("name").reject_if(own in known, "is the name of a template of another list")
        known |= set(names)
    for template in holder.child(_OF_GROUPS).items():
        _check_names_of_lists(template, known)
