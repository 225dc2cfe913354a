"""Read the corpus with nothing but Python: `python reader.py ARCHIVE` counts what is in it.

To hold a scheduler to it, ask yours about `scenario["cluster"]` and each pod in turn, and compare with `decision`.
"""

import hashlib
import json
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator
from typing import Any


def scenarios(archive: str) -> Iterator[dict[str, Any]]:
    """Every scenario, a dict each; an error if a file is not what its checksum says."""
    with tarfile.open(archive) as tar:
        files = {member.name.split("/", 1)[1]: tar.extractfile(member) for member in tar}
        content_by_name = {name: file.read() for name, file in files.items() if file}
    for line in content_by_name.pop("SHA256SUMS").decode().splitlines():
        checksum, name = line.split("  ")
        if hashlib.sha256(content_by_name[name]).hexdigest() != checksum:
            raise ValueError(f"{name} is damaged")
    for name, content in content_by_name.items():
        if name.endswith(".jsonl"):
            yield from map(json.loads, content.splitlines())


if __name__ == "__main__":
    counted: Counter[tuple[str, str]] = Counter()
    for scenario in scenarios(sys.argv[1]):
        for decision in scenario["decisions"]:
            counted[scenario["kubernetes"], decision["outcome"]] += 1
    for (release, outcome), number in sorted(counted.items()):
        print(release, outcome, number)
