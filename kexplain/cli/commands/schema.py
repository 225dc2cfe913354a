"""`kexplain schema`: what programs can rely on."""

import sys
from importlib import import_module

from msgspec.structs import fields

from kexplain.cli.requests.schema import Request
from kexplain.errors import UsageError
from kexplain.explain.output import Output
from kexplain.lint.settings import settings_schema
from kexplain.render import Kind
from kexplain.render.json import schema
from kexplain.tables import table, text
from kexplain.words import did_you_mean


def run(request: Request) -> int:
    """Always 0."""
    sys.stdout.write(text("reasons.json") if request.reasons else _schema(request.document))
    return 0


def _schema(name: str) -> str:
    """That of a document by its command, or by the kind that it names. Raises UsageError where there is none."""
    document, kinds = name.lower(), [*Kind]
    if document not in kinds:
        records = {fields(record_of(each))[1].default.lower(): each for each in Kind if each is not Kind.SETTINGS}
        document = records.get(document, "")
    if not document:
        raise UsageError(f"there is no document {name}", did_you_mean(name, kinds) or f"there are {', '.join(kinds)}")
    return settings_schema() if document == Kind.SETTINGS else schema(record_of(Kind(document)))


def record_of(document: Kind) -> type[Output]:
    """What a document is a record of."""
    module, _, name = table("schema-records", dict[str, str])[document].rpartition(".")
    record: type[Output] = getattr(import_module(f"kexplain.{module}"), name)
    return record
