"""Changes after which objects can still be read: values of the right type, from other objects or at their bounds."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.fuzzing.places import Place, Pools, Schema, absent, copied, places, resolved

_QUANTITIES = (
    *("0", "1", "-1", "1m", "1n", "0.1m", "100m", "999m", "1.5", "2", "64", "1000", "1k", "1Ki", "1Gi", "1.5Gi", "8Ei"),
    *("9223372036854775807", "9223372036854775808", "-9223372036854775808", "1E", "1e18", "1e-9", "12e6", "1e400"),
    *("0.000000001", "+5", "110", 0, 1, 3, 2.5, 10**18),
)
_TIMES = ("2026-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-11-22T10:00:00+14:00", "")
_WHOLE = (0, 1, 2, 3, -1, 7, 10, 100, 1000, 65535, 2**31 - 1, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63))
_WORDS = (
    *("", "x", "a", "web", "default", "kube-system", "zone-a", "*", "0", "true", "null", "a" * 63, "a" * 253),
    *("a.b.c/d", "kubernetes.io/hostname", "topology.kubernetes.io/zone", "node-role.kubernetes.io/control-plane"),
    *("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Equal", "NoSchedule", "NoExecute", "PreferNoSchedule"),
    *("DoNotSchedule", "ScheduleAnyway", "Honor", "Ignore", "Never", "Always", "OnFailure", "Pending", "Running"),
    *("Succeeded", "Failed", "Immediate", "WaitForFirstConsumer", "ReadWriteOncePod", "ReadWriteMany", "Parallel"),
    *("OrderedReady", "Recreate", "RollingUpdate", "OnDelete", "Guaranteed", "25%", "100%", "0%", "1000%", "-1", "1"),
    *("IfHealthyBudget", "AlwaysAllow", "Unknown", "False", "True", "ExactCount", "All", "DenyAll", "AllowAll"),
    *("[b]x[/b]", "$(touch x)", "`x`", "a\nb", "\x1b[31m", "\u202e", "😀", "::error::x", "<script>", "@all", "%s{0}"),
)
_DEEPEST = 4
_MANY = (50, 300, 1000, 5000)
#: How often what has no kind or name any more is made all the same.
_PAST_USE = 0.1
#: Texts that are larger when written are not made larger.
_LARGEST_DOUBLED = 400


def splice(objects: list[Any], others: list[Any], pools: Pools, chance: Random) -> None:
    """Make some changes, most of them to single values; objects of other scenarios may join."""
    if others and chance.random() < 0.25:
        objects += copied(chance.sample(others, min(len(others), chance.choice((1, 1, 2, 5)))))
    known = [*places(objects)]
    for _ in range(chance.choice((1, 1, 2, 3, 5, 8)) if known else 0):
        place = chance.choice(known)
        if place.is_there and (_is_of_use(place) or chance.random() < _PAST_USE):
            _change(place, known, pools, chance)
    if chance.random() < 0.1 and objects:
        objects.append(copied(chance.choice(objects)))
        _rename(objects[-1], chance)
    if chance.random() < 0.02:
        _lengthen([*places(objects)], chance)


def _is_of_use(place: Place) -> bool:
    """Whether what holds the place is still an object of that kind and name when it has changed."""
    return place.key not in ("kind", "apiVersion", "name", "metadata")


def _change(place: Place, known: list[Place], pools: Pools, chance: Random) -> None:
    holder, key = place.holder, place.key
    what, value = chance.random(), place.value
    if what < 0.3 and isinstance(value, dict):
        _add(place, pools, chance)
    elif what < 0.5 and isinstance(value, list):
        _list_changed(value, place, pools, chance)
    elif what < 0.55:
        del holder[key]
    elif what < 0.65:
        same = [each.value for each in known if each.name == place.name and each.is_there]
        holder[key] = copied(chance.choice(same))
    elif what < 0.72:
        # Of any other field, as long as the types agree.
        alike = [each.value for each in known if each.is_there and type(each.value) is type(value)]
        holder[key] = copied(chance.choice(alike))
    elif what < 0.85 and (donated := pools.alike(place.name, value)):
        holder[key] = copied(chance.choice(donated))
    elif isinstance(value, (dict, list)):
        _add(place, pools, chance)
    else:
        holder[key] = _scalar(place.schema, value, pools, chance)


def _add(place: Place, pools: Pools, chance: Random) -> None:
    """A field or an entry that is not there yet."""
    value, schema = place.value, place.schema
    if isinstance(value, list):
        return _list_changed(value, place, pools, chance)
    if lacking := absent(value, schema):
        field = chance.choice(lacking)
        value[field] = made(schema["properties"][field], field, pools, chance)
    elif isinstance(inner := schema.get("additionalProperties"), dict):
        name = f"{place.key}{{}}"
        value[chance.choice((*value, *chance.sample(pools.keys, 3), *_WORDS))] = made(inner, name, pools, chance)
    elif donated := pools.alike(place.name, value):
        donor = chance.choice(donated)
        value |= copied({key: donor[key] for key in chance.sample([*donor], min(len(donor), 2))})
    return None


def _list_changed(value: list[Any], place: Place, pools: Pools, chance: Random) -> None:
    what = chance.random()
    if what < 0.2:
        chance.shuffle(value)
    elif what < 0.3:
        value.clear()
    elif what < 0.5 and value:
        value.append(copied(chance.choice(value)))
    elif isinstance(items := place.schema.get("items"), dict):
        value.append(made(items, f"{place.key}[]", pools, chance))
    elif donated := pools.all(f"{place.key}[]"):
        value.append(copied(chance.choice(donated)))


def made(schema: Schema, name: str, pools: Pools, chance: Random, depth: int = 0) -> Any:
    """A value that the schema allows: one of a scenario, or one that is made up field by field."""
    definition, schema = resolved(schema)
    donated = pools.all(definition or name)
    if donated and chance.random() < 0.6:
        return copied(chance.choice(donated))
    kind = schema.get("type")
    if kind == "object" or "properties" in schema:
        return _object(schema, name, pools, chance, depth)
    if kind == "array":
        count = chance.choice((0, 1, 1, 2, 3)) if depth < _DEEPEST else 0
        return [made(schema.get("items", {}), f"{name}[]", pools, chance, depth + 1) for _ in range(count)]
    return _scalar(schema, None, pools, chance)


def _object(schema: Schema, name: str, pools: Pools, chance: Random, depth: int) -> dict[str, Any]:
    fields = schema.get("properties")
    if fields:
        most = min(len(fields), 4) if depth < _DEEPEST else 0
        chosen = chance.sample([*fields], chance.randint(0, most))
        return {field: made(fields[field], field, pools, chance, depth + 1) for field in chosen}
    inner = schema.get("additionalProperties")
    keys = chance.sample(pools.keys, chance.choice((0, 1, 2)))
    return {
        key: made(inner if isinstance(inner, dict) else {}, f"{name}{{}}", pools, chance, depth + 1) for key in keys
    }


def _scalar(schema: Schema, value: Any, pools: Pools, chance: Random) -> Any:
    if schema.get("format") == "quantity":
        return chance.choice(_QUANTITIES)
    if schema.get("format") in ("date-time", "micro-time"):
        return chance.choice(_TIMES)
    kind = schema.get("type")
    if kind == "boolean" or isinstance(value, bool):
        return chance.random() < 0.5
    if kind in ("integer", "number") or isinstance(value, (int, float)):
        least, most = schema.get("minimum", -(2**63)), schema.get("maximum", 2**63 - 1)
        return min(max(chance.choice(_WHOLE), least), most)
    if "anyOf" in schema:
        return chance.choice((*_WHOLE[:8], "25%", "100%", "http"))
    if not value and chance.random() < 0.3:
        return chance.choice(pools.keys)
    return chance.choice(_WORDS)


def _rename(obj: Any, chance: Random) -> None:
    if isinstance(obj, dict) and isinstance(metadata := obj.get("metadata"), dict):
        metadata["name"] = f"{metadata.get('name', 'x')}-{chance.randrange(9)}"
        metadata.pop("uid", None)


def _lengthen(known: list[Place], chance: Random) -> None:
    """One list or map gets very long, with entries that differ where they have something to differ in."""
    long = [each.value for each in known if isinstance(each.value, (list, dict)) and len(each.value) > 0]
    if not long:
        return
    value, count = chance.choice(long), chance.choice(_MANY)
    if len(str(value)) > _LARGEST_DOUBLED:
        count = 50
    if isinstance(value, dict):
        key, inner = chance.choice([*value.items()])
        value |= {f"{key}-{number}": copied(inner) for number in range(count)}
        return
    model = chance.choice(value)
    value += [_numbered(model, number) for number in range(count)]


def _numbered(value: Any, number: int) -> Any:
    if isinstance(value, dict):
        return {key: _numbered(inner, number) if key in _TELLING else copied(inner) for key, inner in value.items()}
    return f"{value}-{number}" if isinstance(value, str) else copied(value)


_TELLING = ("name", "key", "topologyKey", "metadata", "uid", "mountPath")
