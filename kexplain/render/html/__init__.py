"""The report as one page for a browser, with all that it needs in it; nothing is ever fetched or sent."""

from __future__ import annotations

import base64
import gzip
import hashlib
from importlib.resources import files

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined

from kexplain.render import pod_groups, sentences, settled, workloads
from kexplain.render.html.sections import sections
from kexplain.render.new_nodes import new_nodes_sheet
from kexplain.render.view import View, printable, restricted
from kexplain.report.records import Report
from kexplain.words import plural, some

#: What the page's security policy permits: this style and this script, known by their hashes, and nothing else.
_POLICY = "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'"

_OWN = ("style.css", "script.js")


def render(report: Report, view: View) -> str:
    """An HTML document with the whole report as JSON inside, compressed."""
    environment = Environment(
        loader=PackageLoader(__name__),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=_harmless,
    )
    report = restricted(report, view)
    style, script = (files(__name__).joinpath("templates", name).read_text("utf-8") for name in _OWN)
    page: str = environment.get_template("report.html").render(
        report=report,
        sections=list(sections(report, view)),
        fitting=sum(1 for pod in report.pods if pod.choice is not None),
        policy=_POLICY.format(_hash(style), _hash(script)),
        style=style,
        script=script,
        json=base64.b64encode(gzip.compress(msgspec.json.encode(report), mtime=0)).decode(),
        sentences=sentences,
        pod_groups=pod_groups,
        settled=settled,
        workloads=workloads,
        new_nodes_sheet=new_nodes_sheet,
        plural=plural,
        some=some,
    )
    return page


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _harmless(value: object) -> object:
    """What a template prints, with control characters spelled out; escaping comes after this."""
    return printable(value) if isinstance(value, str) and not hasattr(value, "__html__") else value
