"""Objects of other projects of which no more is kept than what their status says is amiss, or what they point at."""

from typing import ClassVar

from msgspec.structs import replace

from kexplain.objects.meta import KubernetesObject
from kexplain.objects.untrusted import WrittenCondition
from kexplain.tables import sections
from kexplain.words import clauses

_WORDS = sections("words-of-others")


class OtherResource(KubernetesObject, frozen=True, kw_only=True):
    """An object of a kind that has no record."""

    is_of_queues: ClassVar[bool] = True

    of_kind: str
    #: What is not as it should be; a phase is a condition without a status, an error one without a reason.
    complaints: tuple[WrittenCondition, ...] = ()
    #: Who has to let go of it before it is gone, if it is to go.
    finalizers: tuple[str, ...] = ()
    #: The kind, namespace and name of what it is for; without a name where it does not say so.
    target: tuple[str, str, str] = ("", "", "")
    #: The names of the Secrets or ConfigMaps that it makes, and the texts of its status without a space.
    results: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    #: What its controller has said last, in an event.
    said: str = ""

    @property
    def kind(self) -> str:
        return self.of_kind

    @property
    def key(self) -> str:
        """With its kind: several have objects of one name."""
        return f"{self.of_kind} {self.metadata.namespace or ''}/{self.name}"

    def makes(self, name: str) -> bool:
        """Whether it is there to make a Secret or ConfigMap of that name: it names its result so, or has that name."""
        is_called_so = name == self.name and any(word in self.of_kind for word in _WORDS["kinds of results"])
        return is_called_so or name in self.results

    def waits_for(self, name: str) -> bool:
        """Whether another one's name stands anywhere in its status, by itself or behind its namespace."""
        return name != self.name and any(each.endswith(name) for each in self.mentions)

    @property
    def failure(self) -> str:
        """What has failed, in its own words, whether it is over or goes on; empty if nothing has."""
        found = (each for each in self.complaints if not self.is_waiting(each))
        return next(filter(None, (clauses(*filter(None, (each.reason, each.message))) for each in found)), "")

    @property
    def complaint(self) -> WrittenCondition | None:
        """What is not as it should be, in words; None if nothing is, or it is over."""
        found = (replace(each, message=self.said or each.message) if each.status else each for each in self.complaints)
        is_over = any(each.type.endswith("Succeeded") and each.status == "False" for each in self.complaints)
        return None if is_over else next((each for each in found if each.message), None)

    @staticmethod
    def is_waiting(complaint: WrittenCondition) -> bool:
        """Whether that says no more than that it waits."""
        return not complaint.status and complaint.reason in _WORDS["waiting phases"]
