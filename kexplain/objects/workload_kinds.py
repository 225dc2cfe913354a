"""The kinds of workloads: what kubectl calls them, their API version, and where each holds the template of its pods."""

from collections.abc import Sequence

from msgspec import Struct

from kexplain.patterns import regex
from kexplain.tables import table


class WorkloadKind(Struct, frozen=True):
    """A kind of objects whose controllers make pods."""

    kind: str
    api_version: str
    short_name: str = ""
    template_path: tuple[str, ...] = ("spec", "template")

    @property
    def group(self) -> str:
        """The API group; empty for the core group."""
        return self.api_version.rpartition("/")[0]

    @property
    def aliases(self) -> tuple[str, ...]:
        """What kubectl takes for it: the singular, the plural, the short name."""
        singular = self.kind.lower()
        return tuple(filter(None, (singular, f"{singular}s", self.short_name)))


WORKLOAD_KINDS = table("workload-kinds", tuple[WorkloadKind, ...])
WORKLOAD_KIND_BY_NAME = {each.kind: each for each in WORKLOAD_KINDS}
#: The kinds that have pods, or are pods, by what kubectl calls them.
KIND_BY_ALIAS = dict.fromkeys(("pod", "pods", "po"), "Pod")
KIND_BY_ALIAS |= {alias: each.kind for each in WORKLOAD_KINDS for alias in each.aliases}
_VERSION = regex(r"v\d+(?:(?:alpha|beta)\d+)?\.")


def kind_of_word(word: str) -> str:
    """The kind that kubectl takes a word for, in any case: `deploy`, `deployments.apps`; empty if it is none."""
    alias, _, qualifier = word.lower().partition(".")
    kind = KIND_BY_ALIAS.get(alias, "")
    known = WORKLOAD_KIND_BY_NAME.get(kind)
    group = _VERSION.sub("", qualifier, count=1)
    return kind if group in ("", known.group if known else "") else ""


def kind_and_name(words: Sequence[str]) -> list[str]:
    """The words as `KIND/NAME`, where the first is a kind of which the others are names; otherwise as they are."""
    kind, *names = words or ("",)
    if not names or not kind_of_word(kind):
        return [*words]
    return [name if "/" in name else f"{kind}/{name}" for name in names]


def template_path(kind: str) -> tuple[str, ...]:
    """The path to `metadata` and `spec` of pods in an object of a kind: empty for a pod, and for kinds without."""
    if kind == "PodTemplate":
        return ("template",)
    return WORKLOAD_KIND_BY_NAME[kind].template_path if kind in WORKLOAD_KIND_BY_NAME else ()
