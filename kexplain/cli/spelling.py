"""How the command line spells the parameters that messages name."""

from functools import cache
from importlib import import_module

from kexplain.cli.flags.declaring import flags_of
from kexplain.shell import command
from kexplain.tables import table

#: The requests whose flags messages name, those first that most of them do.
_REQUESTS = ("explain", "drain", "diff", "pack")

#: What is called otherwise in Python, and what is better known by a short name; and what agents write for a parameter,
#: with its value: arguments, and tools.
_NAMES, _FOR_AGENTS = table("spellings", dict[str, dict[str, str]]).values()

#: The first word of a run that answers an agent, who knows tools and their arguments, and no flags.
FOR_AGENTS = "--for-agents"

#: Files that have a flag of their own.
_WITH_VALUES = {("cluster", "nodes.yaml"): "--nodes nodes.yaml"}


def as_flag(name: str, value: str) -> str:
    """The flag for a parameter of the Python API, with its value."""
    if (name, value) in _WITH_VALUES:
        return _WITH_VALUES[name, value]
    flag = _NAMES.get(name) or next(flags[name] for flags in map(_flag_by_name, _REQUESTS) if name in flags)
    return command(flag, value) if value else flag


@cache
def _flag_by_name(command: str) -> dict[str, str]:
    flags = flags_of(import_module(f"kexplain.cli.requests.{command}").Request)
    return {flag.field.name: flag.declaration.spelled(flag.field.name)[-1] for flag in flags}


def as_argument(name: str, value: str) -> str:
    """What an agent writes for a parameter, or the option that its server is to be started with."""
    if name in _FOR_AGENTS:
        return _FOR_AGENTS[name].format(value).strip()
    flag = as_flag(name, value)
    return f"{flag} where kexplain mcp is started" if flag.startswith("-") else flag
