"""A change of one word of a manifest: what it says, or whether it stands in quotes."""

from __future__ import annotations

from msgspec import Struct


class WordEdit(Struct, frozen=True):
    """What a word is to say, and whether in quotes; None leaves either as it is."""

    text: str | None = None
    is_quoted: bool | None = None

    def applied(self, word: str) -> str:
        """The word after the edit, in the quotes that it had."""
        quote = word[0] if len(word) > 1 and word[0] in "\"'" and word[-1] == word[0] else ""
        inner = (word[1:-1] if quote else word) if self.text is None else self.text
        wanted = bool(quote) if self.is_quoted is None else self.is_quoted
        mark = (quote or '"') if wanted else ""
        return f"{mark}{inner}{mark}"
