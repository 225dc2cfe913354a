"""The scenarios: folders of manifests, each with the command that shows something of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kexplain.errors import InputError
from kexplain.load import Loaded, load

FIXTURES = Path(__file__).parents[1] / "fixtures"
SCENARIOS = sorted(path.parent for path in FIXTURES.glob("*/cmd"))


def loaded_scenarios() -> Iterator[tuple[Path, Loaded]]:
    """Every scenario's folder and all that its files hold; but those about input that cannot be read."""
    for folder in SCENARIOS:
        try:
            loaded = load([str(folder)])
        except InputError:
            continue
        yield folder, loaded
