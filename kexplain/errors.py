"""Everything that kexplain raises on purpose."""

from collections.abc import Sequence

from msgspec import Struct

#: What brings the libraries that are optional, as there are platforms without them.
INSTALL = "install kexplain with its extra expressions, as you installed it"


class KexplainError(Exception):
    """The root of all expected errors: a message for the user and, where there is one, what to do about it."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Fault(Struct, frozen=True):
    """One thing wrong with one input, at the place where it stands.

    `line` and `column` count from 1; 0 means that the place within the file is not known.
    `path` is a field path such as `spec.containers[0].image`; empty for faults of the text itself.
    """

    source: str
    line: int
    column: int
    path: str
    message: str

    @property
    def place(self) -> tuple[str, int, int]:
        """Its file, line and column."""
        return self.source, self.line, self.column

    def __str__(self) -> str:
        place = f"{self.source}:{self.line}:{self.column}" if self.line else self.source
        return f"{place}: {self.path}: {self.message}" if self.path else f"{place}: {self.message}"


class InputError(KexplainError):
    """Input that could not be read, with every fault that was found in it."""

    def __init__(self, faults: Sequence[Fault], hint: str | None = None) -> None:
        super().__init__("\n".join(str(fault) for fault in faults), hint)
        self.faults = tuple(faults)


def fault_of(source: str, message: str) -> InputError:
    """What is wrong with an input as a whole."""
    return InputError([Fault(source, 0, 0, "", message)])


class UsageError(KexplainError):
    """A command line that asks for nothing, for two things at once, or for something that is not there."""


class PluginError(KexplainError):
    """An exception inside a plugin: a bug of kexplain, reported with plugin, pod and node."""


class TooMuchError(KexplainError):
    """Input that would take more time or memory than anything sensible does; whoever reads it says where."""


class MissingLibraryError(KexplainError):
    """An optional library without which something cannot be told; whoever only checks does without."""

    def __init__(self, library: str) -> None:
        super().__init__(f"expressions of manifests are read with {library}, which is not installed", INSTALL)


class ClusterError(KexplainError):
    """A cluster that could not be read: out of reach, not to be trusted, or not willing. The hint says what to do."""


class RightsError(ClusterError):
    """A cluster in which this user may not list something without which nothing can be decided."""
