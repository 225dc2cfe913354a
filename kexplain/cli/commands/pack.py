"""`kexplain pack`: which nodes can go together."""

import signal
from threading import current_thread, main_thread
from time import monotonic
from typing import Any

from msgspec.structs import replace

from kexplain.case import Case
from kexplain.cli.commands.drain import changed_case, chosen_nodes
from kexplain.cli.flags.pods import PodFlags
from kexplain.cli.inputs import load_inputs, print_notes
from kexplain.cli.output import write
from kexplain.cli.progress import Progress
from kexplain.cli.requests.pack import Request
from kexplain.errors import UsageError
from kexplain.report.headroom import Headroom
from kexplain.report.pack import Packing
from kexplain.report.room import RoomMaking
from kexplain.scheduler.draining import DrainOptions

#: How much of the time goes into the search; what is found has to be carried out as well.
_SEARCHING = 1 / 2
_MISSING = ("no nodes to move pods between", "kexplain pack --for pod.yaml --cluster dump.json")


def run(request: Request) -> int:
    """0 if some node can go, or room can be made, else 1."""
    shown, asked = request.report, request.pack
    targets = shown.targets(request.reports)
    headroom = Headroom.of(asked.keep)
    files = {"apply": asked.apply, "requests": asked.requests}
    case = _asked_case(request) if asked.room_for else changed_case(request, **files)[0]
    progress = Progress(quiet=shown.quiet)
    interrupted = _counted_interrupts()
    start_time = monotonic()

    def is_past(share: float, interrupts: int) -> bool:
        return len(interrupted) >= interrupts or monotonic() > start_time + asked.within * share

    tried: dict[str, Any] = {
        "case": case,
        "options": DrainOptions(asked.force, asked.delete_emptydir_data),
        "start_index": request.scheduler.start_index,
        "listener": progress.placed,
        "is_enough": lambda: is_past(_SEARCHING, 1),
    }
    if asked.room_for:
        report = RoomMaking(**tried).report()
    else:
        packing = Packing(headroom=headroom, is_over=lambda: is_past(1, 2), **tried)
        report = packing.report(chosen_nodes(asked.node_names, asked.selector, case.cluster))
    progress.end()
    print_notes(report.notes, quiet=shown.quiet)
    write(report, shown, targets)
    return int(not report.is_possible)


def _asked_case(request: Request) -> Case:
    """The cluster with the room that is kept for pending pods, and the pods that room is made for."""
    pods = PodFlags(pods=request.pack.room_for, namespace=request.pack.namespace)
    case = load_inputs(request, pods, request.scheduler.settings(), _MISSING, own_pods=True)
    if not case.pods:
        asked = ", ".join(request.pack.room_for)
        raise UsageError(f"no pod of {asked} waits for a node", "kexplain POD says how it stands")
    cluster = case.cluster
    for placed in case.pods:
        if placed.pod.status.nominated_node_name:
            cluster = cluster.nominate(placed.pod, placed.pod.status.nominated_node_name)
    return replace(case, cluster=cluster)


def _counted_interrupts() -> list[object]:
    """What grows each time somebody interrupts the run: what is known by then is reported."""
    found: list[object] = []
    if current_thread() is main_thread():
        signal.signal(signal.SIGINT, lambda *_: found.append(None))
    return found
