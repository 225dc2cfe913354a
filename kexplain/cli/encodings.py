"""Characters for consoles that do not know all of ours."""

from kexplain.tables import sections

#: What stands for a character of ours where there is none; for that which asks for an emoji, nothing does.
_PLAIN = {"\ufe0f": "", **{each: plain for plain, ours in sections("plain-characters").items() for each in ours}}


def replaced(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that a stream cannot encode, for `codecs.register_error`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_PLAIN.get(each, "?") for each in error.object[error.start : error.end]), error.end
