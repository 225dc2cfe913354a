"""The new names of a redacted cluster.

What is equal stays equal, what differs still differs, and order is kept within a kind of names, since decisions depend
on nothing else about them. Whole numbers become their rank, which is what `Gt` and `Lt` compare.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from kexplain.grouping import grouped
from kexplain.load.snapshot.public_words import (
    CONDITION_WORDS,
    KEPT_WORDS,
    ZONE_KEYS,
    is_public_group,
    is_public_key,
    is_public_kind,
    own_part,
)
from kexplain.objects.apps import StatefulSet
from kexplain.objects.core import Pod
from kexplain.objects.csi_migration import MULTI_ZONE_DELIMITER
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.selectors import parse_int64
from kexplain.objects.storage import CSIDriver
from kexplain.objects.well_known import DEVICE_CLASS_PREFIX
from kexplain.patterns import regex
from kexplain.tables import sections

#: Zones of clouds, whose parts volumes are translated by: us-central1-a, eu-west-1b.
_CLOUD_ZONE = regex(r"[a-z]+-[a-z]+(?:\d-[a-z]|-\d[a-z]?|\d)")
_WHOLE = regex(r"(?P<before>[+-]?0*)(?P<digits>[0-9]+)")
_UUID = regex(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_EBS_PREFIX = "vol-"
#: What keys of quotas begin with, and those that are of a class of volumes or of devices.
_REQUESTS = "requests."
_OF_CLASS = regex(r"(?P<class>.+)(?P<rest>\.(?:storageclass\.storage|deviceclass\.resource)\.k8s\.io/.+)")
#: A request that the scheduler makes for an extended resource.
_OWN_REQUEST = regex(r"container-\d+-request-\d+")
_QUOTED = regex(r"\"[^\"]*\"|'[^']*'")


class Names:
    """What every name becomes: itself, until `choose` gives others to those that were asked for."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._keys: set[str] = set()
        self._images: set[str] = set()
        self._identifiers: set[str] = set()
        self._zones: set[str] = set()
        self._new_by_old: dict[str, str] = {}
        self._new_key_by_old: dict[str, str] = {}
        self._new_image_by_old: dict[str, str] = {}

    def name(self, old: str) -> str:
        """A name of anything, or the value of a label."""
        self._seen.add(old)
        return self._new_by_old.get(old, old)

    def key(self, old: str) -> str:
        """The key of a label or a taint."""
        self._keys.add(old)
        return self._new_key_by_old.get(old, old)

    def image(self, old: str) -> str:
        """The name of an image in a pod; without a tag it means the latest, as upstream reads it."""
        return self.held_image(old if old.rfind(":") > old.rfind("/") else f"{old}:latest")

    def held_image(self, old: str) -> str:
        """The name of an image that a node holds, which upstream takes as it is."""
        self._images.add(old)
        return self._new_image_by_old.get(old, old)

    def label(self, key: str, old: str) -> str:
        """The value of a label; where it lists zones, each is a name."""
        if key not in ZONE_KEYS:
            return self.name(old)
        zones = old.split(MULTI_ZONE_DELIMITER)
        self._zones.update(zones)
        return MULTI_ZONE_DELIMITER.join(self.name(zone) for zone in zones)

    def volume_id(self, old: str) -> str:
        """The id of an EBS volume, with or without its zone: `aws://zone/vol-1234`."""
        *before, volume = old.split("/")
        if not before:
            return self.name(old)
        return "/".join([*(part if part in ("", "aws:") else self.name(part) for part in before), self.name(volume)])

    def condition(self, old: str) -> str:
        """The type or the reason of a condition: a word that everybody has, or somebody's own."""
        return old if old in CONDITION_WORDS else self.name(old)

    def kind(self, old: str) -> str:
        """The kind of an object that another names, or what the API calls such objects."""
        return old if is_public_kind(old) else self.name(old)

    def api_version(self, old: str) -> str:
        """A group with or without a version, of which somebody's own is a name."""
        group, slash, version = old.partition("/")
        return old if is_public_group(group) else f"{self.name(group)}{slash}{version}"

    def request(self, old: str) -> str:
        """A request of a claim, or one of its alternatives: `gpu`, `gpu/large`. What the scheduler makes stays."""
        return old if _OWN_REQUEST.fullmatch(old) else "/".join(self.name(part) for part in old.split("/"))

    def identifier(self, old: str) -> str:
        """What tells one device from all others."""
        self._identifiers.add(old)
        return self.name(old)

    def with_identifiers(self, old: str) -> str:
        """A text in which what tells devices apart may stand: an expression that compares it, or a device's name."""
        return self.name(old) if old in self._identifiers else _QUOTED.sub(lambda found: self._quoted(found[0]), old)

    def _quoted(self, old: str) -> str:
        return f"{old[0]}{self.name(old[1:-1])}{old[-1]}" if old[1:-1] in self._identifiers else old

    def resource(self, old: str) -> str:
        """A resource, or the key of a quota, whose name that of a device class or a storage class may be part of."""
        before, requests, asked = old.rpartition(_REQUESTS)
        if before == "" and asked.startswith(DEVICE_CLASS_PREFIX):
            return requests + DEVICE_CLASS_PREFIX + self.name(asked.removeprefix(DEVICE_CLASS_PREFIX))
        match = _OF_CLASS.fullmatch(old)
        return f"{self.name(match['class'])}{match['rest']}" if match else old

    def choose(self, objects: Sequence[KubernetesObject]) -> None:
        """Give every name that was noted a new one."""
        cloud_zones = {zone for zone in self._zones if _CLOUD_ZONE.fullmatch(zone)}
        free = self._seen - KEPT_WORDS - cloud_zones - {obj.name for obj in objects if isinstance(obj, CSIDriver)}
        numbers = {old for old in free if parse_int64(old) is not None}
        kind_by_name = _kind_by_name(objects)
        self._new_by_old = _ranks(numbers) | _numbered(
            free - numbers, lambda old: kind_by_name.get(old) or ("uid" if _UUID.fullmatch(old) else "name")
        )
        for old in self._new_by_old:
            if old.startswith(_EBS_PREFIX):
                self._new_by_old[old] = f"{_EBS_PREFIX}{self._new_by_old[old]}"
        self._compose(objects)
        own = {key for key in self._keys - KEPT_WORDS if not is_public_key(key)}
        self._new_key_by_old = _numbered(own, lambda old: f"{own_part(old)}key")
        images = _numbered(self._images - KEPT_WORDS, lambda _: "image")
        self._new_image_by_old = {old: f"registry.example/{new}:redacted" for old, new in images.items()}

    def _compose(self, objects: Sequence[KubernetesObject]) -> None:
        """Put names that a controller puts together together again from the new names of their parts."""
        parts = (old.rpartition("-") for old in self._seen)
        numbers_by_start = grouped((start, number) for start, _, number in parts if start and number.isdecimal())
        for obj in objects:
            if isinstance(obj, StatefulSet):
                for old, new in self._starts(obj).items():
                    for number in numbers_by_start.get(old, ()):
                        self._new_by_old[f"{old}-{number}"] = f"{new}-{number}"
        for obj in objects:
            for volume in (obj.spec.volumes or ()) if isinstance(obj, Pod) else ():
                if volume.ephemeral is not None:
                    claim = f"{obj.name}-{volume.name}"
                    self._new_by_old[claim] = f"{self.name(obj.name)}-{self.name(volume.name or '')}"

    def _starts(self, stateful_set: StatefulSet) -> dict[str, str]:
        """What the names of its pods and of their claims begin with, old and new."""
        own = self.name(stateful_set.name)
        claims = [template.metadata.name or "" for template in stateful_set.spec.volume_claim_templates or ()]
        of_claims = {f"{claim}-{stateful_set.name}": f"{self.name(claim)}-{own}" for claim in claims}
        return {stateful_set.name: own, **of_claims}


