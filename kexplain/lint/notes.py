"""What to say about the reading of manifests: what was passed over, and what was not tried."""

from collections.abc import Iterator, Sequence
from importlib.util import find_spec

from kexplain.admission.workloads import template_of
from kexplain.errors import INSTALL
from kexplain.lint.subjects import Subject, describes_cluster
from kexplain.load.raw_manifests import Written
from kexplain.load.text.source import unread_note
from kexplain.objects.core import Node, Pod
from kexplain.parameters import parameter
from kexplain.shell import command
from kexplain.tables import words
from kexplain.words import joined, plural, some, verb

#: The libraries that read expressions of manifests, by module, and kinds that have such.
_ENGINES = {"cel_expr_python": "cel-expr-python", "re2": "google-re2"}
_WITH_EXPRESSIONS = words("kinds-with-expressions")


def reading_notes(written: Written) -> Iterator[str]:
    """What was read in part only, or not at all."""
    if written.loaded.foreign_note:
        yield written.loaded.foreign_note
    yield from (*written.loaded.not_looked_into(), *written.loaded.notes, *written.notes)
    if any(each.identity.kind in _WITH_EXPRESSIONS for each in written.manifests):
        missing = [library for module, library in _ENGINES.items() if find_spec(module) is None]
        if missing:
            are = verb(len(missing), "is")
            yield f"expressions are not judged, as {joined(missing)} {are} not installed: {INSTALL}"
    if charts := [*written.charts]:
        render = f"{command('helm template', charts[0])} | kexplain lint -"
        of = f"{plural(sum(written.charts.values()), 'template')} of {plural(len(charts), 'chart')}"
        yield f"{of} not rendered ({some(charts)}); lint what each comes to: {render}"
    if written.expected:
        yield f"not judged, as tests compare objects with them: {some(written.expected)}"
    yield from (unread_note(path, count) for path, count in written.unread.items())
    if written.more_faults:
        yield f"{written.more_faults} more faults are not shown"


def without_cluster(subjects: Sequence[Subject]) -> Iterator[str]:
    """That nothing was placed, be there nodes among the manifests or not."""
    yield f"no cluster is given, so nothing was placed ({parameter('cluster', 'FILE')})"
    yield from _nodes(subjects)


def left_out(subjects: Sequence[Subject]) -> Iterator[str]:
    """Which of the manifests are none, so that they were not placed either."""
    yield from _nodes(subjects)
    having = (each for each in subjects if isinstance(each.obj, Pod) or template_of(each.obj) is not None)
    made = [each.name for each in having if describes_cluster(each.obj)]
    if made:
        yield f"not tried, as controllers make them: {some(made)}"


def _nodes(subjects: Sequence[Subject]) -> Iterator[str]:
    nodes = sum(1 for each in subjects if isinstance(each.obj, Node))
    if nodes:
        named = f"{parameter('cluster', 'FILE')} names one"
        yield f"{plural(nodes, 'node')} among the manifests {verb(nodes, 'is')} not taken for a cluster: {named}"
