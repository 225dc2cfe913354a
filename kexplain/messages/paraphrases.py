"""What somebody probably means who tells of a reason in words of their own."""

import re

from msgspec.structs import replace

from kexplain.messages.part import Part, Section, known
from kexplain.messages.texts import NODE_TEXTS

#: Longer ones say more than a reason.
_MOST_WORDS = 14
_TOO_LITTLE = r"(?=.*\b(?:insufficient|enough|lack\w*|little|exceed\w*|full|low|short|out of|exhausted|no|more)\b).*"

#: By what the words have in them, the first that fits: what kube-scheduler says in that case.
_MEANT: tuple[tuple[str, str], ...] = (
    (r"\b(?P<what>memory|disk|pid)[ -]?pressure", "node(s) had <what> pressure"),
    (r"\b(?:not[ -]?ready|unready|unreachable)\b", "node(s) were not ready"),
    (r"anti-?affinity", "node(s) didn't match pod anti-affinity rules"),
    (r"\bpod affinity", "node(s) didn't match pod affinity rules"),
    (r"taint|tolerat", "node(s) had taints that the pod didn't tolerate"),
    (r"topology spread|\bskew", "node(s) didn't match pod topology spread constraints"),
    (r"\bvolumes?\b.*\b(?:zones?|affinity)\b|\bzones?\b.*\bvolumes?\b", "node(s) had volume node affinity conflict"),
    (r"\bunbound\b|\b(?:pvcs?|persistent ?volume ?claims?)\b", "pod has unbound immediate PersistentVolumeClaims"),
    (r"\bcordoned\b|schedulingdisabled|\bunschedulable nodes?\b", "node(s) were unschedulable"),
    (r"\bports?\b", "node(s) didn't have free ports for the requested pod ports"),
    (_TOO_LITTLE + r"\b(?:memory|ram)\b", "Insufficient memory"),
    (_TOO_LITTLE + r"\b(?:v?cpus?|cores?)\b", "Insufficient cpu"),
    (_TOO_LITTLE + r"\b(?P<what>gpu|ephemeral[ -]storage)s?\b", "Insufficient <what>"),
    (_TOO_LITTLE + r"\b(?:resources?|capacity)\b", "Insufficient <what>"),
    (r"\btoo many pods\b", "Too many pods"),
    (r"selector|affinity|\blabels?\b", "node(s) didn't match Pod's node affinity/selector"),
)


def paraphrased(words: str) -> Part | None:
    """The reason that words probably mean which no component says; None where they may mean anything."""
    if len(words.split()) > _MOST_WORDS:
        return None
    for pattern, meant in _MEANT:
        if found := re.search(pattern, words, re.IGNORECASE):
            what = found.groupdict().get("what", "CPU or memory").lower().replace("cpu", "CPU")
            part = known(meant.replace("<what>", "x"), Section.FILTER, NODE_TEXTS)
            return replace(part, names=dict.fromkeys(part.names or {}, what))
    return None
