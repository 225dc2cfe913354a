"""Changes that a command line asks for, made to what was read and followed to their end."""

from collections.abc import Callable, Iterable
from functools import partial

from kexplain.case.case_builder import Contents
from kexplain.cli.inputs import standard_input
from kexplain.cluster import Cluster
from kexplain.errors import UsageError
from kexplain.world.edit_options import edit_of
from kexplain.world.edited_cluster import Edit
from kexplain.world.sources import ReadObjects
from kexplain.world.world import Followed, World

#: The name of an option, and its value.
Change = tuple[str, str]


def after_changes(
    contents: Contents, asked: Iterable[Change], before: Cluster, start_index: int, *, recursive: bool, within: str = ""
) -> Followed:
    """What becomes of changes, each the name of its option and its value, in their order.

    `before` is the cluster without the pods that wait, `within` a namespace; `recursive` reads subdirectories of what
    is applied, too. Raises UsageError where an option cannot be read, and where an API server takes an object not at
    all, so that nothing becomes of it.
    """
    ask = partial(edit_of, stdin=standard_input(), release=contents.scheduler.release, within=within)
    changes = [_edit(option, partial(ask, option, value, recursive=recursive)) for option, value in asked]
    after = World(ReadObjects(contents, before)).after(changes).settled(start_index=start_index)
    if after.refused:
        said = [f"{obj.kind} {obj.name}: {refused}" for obj, refused in after.refused]
        raise UsageError(f"an API server refuses {'; '.join(said)}")
    return after


def _edit(option: str, ask: Callable[[], Edit]) -> Edit:
    try:
        return ask()
    except UsageError as error:
        raise UsageError(f"--{option.replace('_', '-')}: {error.message}", error.hint) from None
