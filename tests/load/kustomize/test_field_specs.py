"""The fields that kustomize itself changes: those of every workload kind are among them."""

from __future__ import annotations

import pytest

from kexplain.load.kustomize.field_specs import BUILT_IN
from kexplain.objects.workload_kinds import WORKLOAD_KINDS, WorkloadKind


@pytest.mark.parametrize("purpose", ["labels", "annotations"])
@pytest.mark.parametrize("kind", WORKLOAD_KINDS, ids=lambda kind: kind.kind)
def test_templates_have_labels_and_annotations(kind: WorkloadKind, purpose: str) -> None:
    path = "/".join(map(str, (*kind.template_path, "metadata", purpose)))
    assert (path, kind.kind, "", "", True) in BUILT_IN[purpose]
