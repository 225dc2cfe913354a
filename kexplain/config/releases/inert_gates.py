"""The feature gates of Kubernetes 1.22 to 1.38 that have no bearing on what a scheduler decides here.

A scheduler knows them all, since its gates are those of every component. The file beside this module names them.
Source: `pkg/features/kube_features.go`.
"""

from pathlib import Path

#: Some of them are about scheduling: when pods are tried again, how requests reach the API server, volumes of RBD.
OTHER_GATES = frozenset((Path(__file__).parent / "inert_gates.txt").read_text(encoding="utf-8").split())
