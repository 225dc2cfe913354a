"""Draw the pictures of the README."""

from __future__ import annotations

from tests.pictures.drawing import PICTURES, page, terminal

if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    (PICTURES / "terminal.svg").write_text(terminal(), encoding="utf-8", newline="")
    (PICTURES / "page.png").write_bytes(page())
