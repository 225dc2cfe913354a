"""One plugin: what it looks at, what it says, what helps, and which changes make its verdict worth another look."""

from kexplain.explain.output import Output
from kexplain.explain.records import Document
from kexplain.explain.retry import Retry, retry
from kexplain.messages.subjects import LOOKS_AT
from kexplain.messages.text import Text
from kexplain.messages.texts import EVERY_TEXT
from kexplain.plugins.registry import events_of
from kexplain.scheduler.cycle import Scheduler


class PluginText(Output, frozen=True):
    """A text of the plugin; `<name>` stands for what differs.

    `eviction` is `helps`, `no`, or empty where the text is not about a node; `releases` are those of Kubernetes that
    say it in these words, empty for all known ones.
    """

    text: str
    meaning: str
    check: str = ""
    eviction: str = ""
    releases: str = ""


class PluginPart(Output, frozen=True):
    """Where the plugin takes part in a profile; `weight` is null where it gives no points."""

    scheduler_name: str
    extension_points: tuple[str, ...]
    weight: int | None = None


class PluginPage(Document, frozen=True, kw_only=True):
    """All that is known of one plugin; `parts` is empty if no profile has it."""

    kind: str = "Plugin"
    name: str
    kubernetes_version: str
    looks_at: str
    parts: tuple[PluginPart, ...]
    texts: tuple[PluginText, ...]
    #: Null where it rejects no pod.
    retry: Retry | None


def plugin_page(name: str, scheduler: Scheduler) -> PluginPage:
    """The page of a plugin that `LOOKS_AT` has, with its part in a scheduler."""
    texts = tuple(_text(text) for text in EVERY_TEXT if text.source == name)
    return PluginPage(
        name=name,
        kubernetes_version=scheduler.release,
        looks_at=LOOKS_AT[name],
        parts=tuple(part for part in _parts(name, scheduler) if part.extension_points),
        texts=texts,
        retry=_retry(name, scheduler) if texts else None,
    )


def _retry(name: str, scheduler: Scheduler) -> Retry:
    events = events_of(name, scheduler.features, scheduler.rules)
    return retry({name: events}, is_queued=name != "SchedulingGates")


def _parts(name: str, scheduler: Scheduler) -> list[PluginPart]:
    return [
        PluginPart(
            scheduler_name=profile.scheduler_name,
            extension_points=tuple(point.value for point, names in profile.at_point.items() if name in names),
            weight=profile.weights.get(name),
        )
        for profile in scheduler.profiles.values()
    ]


def _text(text: Text) -> PluginText:
    return PluginText(
        text=text.template,
        meaning=text.general(text.meaning),
        check=text.general(text.check),
        eviction=text.eviction.value,
        releases=str(text.releases),
    )
