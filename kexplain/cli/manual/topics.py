"""The topics of the manual; one is added as a file `TOPIC.md` beside this module and a line here."""

from importlib.resources import files

#: What each page is about, as lists of pages say it.
TOPICS = {
    "tasks": "questions that kexplain answers, and how to ask them",
    "cluster": "dumps, live clusters, rights, snapshots and redaction",
    "scheduler": "releases, configurations, policies, extenders and groups of pods",
    "lint": "checking manifests before they are applied",
    "json": "reports for programs: schemas, exit codes and large reports",
    "exactness": "what is decided exactly, how that is known, and what is not",
    "agents": "which command answers which question, in short",
}


def markdown(topic: str) -> str:
    """The page on a topic as it is written."""
    return files("kexplain.cli.manual").joinpath(f"{topic}.md").read_text(encoding="utf-8")
