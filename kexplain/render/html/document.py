"""A page for a browser, with all that it needs in it; nothing is ever fetched or sent."""

import base64
import gzip
import hashlib
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from kexplain.explain.output import Output
from kexplain.patterns import regex
from kexplain.render.harmless import printable
from kexplain.render.pages import as_head, as_title

#: What the page's security policy permits: this style and this script, known by their hashes, and nothing else.
_POLICY = "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'"

#: What browsers would break at its dashes.
_NAME = regex(r"(\(?[\w./:=@]*\w-[\w./:=@-]*\w[),.;:]*)")
_ROOM = "kexplain.render.html"
_OWN = ("style.css", "script.js")


def document(template: str, report: Output, aside: str, **values: object) -> str:
    """An HTML document of that template with these values, and with the whole report as JSON inside, compressed."""
    style, script = (files(_ROOM).joinpath("templates", name).read_text("utf-8") for name in _OWN)
    page: str = (
        _environment()
        .get_template(template)
        .render(
            report=report,
            aside=aside,
            policy=_POLICY.format(_hash(style), _hash(script)),
            style=style,
            script=script,
            json=base64.b64encode(gzip.compress(msgspec.json.encode(report, enc_hook=tuple), mtime=0)).decode(),
            as_title=as_title,
            as_head=as_head,
            kept=kept,
            kind_of=lambda part: type(part).__name__,
            **values,
        )
    )
    return page


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader(_ROOM),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=_harmless,
    )


def kept(text: str) -> Markup:
    """A text whose names, with dashes or dots in them, are never broken where they fit on a line."""
    parts = _NAME.split(_harmless(text))
    whole = Markup('<span class="whole">{}</span>')
    return Markup("").join(whole.format(part) if place % 2 else part for place, part in enumerate(parts))


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _harmless(value: Any) -> Any:
    """What a template prints, with control characters spelled out; escaping comes after this."""
    return printable(value) if isinstance(value, str) and not hasattr(value, "__html__") else value