def _kind_by_name(objects: Iterable[KubernetesObject]) -> dict[str, str]:
    """What the new name of an object begins with; where several kinds have a name, the preferred one's."""
    kinds = ((each.name, _KINDS.get(type(each).__name__)) for each in objects if each.name)
    return {name: min(own, key=_PREFERENCE.index) for name, own in grouped((n, k) for n, k in kinds if k).items()}


#: What names begin with from then on; of a name that several kinds have, the first kind counts.
_KINDS = {kind: name for name, kinds in sections("new-names").items() for kind in kinds}
_PREFERENCE = tuple(dict.fromkeys(_KINDS.values()))


def _numbered(olds: Iterable[str], kind_of: Callable[[str], str]) -> dict[str, str]:
    """New names in the order of the old ones, which is kept within a kind."""
    ordered = sorted(olds)
    width = {kind: len(str(count)) for kind, count in Counter(map(kind_of, ordered)).items()}
    counts: Counter[str] = Counter()
    new_by_old = {}
    for old in ordered:
        kind = kind_of(old)
        counts[kind] += 1
        new_by_old[old] = f"{kind}-{counts[kind]:0{width[kind]}}"
    return new_by_old


def _ranks(olds: Iterable[str]) -> dict[str, str]:
    """Whole numbers as their rank among all; one that is written oddly stays so."""
    matches = {old: match for old in olds if (match := _WHOLE.fullmatch(old))}
    rank_by_number = {number: rank for rank, number in enumerate(sorted({int(old) for old in matches}))}
    return {old: f"{match['before'].replace('-', '')}{rank_by_number[int(old)]}" for old, match in matches.items()}
