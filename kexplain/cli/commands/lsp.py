"""`kexplain lsp`: a language server, for editors."""

from kexplain.cli.requests.lsp import Request
from kexplain.errors import UsageError


def run(request: Request) -> int:
    """0 once the editor has gone. Raises UsageError without the extra."""
    try:
        from kexplain.cli.editor import Editor  # noqa: PLC0415 (an extra, which only this command needs)
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise UsageError("kexplain lsp needs a library for language servers", "install kexplain[lsp]") from None
    Editor(request).serve()
    return 0
