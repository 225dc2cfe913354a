"""`kexplain schema`: what programs can rely on."""

import sys
from importlib import import_module

from kexplain.cli.requests.schema import Request
from kexplain.explain.output import Output
from kexplain.lint.settings import settings_schema
from kexplain.render import Kind
from kexplain.render.json import schema
from kexplain.tables import table, text


def run(request: Request) -> int:
    """Always 0."""
    sys.stdout.write(text("reasons.json") if request.reasons else _schema(request.document))
    return 0


def _schema(document: Kind) -> str:
    return settings_schema() if document is Kind.SETTINGS else schema(record_of(document))


def record_of(document: Kind) -> type[Output]:
    """What a document is a record of."""
    module, _, name = table("schema-records", dict[str, str])[document].rpartition(".")
    record: type[Output] = getattr(import_module(f"kexplain.{module}"), name)
    return record
