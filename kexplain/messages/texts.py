"""The texts of kube-scheduler 1.22 to 1.37, which most messages have."""

from kexplain.messages.tables import table
from kexplain.messages.text import Text

SCHEDULER = "kube-scheduler"

#: What filters say of nodes, and PreFilter of all nodes at once.
NODE_TEXTS = table("scheduler-nodes")
#: What PostFilter plugins say, after they looked for a way to make room.
POST_FILTER_TEXTS = table("scheduler-after-filters")
#: What kube-scheduler says of a pod as well.
OF_ANY_PROGRAM = table("any-program")
#: What is said of a pod as a whole: kept out of the queue, or failed on the way.
POD_TEXTS: tuple[Text, ...] = (*table("scheduler-pods"), *OF_ANY_PROGRAM)
#: The causes behind errors.
CAUSE_TEXTS = table("scheduler-causes")
EVERY_TEXT = (*NODE_TEXTS, *POST_FILTER_TEXTS, *POD_TEXTS, *CAUSE_TEXTS)
