"""Which kinds are validated, and by what; which versions of them an API server serves no longer, or not by default.

Source: kube-apiserver 1.36: the create strategies, `legacyscheme`, and `DefaultAPIResourceConfigSource`.
"""

from msgspec import Struct

from kexplain.tables import table

#: The table or the function that judges each kind that there is a schema for; that of pods needs to know where they go.
CHECKS = table("validated-kinds", dict[str, str])


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
