"""Objects of other projects of which no more is read than what their status says is amiss, or what they point at.

Nobody vouches for their form: they are looked at with `kexplain.objects.untrusted`.
"""

from typing import Any, ClassVar

import msgspec
from msgspec import json
from msgspec.structs import replace

from kexplain.objects.meta import KubernetesObject
from kexplain.objects.untrusted import WrittenCondition, at, conditions, text, texts
from kexplain.tables import sections

_WORDS = sections("words-of-others")
#: The statuses of conditions that are bad news, by type. Of a run that has failed there is none.
_BAD = {kind: status for status in ("False", "True", "Unknown") for kind in _WORDS[f"bad if {status}"]}
#: Where objects say which other one they are for.
_POINTERS = ("targetRef", "scaleTargetRef", "workloadRef")


class OtherResource(KubernetesObject, frozen=True, kw_only=True):
    """An object of a kind that has no record."""

    is_of_queues: ClassVar[bool] = True

    of_kind: str
    manifest: dict[str, Any] = msgspec.field(default_factory=dict)
    #: What its controller has said last, in an event.
    said: str = ""

    @property
    def kind(self) -> str:
        return self.of_kind

    @property
    def key(self) -> str:
        """With its kind: several have objects of one name."""
        return f"{self.of_kind} {self.metadata.namespace or ''}/{self.name}"

    @property
    def finalizers(self) -> tuple[str, ...]:
        """Who has to let go of it before it is gone, if it is to go."""
        found = at(self.manifest, "metadata", "finalizers") if self.metadata.deletion_timestamp else None
        return tuple(filter(None, map(text, found))) if isinstance(found, list) else ()

    @property
    def target(self) -> tuple[str, str, str]:
        """The kind, namespace and name of what it is for; without a name where it does not say so."""
        found = next(filter(None, (texts(self.manifest, "spec", each) for each in _POINTERS)), {})
        return found.get("kind", "Deployment"), self.namespace, found.get("name", "")

    def makes(self, name: str) -> bool:
        """Whether it is there to make a Secret or ConfigMap of that name: it names its result so, or has that name."""
        targets = (text(self.manifest, "spec", *each.split("/")) for each in _WORDS["results"])
        is_called_so = name == self.name and any(word in self.of_kind for word in _WORDS["kinds of results"])
        return is_called_so or name in targets

    def waits_for(self, name: str) -> bool:
        """Whether another one's name stands anywhere in its status, by itself or behind its namespace."""
        return name != self.name and f'{name}"' in json.encode(self.manifest.get("status")).decode()

    @property
    def complaint(self) -> WrittenCondition | None:
        """What its status says is not as it should be; None if nothing is, or it is over."""
        every = conditions(self.manifest, "status", "conditions").values()
        bad = (each for each in every if _BAD.get(each.type) == each.status)
        found = [replace(each, message=self.said or each.message) for each in bad]
        phase, message = self._status("phases"), self._status("messages")
        found += [WrittenCondition(phase, "", phase, message)] if phase in _WORDS["waiting phases"] else []
        return next((each for each in found if each.message), None)

    def _status(self, words: str) -> str:
        return next(filter(None, (text(self.manifest, "status", *each.split("/")) for each in _WORDS[words])), "")
