"""What is on the page of a scheduler: its profiles, its extenders, and what its release is like."""

from collections.abc import Iterator

from kexplain.render import yaml
from kexplain.render.pages import Column, Document, Page, Part, Prose, Sheet, Style, columns
from kexplain.render.pages.sentences import DASH
from kexplain.render.view import View
from kexplain.report.listing import ListedPlugin, ListedProfile, SchedulerListing


def page(scheduler: SchedulerListing, view: View) -> Document:
    """The profiles, a row an extension point, and the extenders; with -v also what the release is like."""
    old, new = scheduler.compared_with, scheduler.kubernetes_version
    if old:
        differences = f"WHAT DIFFERS BETWEEN KUBERNETES {old} AND {new}, AS IT STANDS IN {new}"
        pages = [Page("", parts=[_traits(scheduler, differences)])]
    else:
        behaviour = [_traits(scheduler, f"BEHAVIOUR OF KUBERNETES {new}")] if view.verbose else []
        pages = [_profile(profile, scheduler) for profile in scheduler.profiles]
        pages.append(Page("", parts=[_extenders(scheduler), *behaviour]))
    return Document("Scheduler", pages, f"kubernetes {new}")


def _traits(scheduler: SchedulerListing, title: str) -> Sheet:
    rows = [
        (
            trait.name,
            "yes" if trait.is_on else "no",
            trait.release,
            f"{trait.maturity}{', locked' if trait.is_locked else ''}" if trait.gate else DASH,
            trait.effect if trait.is_built else f"{trait.effect} Not simulated here.",
        )
        for trait in scheduler.traits
    ]
    heads = (*columns("TRAIT OR GATE", "ON", "CHANGED WITH", "MATURITY"), Column("WHAT IT CHANGES", Style.DIM))
    return Sheet(title, heads, rows, is_whole=True)


def _profile(profile: ListedProfile, scheduler: SchedulerListing) -> Page:
    percentage = profile.percentage_of_nodes_to_score
    if percentage is None:
        percentage = scheduler.percentage_of_nodes_to_score
    share = f"{percentage} % of the nodes" if percentage else "a share of the nodes that depends on their number"
    rows = [(point.extension_point, ", ".join(map(_plugin, point.plugins))) for point in profile.points]
    parts: list[Part] = [Sheet("", columns("EXTENSION POINT", "PLUGINS, IN ORDER"), rows, is_whole=True)]
    if profile.arguments:
        parts.append(Prose(yaml.plain(profile.arguments).splitlines(), "ARGUMENTS", Style.COMMAND))
    return Page(profile.scheduler_name, aside=f"kubernetes {scheduler.kubernetes_version}, scores {share}", parts=parts)


def _plugin(plugin: ListedPlugin) -> str:
    weight = "" if plugin.weight is None else f" ×{plugin.weight}"
    return f"{plugin.name}{weight}{'' if plugin.evaluated else ' (not evaluated)'}"


def _extenders(scheduler: SchedulerListing) -> Sheet:
    heads = columns("URL", "VERBS", "WEIGHT", "ONLY FOR", "IGNORABLE")
    return Sheet("EXTENDERS, CALLED AFTER THE PLUGINS", heads, [*_extender_rows(scheduler)], is_whole=True)


def _extender_rows(scheduler: SchedulerListing) -> Iterator[tuple[str, ...]]:
    for each in scheduler.extenders:
        resources = ", ".join(each.managed_resources) or "all pods"
        weight = str(each.weight) if each.weight else DASH
        yield each.url, ", ".join(each.verbs), weight, resources, "yes" if each.ignorable else "no"
