"""Characters for consoles that do not know all of ours."""

#: What stands for a character of ours where there is none.
_PLAIN = {
    **dict.fromkeys("✓✅", "+"),
    **dict.fromkeys("✗❌×", "x"),
    **dict.fromkeys("→▸", ">"),
    **dict.fromkeys("◂←", "<"),
    **dict.fromkeys("−–—", "-"),
    **dict.fromkeys("“”", '"'),
    **dict.fromkeys("‘’", "'"),  # noqa: RUF001
    **dict.fromkeys("µμ", "u"),
    **dict.fromkeys("│┃║‖▏▕", "|"),
    **dict.fromkeys("█▇▆▅▄▃▂▁", "#"),
    "…": "...",
    "·": ".",
    "⚠": "!",
    "\ufe0f": "",
}


def replaced(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that a stream cannot encode, for `codecs.register_error`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_PLAIN.get(each, "?") for each in error.object[error.start : error.end]), error.end
