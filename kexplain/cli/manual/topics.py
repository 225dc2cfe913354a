"""The topics of the manual; one is added as a file `TOPIC.md` beside this module, and a line in `topics.json`."""

from importlib.resources import files

from kexplain.tables import table

#: What each page is about, as lists of pages say it.
TOPICS = table("topics", dict[str, str])


def markdown(topic: str) -> str:
    """The page on a topic as it is written."""
    return files("kexplain.cli.manual").joinpath(f"{topic}.md").read_text(encoding="utf-8")
