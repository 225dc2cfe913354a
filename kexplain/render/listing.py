"""What `kexplain plugins` lists, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kexplain.render import yaml
from kexplain.render.blocks import Block, Group, Text
from kexplain.render.layout import indented, new_table, section, stacked, text
from kexplain.render.sentences import DASH
from kexplain.render.view import View
from kexplain.report.listing import ListedPlugin, ListedProfile, ListedTrait, SchedulerListing


def render(scheduler: SchedulerListing, view: View) -> Block:
    """The profiles, a row an extension point, and the extenders; with -v also what the release is like."""
    if scheduler.compared_with:
        return Group(*_differences(scheduler))
    blocks: list[Block] = []
    for profile in scheduler.profiles:
        blocks += [*([Text()] if blocks else []), *_profile(profile, scheduler)]
    if scheduler.extenders:
        blocks += section("EXTENDERS, CALLED AFTER THE PLUGINS", _extenders(scheduler))
    if scheduler.traits and view.verbose:
        blocks += section(f"BEHAVIOUR OF KUBERNETES {scheduler.kubernetes_version}", _traits(scheduler.traits))
    return Group(*blocks)


def _differences(scheduler: SchedulerListing) -> Iterable[Block]:
    """In what the release differs from another, and nothing else."""
    old, new = scheduler.compared_with, scheduler.kubernetes_version
    return section(f"WHAT DIFFERS BETWEEN KUBERNETES {old} AND {new}, AS IT STANDS IN {new}", _traits(scheduler.traits))


def _traits(traits: Iterable[ListedTrait]) -> Block:
    rows = new_table("TRAIT OR GATE", "ON", "CHANGED WITH", "MATURITY", "WHAT IT CHANGES")
    for trait in traits:
        on = "yes" if trait.on else "no"
        maturity = f"{trait.maturity}{', locked' if trait.locked else ''}" if trait.gate else DASH
        effect = trait.effect if trait.built else f"{trait.effect} Not simulated here."
        rows.add_row(text(trait.name), on, trait.release, maturity, text(effect, "dim"))
    return rows


def _profile(profile: ListedProfile, scheduler: SchedulerListing) -> Iterator[Block]:
    percentage = profile.percentage_of_nodes_to_score
    if percentage is None:
        percentage = scheduler.percentage_of_nodes_to_score
    share = f"{percentage} % of the nodes" if percentage else "a share of the nodes that depends on their number"
    yield text(profile.scheduler_name, "bold").append_text(
        text(f"  (kubernetes {scheduler.kubernetes_version}, scores {share})", "dim")
    )
    points = new_table("EXTENSION POINT", "PLUGINS, IN ORDER")
    for point in profile.points:
        points.add_row(point.extension_point, text(", ".join(_plugin(plugin) for plugin in point.plugins)))
    yield indented(points)
    if profile.arguments:
        arguments = new_table("PLUGIN", "ARGUMENTS")
        for name, values in profile.arguments.items():
            arguments.add_row(text(name), stacked(yaml.plain(values).splitlines()))
        yield Text()
        yield indented(arguments)


def _plugin(plugin: ListedPlugin) -> str:
    weight = "" if plugin.weight is None else f" ×{plugin.weight}"
    return f"{plugin.name}{weight}{'' if plugin.evaluated else ' (not evaluated)'}"


def _extenders(scheduler: SchedulerListing) -> Block:
    rows = new_table("URL", "VERBS", "WEIGHT", "ONLY FOR", "IGNORABLE")
    for each in scheduler.extenders:
        resources = ", ".join(each.managed_resources) or "all pods"
        weight = str(each.weight) if each.weight else DASH
        rows.add_row(
            text(each.url), text(", ".join(each.verbs)), weight, text(resources), "yes" if each.ignorable else "no"
        )
    return rows
