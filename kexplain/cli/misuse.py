"""What is wrong with the words of a command line, in words of our own."""

from typing import Any

from typer._click.exceptions import BadParameter, ClickException
from typer._click.types import IntParamType, IntRange


def misuse(stop: ClickException) -> str:
    """The fault on one line; that of an option begins with its name."""
    param: Any = getattr(stop, "param", None)
    if not isinstance(stop, BadParameter) or param is None or not stop.message:
        message = " ".join(stop.format_message().split()).removesuffix(".")
        return message[:1].lower() + message[1:]
    flag = max(param.opts, key=len)
    if isinstance(param.type, IntParamType):
        value = stop.message.partition(" is not ")[0].strip("'")
        return f"{flag}: {value} is not a whole number{_bounds(param.type)}"
    return f"{flag}: {' '.join(stop.message.split()).removesuffix('.')}"


def _bounds(number: IntParamType) -> str:
    if not isinstance(number, IntRange) or number.min is None:
        return ""
    return f" from {number.min} to {number.max}" if number.max is not None else f" of at least {number.min}"
