"""What each plugin looks at, for people."""

from collections.abc import Mapping

from kexplain.messages.tables import paragraphs

#: By plugin, in a sentence or two; the plugins that only a Policy can name come last.
LOOKS_AT: Mapping[str, str] = {lines[0]: fields["looks at"] for lines, fields in paragraphs("plugins") if lines}
