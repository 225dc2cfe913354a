"""What a repository says of its linting, in a file that is found upwards: `.kexplain.yaml`."""

from collections.abc import Iterator, Sequence
from pathlib import Path as FilePath
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from kexplain.errors import Fault
from kexplain.explain.records import API_VERSION
from kexplain.lint.findings import Severity
from kexplain.lint.options import Ignore
from kexplain.load.decoding import Shape, decoded, shape_of
from kexplain.load.text.plain_values import PlainDocument, read_plain
from kexplain.objects.meta import Record
from kexplain.objects.problem import Problem
from kexplain.words import clauses, did_you_mean

NAME = ".kexplain.yaml"
KIND = "LintSettings"


def _about(text: str) -> msgspec.Meta:
    return msgspec.Meta(description=text)


class IgnoreEntry(Record, frozen=True):
    """A rule that is ignored, and why; where `paths` or `objects` are given, only for findings that match.

    Patterns are of the shell: `charts/*`, `Deployment shop/*`.
    """

    rule: Annotated[str, _about("The rule, by its id; kexplain rules lists them.")] = ""
    reason: Annotated[str, _about("Why it is ignored; reports show it.")] = ""
    paths: Annotated[tuple[str, ...] | None, _about("Only in these files: charts/*.")] = None
    objects: Annotated[tuple[str, ...] | None, _about("Only of these objects: Deployment shop/*.")] = None


class LintSettings(Record, frozen=True):
    """The file; what the command line says counts more. Files are named relative to it."""

    api_version: Annotated[str, msgspec.Meta(extra_json_schema={"const": API_VERSION})] = API_VERSION
    kind: Annotated[str, msgspec.Meta(extra_json_schema={"const": KIND})] = KIND
    cluster: Annotated[tuple[str, ...] | None, _about("Dumps, snapshots or manifests of the cluster.")] = None
    namespace: Annotated[str | None, _about("The namespace of manifests that name none.")] = None
    fail_on: Annotated[Severity | None, _about("The least severity that fails the run; default is error.")] = None
    baseline: Annotated[str | None, _about("A file of findings that are known and no longer reported.")] = None
    kubernetes_version: Annotated[str | None, _about("The release to check for, such as 1.36.")] = None
    severities: Annotated[dict[str, Severity] | None, _about("Other severities than a rule's own, by its id.")] = None
    ignore: Annotated[tuple[IgnoreEntry, ...] | None, _about("Findings that are not reported.")] = None


class SettingsFile(msgspec.Struct, frozen=True):
    """The settings, and where they were read."""

    settings: LintSettings = LintSettings()
    path: FilePath | None = None
    _document: PlainDocument | None = None

    def beside(self, name: str) -> str:
        """A file that the settings name, as the process finds it."""
        return str(self.path.parent / name) if self.path is not None and name != "-" else name

    def ignores(self) -> Iterator[Ignore]:
        for index, entry in enumerate(self.settings.ignore or ()):
            line, column = self._document.locate(("ignore", index)) if self._document else (1, 1)
            source = str(self.path or NAME)
            reason, paths, objects = entry.reason.strip(), entry.paths or (), entry.objects or ()
            yield Ignore(entry.rule, reason, NAME, source, line, column, paths=paths, objects=objects)


def find_settings(directory: FilePath) -> FilePath | None:
    """The settings file of a directory, or of the nearest one above it."""
    return next((each / NAME for each in (directory, *directory.parents) if (each / NAME).is_file()), None)


def read_settings(path: FilePath, rules: Sequence[str]) -> SettingsFile:
    """The settings of a file. Raises InputError with everything that is wrong with it."""
    documents = read_plain(str(path))
    if not documents:
        return SettingsFile(LintSettings(), path)
    document = documents[0]
    shape = shape_of(LintSettings)
    fitting, problems = decoded(_with_lists(document.value, shape), shape)
    try:
        settings = msgspec.convert(fitting, LintSettings)
    except msgspec.ValidationError:
        # In lists, what is wrong leaves its place.
        settings = LintSettings()
    problems = [*map(_with_way_out, problems), *_value_problems(settings, rules)]
    others = (Fault(str(path), *each.locate(), "", "settings are a single document") for each in documents[1:])
    document.refuse(problems, others)
    return SettingsFile(settings, path, document)


def _with_lists(value: Any, shape: Shape) -> Any:
    """The value, in which what stands alone where a list of such is expected is that list."""
    inner = shape.inner
    if shape.kind == "list" and inner and isinstance(value, str if inner.kind == "string" else dict):
        return [_with_lists(value, inner)]
    if inner and isinstance(value, list):
        return [_with_lists(each, inner) for each in value]
    if shape.kind == "object" and isinstance(value, dict):
        fields = shape.fields()
        return {key: _with_lists(each, fields[key]) if key in fields else each for key, each in value.items()}
    return value


def _with_way_out(problem: Problem) -> Problem:
    """The problem; of a severity that there is not, as off, with where a rule belongs that is not wanted."""
    is_severity = problem.path[:1] == ("severities",) and len(problem.path) > 1
    hint = "a rule that is not wanted goes under ignore" if is_severity else ""
    return replace(problem, message=clauses(problem.message, hint))


def _value_problems(settings: LintSettings, rules: Sequence[str]) -> Iterator[Problem]:
    if settings.api_version != API_VERSION:
        yield Problem(("apiVersion",), f'"{settings.api_version}" is not {API_VERSION}')
    if settings.kind != KIND:
        yield Problem(("kind",), f'"{settings.kind}" is not {KIND}')
    for rule in settings.severities or {}:
        if rule not in rules:
            meant = did_you_mean(rule, rules) or "kexplain rules lists them"
            yield Problem(("severities", rule), clauses("there is no such rule", meant))


def settings_schema() -> str:
    """The JSON Schema of the file, for editors."""
    return msgspec.json.format(msgspec.json.encode(msgspec.json.schema(LintSettings)), indent=2).decode() + "\n"
