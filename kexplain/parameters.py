"""How a message names a parameter: as Python does, unless a front end has names of its own for them.

Whatever is raised or noted names the fields of `SchedulerSettings` and `Connection`, and the parameters of `load_case`
and `explain`; on the command line the reader sees the flag instead.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

#: The text for a parameter, with a value or without.
Spelling = Callable[[str, str], str]


def as_in_python(name: str, value: str) -> str:
    """`name`, or `name=value`."""
    return f"{name}={value}" if value else name


#: Innermost last. Threads share it: what reads a cluster raises in threads of its own.
_spellings: list[Spelling] = [as_in_python]


def parameter(name: str, value: str = "") -> str:
    """What the user knows a parameter as, for use in a message."""
    return _spellings[-1](name, value)


@contextmanager
def parameters_spelled(spelling: Spelling) -> Iterator[None]:
    """While this lasts, messages name parameters so."""
    _spellings.append(spelling)
    try:
        yield
    finally:
        _spellings.pop()


@contextmanager
def parameters_renamed(names: Mapping[str, str]) -> Iterator[None]:
    """While this lasts, messages name the parameters that are given by these other names."""
    outer = _spellings[-1]
    with parameters_spelled(lambda name, value: outer(names.get(name, name), value)):
        yield


def are_spelled(spelling: Spelling) -> bool:
    """Whether messages name parameters so at the moment."""
    return _spellings[-1] is spelling
