"""The site, built from the pages that there are: `python .github/site/build.py OUT`.

The README is its first page; the manual, the help of each command, the page of each rule and the changelog are pages of
their own; scenarios show what each kind of diagnosis looks like, and fill the gallery. Only what begins and ends
somewhere else, a tutorial and a page for each kind of reader, is written beside this script. A link that leads nowhere
ends it with an error.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from kexplain.api import Inputs, Wanted, explain, load_case
from kexplain.cli.manual.topics import TOPICS, markdown
from kexplain.cli.tree import commands
from kexplain.diagnosis.records import Kind
from kexplain.errors import KexplainError
from kexplain.lint.registry import RULES

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SCENARIOS = ROOT / "fixtures"
REPOSITORY = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]["Repository"]
#: Files that the README links, and which page of the site each is; others are shown in the repository.
PAGES = {f"kexplain/cli/manual/{topic}.md": f"manual/{topic}.md" for topic in TOPICS} | {"CHANGELOG.md": "changelog.md"}
#: Options whose values are files of a cluster.
OF_A_CLUSTER = {"--cluster", "--nodes", "--pods"}
NAMES = {command.name for command in commands()}
#: Reports for a browser, by scenario.
GALLERY = {
    "insufficient-cpu-different-reasons": "a pod that fits nowhere",
    "everything-pending": "everything that is pending",
    "trace-a-preferred-node-unseen": "the search over the nodes, and every step of the cycle",
    "what-if-remove-node": "what happens when a node goes",
    "capacity-of-every-workload": "the headroom of every workload",
}
FOR_WHOM = {
    "tutorial": "Ten minutes",
    "on-call": "On call",
    "manifests": "Writing manifests",
    "ci": "In CI",
    "scheduler-developers": "Developing a scheduler",
}


def main(out: Path) -> None:
    """Gather, and build."""
    with tempfile.TemporaryDirectory() as name:
        docs = Path(name) / "docs"
        shutil.copytree(HERE / "pages", docs)
        for path, text in _pages():
            (docs / path).parent.mkdir(parents=True, exist_ok=True)
            (docs / path).write_text(text, encoding="utf-8")
        shutil.copytree(SCENARIOS / "pictures", docs / "fixtures" / "pictures")
        _gallery(docs / "gallery")
        settings = yaml.safe_load((HERE / "mkdocs.yml").read_text("utf-8"))
        owner, project = REPOSITORY.split("/")[-2:]
        place = {"site_url": f"https://{owner}.github.io/{project}/", "nav": _nav()}
        (Path(name) / "mkdocs.yml").write_text(yaml.safe_dump({**settings, **place}), encoding="utf-8")
        words = ["build", "--quiet", "--strict", "--site-dir", str(out.resolve())]
        subprocess.run([sys.executable, "-m", "mkdocs", *words], cwd=name, check=True)


def _pages() -> Iterator[tuple[str, str]]:
    yield "index.md", _linked((ROOT / "README.md").read_text("utf-8"))
    yield "changelog.md", (ROOT / "CHANGELOG.md").read_text("utf-8")
    yield "llms.txt", _llms()
    for topic in TOPICS:
        yield f"manual/{topic}.md", markdown(topic)
    for command in commands():
        yield f"commands/{command.name}.md", _help(command.name)
    rows = "".join(f"| [{rule.id}]({rule.id}.md) | {rule.severity} | {rule.title} |\n" for rule in RULES)
    yield "rules/index.md", f"# Rules of lint\n\n| rule | severity | what it finds |\n|---|---|---|\n{rows}"
    for rule in RULES:
        yield f"rules/{rule.id}.md", rule.page
    yield "diagnoses.md", _diagnoses()


def _linked(readme: str) -> str:
    """The README with links to pages where the site has one, and to the repository otherwise."""

    def there(link: re.Match[str]) -> str:
        path = link["path"]
        if path.startswith("http") or path.endswith((".svg", ".png")):
            return link[0]
        return f"]({PAGES.get(path, f'{REPOSITORY}/blob/main/{path}')}{link['anchor'] or ''})"

    return re.sub(r"\]\((?P<path>[^)#]+)(?P<anchor>#[^)]+)?\)", there, readme).replace(
        "<details>", '<details markdown="1">'
    )


def _help(name: str) -> str:
    words = ["--help"] if name == "explain" else [name, "--help"]
    shown = subprocess.run([sys.executable, "-m", "kexplain", *words], capture_output=True, check=True).stdout
    title = "kexplain" if name == "explain" else f"kexplain {name}"
    return f"# {title}\n\n```text\n{shown.decode()}```\n"


def _llms() -> str:
    """What the pages are, for programs that read: https://llmstxt.org has the form."""
    pages = [
        ("manual/agents/", TOPICS["agents"]),
        *((f"manual/{each}/", TOPICS[each]) for each in TOPICS if each != "agents"),
    ]
    listed = "".join(f"- [{path.strip('/')}]({path}): {what}\n" for path, what in pages)
    return f"# kexplain\n\n> Why didn't my pod schedule? Answered offline, exactly.\n\n## Manual\n\n{listed}"


