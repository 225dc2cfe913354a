"""Which pods are meant, and the cluster they meet.

Objects are read (`loading`), those to place are picked by name (`references`) or because they are pending (`pending`),
and all of it becomes pods and a cluster as an API server would store them (`building`). Whatever edits the objects of
a case does so before it is built.
"""

from __future__ import annotations

from kexplain.case.loading import case_of, load_case, scheduler_for, under
from kexplain.case.records import Case, PodToPlace, Searched, running_anew

__all__ = ["Case", "PodToPlace", "Searched", "case_of", "load_case", "running_anew", "scheduler_for", "under"]
