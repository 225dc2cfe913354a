"""What differs between releases, as plugins see it: named traits, never version numbers."""

from typing import TYPE_CHECKING

from msgspec import Struct, defstruct

from kexplain.framework.traits import standing
from kexplain.objects.requests import RequestRules

#: The release whose defaults these are, and that is followed where nothing names another: the newest one of which
#: decisions of the real scheduler are recorded.
DEFAULT_RELEASE = "1.36"

if TYPE_CHECKING:

    class Features(Struct, frozen=True):
        """The traits that plugins ask about, each by the field of its row; the defaults are those of 1.36.

        `framework.traits` has the rows, which say what each trait changes, and since when. Those that bear on requests
        are of RequestRules.
        """

        def __init__(self, **otherwise: bool) -> None: ...

        def __getattr__(self, trait: str) -> bool: ...

else:
    _TRAITS = standing(DEFAULT_RELEASE, {})
    _FIELDS = [(name, bool, is_on) for name, is_on in _TRAITS.items() if name not in RequestRules.__struct_fields__]
    Features = defstruct("Features", _FIELDS, frozen=True, module=__name__)

#: The features of the default release.
DEFAULT_FEATURES = Features()
