"""What is on the page of several clusters: a row each, first those that one would choose."""

from kexplain.render.pages import Column, Page, Sheet, State, Style, columns, numbers
from kexplain.render.view import View
from kexplain.report.fleet import ROOM, FleetMember, FleetReport
from kexplain.words import plural, some, verb


def page(report: FleetReport, view: View) -> Page:
    """Where it fits, and a table of all clusters."""
    fitting = [each for each in report.clusters if each.fits]
    total = plural(len(report.clusters), "cluster")
    release = Column("RELEASE", Style.DIM, from_width=100)
    counts = (*columns("CLUSTER", "FITS"), *numbers("ROOM FOR", "NODES"))
    heads = (*counts, release, *columns("WHAT STOPS IT", "WHAT WOULD HELP"))
    notes = [f"room for: how many of the first pod fit, counted up to {ROOM}"]
    sheet = Sheet("", heads, [_row(each) for each in report.clusters], notes=notes, is_whole=True)
    if not fitting:
        return Page(f"fits on none of {total}", State.BAD, "", [sheet])
    where = some([each.cluster for each in fitting], 5)
    return Page(f"fits on {len(fitting)} of {total}: {where}", State.GOOD, "", [sheet])


def _row(each: FleetMember) -> tuple[str, ...]:
    if each.error:
        return each.cluster, "not read", "", "", "", each.error, ""
    fits = "all" if each.fits else f"{each.fitting} of {each.pods}"
    fits = f"{verb(each.pods, 'fits')}" if each.fits and each.pods == 1 else fits
    room = "" if each.room is None else f"{each.room}{'+' if each.room == ROOM else ''}"
    return each.cluster, fits, room, str(each.nodes), each.kubernetes_version, each.stopped_by, each.helps
