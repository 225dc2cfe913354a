"""`kexplain mcp`: a server of the Model Context Protocol, for agents."""

from kexplain.cli.requests.mcp import Request
from kexplain.errors import UsageError


def run(request: Request) -> int:
    """0 once the client has gone. Raises UsageError without the SDK."""
    try:
        from kexplain.cli.agents import server  # noqa: PLC0415 (an extra, which only this command needs)
    except ModuleNotFoundError as missing:
        if not (missing.name or "").startswith("mcp"):
            raise
        raise UsageError("kexplain mcp needs the SDK of the Model Context Protocol", "install kexplain[mcp]") from None
    server(request).run("stdio")
    return 0
