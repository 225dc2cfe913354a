"""Which texts hold Kubernetes objects at all: directories hold many others, and those are no faults."""

import os
import re

from kexplain.load.object_collector import ObjectCollector
from kexplain.load.text.source import Text
from kexplain.patterns import regex

#: What every object says, as it stands in a text that may be neither YAML nor JSON as a whole.
_SAYS_WHAT_IT_IS = regex(rb"^[ \t{,\[-]*[\"']?(?:apiVersion|kind)[\"']?[ \t]*:[ \t]*[\"']?[A-Za-z{$]", re.MULTILINE)
_SNAPSHOT = regex(rb'\s*\{\s*"apiVersion"\s*:\s*"kexplain/v1"\s*,\s*"kind"\s*:\s*"Snapshot"')
_TABLE = regex(rb"(?=[^\n]*\bcpu(?:_milli)?\b)(?:[\w./ -]+,)*(?:name|sn) *,[\w./, -]+\r?\n")
#: Braces of a template that has not been rendered: no YAML value begins so. Jinja has statements on lines of their own.
_TEMPLATE = regex(rb"\{\{[-\s]*[.$a-zA-Z_(/]|^[ \t]*\{%", re.MULTILINE)
#: An expression that stands where a value belongs: of Go templates, Jinja, envsubst, chainsaw and the like.
_EXPRESSION = regex(r"\{\{.*|\$\{\w.*|\(\$\w.*\)", re.DOTALL)

#: What kuttl and chainsaw call files of what a test expects, or that there must not be: parts of objects, or patterns.
_EXPECTED = regex(r"(?:.*[-_.])?assert(?:s|ions?)?(?:[-_.].*)?|\d+-errors?(?:[-.].*)?")


def is_expectation(path: str) -> bool:
    """Whether a test compares objects with what a file holds, as far as the name says."""
    return _EXPECTED.fullmatch(os.path.basename(path)) is not None


def is_foreign(text: Text, collector: ObjectCollector) -> bool:
    """Whether nothing in a text is a Kubernetes object, nor looks as if it should be one."""
    if collector.loaded.count or not collector.count_of_faults:
        return False
    return collector.count_of_faults == collector.foreign or _SAYS_WHAT_IT_IS.search(text) is None


def is_snapshot(text: Text) -> bool:
    """Whether a text is a snapshot of any format."""
    return _SNAPSHOT.match(text[:200]) is not None


def is_table(text: Text) -> bool:
    """Whether a text is a table of pods or of nodes in CSV: its head has a column of names, and one of CPU."""
    return _TABLE.match(text[:4096]) is not None


def is_template(text: Text) -> bool:
    """Whether a text has expressions in braces, which something else renders."""
    return _TEMPLATE.search(text) is not None


def is_expression(value: object) -> bool:
    """Whether a value, or the name of a field, is still to be filled in."""
    return isinstance(value, str) and _EXPRESSION.search(value) is not None