def _diagnoses() -> str:
    """Each kind with sentences of scenarios; a kind that no scenario has is listed all the same."""
    said: dict[str, dict[str, str]] = {kind.value: {} for kind in Kind}
    for folder in sorted(path.parent for path in SCENARIOS.glob("*/cmd")):
        for kind, sentence in _sentences(folder):
            said[kind].setdefault(sentence, folder.name)
    parts = ["# Kinds of diagnosis\n\nA diagnosis has a kind that stays (`diagnosis.kind` in JSON), to alert on.\n"]
    for kind, scenario_by_sentence in said.items():
        parts.append(f"\n## {kind}\n" if scenario_by_sentence else f"\n## {kind}\n\nNo scenario shows it yet.")
        parts += [
            f"\n- {_escaped(sentence)} ([{name}]({REPOSITORY}/tree/main/fixtures/{name}))"
            for sentence, name in [*scenario_by_sentence.items()][:3]
        ]
    return "\n".join(parts) + "\n"


def _sentences(folder: Path) -> Iterator[tuple[str, str]]:
    """What is wrong in a scenario that asks about pods of files or by name; nothing of others."""
    _, *words = shlex.split((folder / "cmd").read_text("utf-8"))
    asked, rest, files = [], iter(words), []
    namespace = ""
    for word in rest:
        if word in OF_A_CLUSTER:
            files.append(str(folder / next(rest)))
        elif word == "-n":
            namespace = next(rest)
        elif word.startswith("-") or word in NAMES:
            return
        else:
            asked.append(str(folder / word) if (folder / word).is_file() else word)
    try:
        case = load_case(asked, Inputs(files, namespace=namespace), Wanted(own_pods=True, all_namespaces=not namespace))
        report = explain(case, is_brief=True, seeks_help=False)
    except KexplainError:
        return
    for pod in report.pods:
        if pod.diagnosis is not None:
            yield pod.diagnosis.kind.value, pod.diagnosis.text


def _escaped(sentence: str) -> str:
    return re.sub(r"([\\`*_<>\[\]|])", r"\\\1", sentence)


def _gallery(folder: Path) -> None:
    folder.mkdir()
    listed = []
    for scenario, title in GALLERY.items():
        _, *words = (SCENARIOS / scenario / "cmd").read_text("utf-8").split()
        out = ["-o", f"html={folder / scenario}.html"]
        subprocess.run([sys.executable, "-m", "kexplain", *words, *out], cwd=SCENARIOS / scenario, check=False)
        listed.append(f"- [{title}]({scenario}.html)\n")
    (folder / "index.md").write_text(f"# Reports for a browser\n\n{''.join(listed)}", encoding="utf-8")


def _nav() -> list[Any]:
    return [
        {
            "Start": [
                "index.md",
                *({title: f"{name}.md"} for name, title in FOR_WHOM.items()),
                {"Agents": "manual/agents.md"},
            ]
        },
        {"Manual": [f"manual/{topic}.md" for topic in TOPICS if topic != "agents"]},
        {"Commands": [{each.name: f"commands/{each.name}.md"} for each in commands()]},
        {"Rules": ["rules/index.md", *({rule.id: f"rules/{rule.id}.md"} for rule in RULES)]},
        {"Diagnoses": "diagnoses.md"},
        {"Gallery": "gallery/index.md"},
        {"Changes": "changelog.md"},
        # Named as the address of the repository, a page would ask its host for figures.
        {"Repository": REPOSITORY},
    ]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
