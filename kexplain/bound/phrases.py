"""What kubelets say of what a pod needs, as statements."""

from msgspec import Struct

from kexplain.bound.pod_on_node import short_reason
from kexplain.cluster import Cluster
from kexplain.diagnosis.findings.statement import Statement, told
from kexplain.diagnosis.records import Held
from kexplain.objects.core import Pod
from kexplain.objects.other_resources import OtherResource
from kexplain.patterns import regex
from kexplain.tables import records
from kexplain.words import clauses


class _Phrase(Struct, frozen=True):
    """Words that a kubelet has for what is amiss with what it is `of`, and the statement that they become."""

    of: str
    statement: str
    said: str
    kind: str = ""


def kubelet_says(of: str, text: str, **about: object) -> Statement | None:
    """What a text says of a container, a mount or a sandbox, with what else is known; None for words of no table."""
    for each in records(__file__, "phrases", _Phrase):
        if of == each.of and (found := regex(each.said).search(text)):
            facts = {**about, "kind": each.kind, **found.groupdict("")}
            return Statement(each.statement, {name: fact for name, fact in facts.items() if fact})
    return None


def with_source(found: Held, pod: Pod, cluster: Cluster) -> Held:
    """The finding with what another project makes the missing object of, where that says why it does not get on."""
    if not {"kind", "name"} <= found.facts.keys():
        return found
    name = str(found.facts["name"])
    for each in cluster.listers.every(OtherResource):
        if each.namespace == pod.namespace and each.complaint and each.makes(name):
            said = told("source-says", each.kind, each.name, short_reason(each.complaint.message))
            return found.with_text(clauses(found.clause, str(said)), source=said.about)
    return found
