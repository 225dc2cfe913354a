"""Which pods are meant, and the cluster they meet.

Objects are read (`loading`), those to place are picked by name (`references`) or because they are pending
(`pods_to_place`), and all of it becomes pods and a cluster as an API server would store them (`case_builder`). Whatever
edits the objects of a case does so before it is built.
"""

from kexplain.case.case import Case, places_by_workload, running_anew, running_pods
from kexplain.case.loading import Inputs, Wanted, load_case, scheduler_for, under
from kexplain.case.records import Decided, PodToPlace, Searched
