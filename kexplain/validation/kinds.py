"""Which kinds are validated, and by what; which versions of them an API server serves no longer, or not by default.

Source: kube-apiserver 1.36: the create strategies, `legacyscheme`, and `DefaultAPIResourceConfigSource`.
"""

from importlib import import_module

from msgspec import Struct

from kexplain.tables import table
from kexplain.validation.field import Field
from kexplain.validation.rows import Row, judge


class _Check(Struct, frozen=True, array_like=True):
    """A table or a function of a module, which is imported when the first object of its kind is checked."""

    module: str
    name: str

    def __call__(self, obj: Field) -> None:
        row: Row = getattr(import_module(f"{__package__}.{self.module}"), self.name)
        judge(obj, row)


#: The validation of each kind that there is a schema for; that of pods needs to know where they go.
CHECKS = table("validated-kinds", dict[str, _Check])


class Retired(Struct, frozen=True, array_like=True):
    """What took the place of an API version, and the minor number of the last release that served it by default.

    `last` is 0 where none did. Where the fields are not `alike`, there is no more to say than that it is not served.
    """

    instead: str
    last: int
    alike: bool = True


#: API versions that 1.36 does not serve by default, by version and kind or by version alone.
RETIRED = table("retired-versions", dict[str, Retired])
#: The minor number of the first release that served a version by default, for those that came after 1.22; of groups of
#: pods where they are enabled, as whoever writes these has done.
FIRST_SERVED = table("first-served", dict[str, int])
