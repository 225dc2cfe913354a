"""Chance with a seed: the same seed draws the same scenarios everywhere."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

Option = TypeVar("Option")


class Draw:
    """What a generator leaves to chance."""

    def __init__(self, seed: str) -> None:
        # Seeded by text: the same in every process.
        self._random = random.Random(seed)  # noqa: S311

    def number(self, least: int, most: int) -> int:
        """A whole number, both ends included."""
        return self._random.randint(least, most)

    def one(self, options: Sequence[Option]) -> Option:
        """One of them."""
        return self._random.choice(options)

    def some(self, options: Sequence[Option], most: int, least: int = 0) -> list[Option]:
        """Some of them, each once, in the order drawn."""
        return self._random.sample(list(options), self.number(least, min(most, len(options))))

    def chance(self, share: float) -> bool:
        """True in this share of all draws."""
        return self._random.random() < share
