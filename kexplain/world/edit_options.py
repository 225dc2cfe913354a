"""The edits that a user can ask for, each of what is written after its option."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO

import msgspec
from msgspec.structs import replace

from kexplain.admission import declared_replicas
from kexplain.bounds import MAX_COPIES
from kexplain.case.field_checks import check_fields
from kexplain.case.node_names import whole_name
from kexplain.case.references import Reference, Scope, kind_of, no_such
from kexplain.errors import UsageError
from kexplain.framework.features import DEFAULT_RELEASE
from kexplain.load import Loaded, check_quantities, load
from kexplain.load.json_patch import pointer
from kexplain.load.text.source import STDIN, Source
from kexplain.load.text.yaml import parse
from kexplain.load.text.yaml_builder import YamlError
from kexplain.objects.autoscaling import HorizontalPodAutoscaler
from kexplain.objects.changes import JSON_PATCH, PATCH, Change, Target
from kexplain.objects.core import Node, Taint
from kexplain.objects.custom_workloads import CustomWorkload
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.node_pools import created, next_of_pool, pools
from kexplain.objects.node_service import Trouble, out_of_service, trouble_of_taint
from kexplain.objects.pod_selection import asked, parse_label_selector
from kexplain.objects.problem import path_steps, path_text
from kexplain.patterns import regex
from kexplain.scheduler.draining import cordoned, uncordoned
from kexplain.words import did_you_mean, joined, some
from kexplain.world.changes import changes_of, patched, plain
from kexplain.world.edited_cluster import Edit, EditedCluster
from kexplain.world.members import Scaled
from kexplain.world.resizing import resizing
from kexplain.world.right_sizing import right_sizing

_ADDED = regex(r"(?:(?P<count>\d+)=)?(?P<source>.+)")
_TAINT = regex(r"(?P<key>[^=:]+?)(?:=(?P<value>[^:]*))?(?::(?P<effect>\w+))?(?P<minus>-)?")
_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
#: An int32 holds so many, as upstream's field does.
_MOST_REPLICAS = (1 << 31) - 1
#: Longer numbers are too large for certain.
_DIGITS = 12
#: A pod is one, and a CronJob leaves the number to its jobs.
_NOT_SCALED = ("CronJob", "Pod")
#: A key as other tools write it, in quotes.
_QUOTED_KEY = regex(r"""\[["']([^\]"']*)["']\]""")
_REPLICAS = regex(r"(?P<reference>[^=]+)=(?P<count>\d+)")


def edit_of(
    option: str,
    value: str,
    stdin: BinaryIO | None = None,
    *,
    release: str = DEFAULT_RELEASE,
    within: str = "",
    recursive: bool = False,
) -> Edit:
    """The edit that an option with its value asks for; manifests are applied to an API server of the release.

    Pods that are selected are `within` a namespace, or in any if none is given. Raises UsageError, InputError on a file
    that cannot be read, or that the API server refuses.
    """
    if option == "apply":
        return _applying(load([value], stdin=stdin, recursive=recursive), release)
    if option == "delete_pods":
        return _deleting_pods(value, within)
    if option == "changes":
        return _changing(value, stdin)
    if option == "resize":
        return resizing(value, release)
    if option == "requests":
        return right_sizing(Source(STDIN, None, stdin) if value == "-" else Source(value, value))
    if option not in _EDITS:
        instead = did_you_mean(option, _EDITS) or f"there are {joined([*_EDITS])}"
        raise UsageError(f"there is no change {option!r}", instead)
    return _EDITS[option](value)


# ------------------------------------------------------------------------------------------------------- nodes


def _adding_nodes(value: str) -> Edit:
    match = _ADDED.fullmatch(value)
    count, source = (_number(match["count"] or "1", "nodes"), match["source"]) if match else (1, value)
    kind, _, name = source.partition(":")

    def edit(edited: EditedCluster) -> None:
        if kind == "like":
            models = [_node(edited, name)]
            edited.notes += _also_ailing(models[0])
        elif kind == "pool":
            by_pool = pools(edited.nodes)
            if name not in by_pool:
                hint = did_you_mean(name, by_pool) or f"there are {joined(list(by_pool))}"
                raise UsageError(f"there is no pool {name}", hint)
            models = next_of_pool(by_pool[name], count)
            edited.notes += _also_ailing(max(by_pool[name], key=created))
        else:
            models = _nodes_of_file(source)
        edited.add_like(models, count)

    return edit


def _also_ailing(model: Node) -> Iterator[str]:
    """What may be wrong with a new node, too, as it is with the newest of its kind."""
    service = out_of_service(model)
    if service is not None and service.troubles[0] is not Trouble.CORDONED:
        trouble = f"node {model.name} is {service.troubles[0]}"
        yield f"{trouble}: a new node like it may be, too, and start no pods until that is mended"


def _nodes_of_file(path: str) -> list[Node]:
    loaded = load([path])
    found = [obj for obj in loaded.objects if isinstance(obj, Node)]
    check_quantities(loaded, found)
    if not found:
        raise UsageError(f"{path}: there is no Node in it", "use like:NODE, pool:NAME or a file with a Node")
    return found


def _node(edited: EditedCluster, name: str) -> Node:
    node_by_name = {node.name: node for node in edited.nodes}
    return node_by_name[whole_name(name, node_by_name)]


def _changing_node(name: str, change: Callable[[Node], Node]) -> Edit:
    def edit(edited: EditedCluster) -> None:
        node = _node(edited, name)
        edited.replace(node, change(node))

    return edit


def _parts(value: str, what: str, form: str) -> tuple[str, str]:
    """The two words of a value: what is changed, and how. Raises UsageError if one is missing."""
    name, _, text = value.partition(" ")
    if not text:
        missing = "names nothing to change" if set(name) & set("=:") else f"says no {what}"
        raise UsageError(f'"{value}" {missing}', f"write {form}")
    return name, text


def _tainting(value: str) -> Edit:
    name, text = _parts(value, "taint", "NODE KEY=VALUE:EFFECT, or NODE KEY- to take a taint off")
    match = _TAINT.fullmatch(text)
    if match is None or not (match["minus"] or match["effect"] in _EFFECTS):
        hint = f"write KEY=VALUE:EFFECT, with {joined(_EFFECTS, 'or')} as EFFECT, or KEY- to take it off"
        raise UsageError(f'"{text}" is not a taint', hint)
    key, effect = match["key"], match["effect"]

    def change(node: Node) -> Node:
        others = tuple(each for each in node.spec.taints or () if each.key != key or (effect and each.effect != effect))
        if match["minus"] and others == (node.spec.taints or ()):
            has = [f"{taint.key}:{taint.effect}" if effect else taint.key for taint in others]
            raise _nothing_to_take_off(node, "taint", text.removesuffix("-"), has)
        added = () if match["minus"] else (Taint(key=key, value=match["value"] or None, effect=effect),)
        return replace(node, spec=replace(node.spec, taints=(*others, *added) or None))

    def edit(edited: EditedCluster) -> None:
        _changing_node(name, change)(edited)
        edited.notes += _put_back(_node(edited, name), key) if match["minus"] else ()

    return edit


def _put_back(node: Node, key: str) -> Iterator[str]:
    """What is to be known of a taint that was taken off by hand, where it says how the node is."""
    trouble, service = trouble_of_taint(key), out_of_service(node)
    if service is not None and trouble in service.troubles:
        yield f"taint {key} comes back, as node {node.name} is still {trouble}"
    elif trouble is Trouble.STARTING:
        yield f"taint {key} stands for something that node {node.name} lacks: pods that land there may not start"


def _nothing_to_take_off(node: Node, what: str, name: str, there: Sequence[str]) -> UsageError:
    near = did_you_mean(name, there) or (f"it has {some(list(there))}" if there else None)
    return UsageError(f"node {node.name} has no {what} {name}", near)


def _labelling(value: str) -> Edit:
    name, text = _parts(value, "label", "NODE KEY=VALUE, or NODE KEY- to take a label off")
    key, is_set, wanted = text.partition("=")
    if not is_set and not text.endswith("-"):
        raise UsageError(f'"{text}" is not a label', "write KEY=VALUE, or KEY- to take it off")

    def change(node: Node) -> Node:
        labels = {k: v for k, v in node.labels.items() if k != key.removesuffix("-")}
        if not is_set and len(labels) == len(node.labels):
            raise _nothing_to_take_off(node, "label", key.removesuffix("-"), [*node.labels])
        if is_set:
            labels[key] = wanted
        return replace(node, metadata=replace(node.metadata, labels=labels))

    return _changing_node(name, change)


# --------------------------------------------------------------------------------------------- workloads, pods


def _scaling(value: str) -> Edit:
    match = _REPLICAS.fullmatch(value)
    if match is None:
        raise UsageError(f'"{value}" does not say how many', "write KIND/NAME=N, such as deploy/web=40")
    target, count = _target(match["reference"]), _number(match["count"], "pods", _MOST_REPLICAS)

    def edit(edited: EditedCluster) -> None:
        found = [obj for obj in edited.of(KubernetesObject) if obj.kind == target.kind and obj.name == target.name]
        if found and (declared_replicas(found[0]) is None or target.kind in _NOT_SCALED):
            raise UsageError(f"{target} has no number of replicas that can be set")
        if found:
            obj: Any = edited.target(target)
            field = "parallelism" if target.kind == "Job" else "replicas"
            edited.replace(obj, replace(obj, spec=replace(obj.spec, **{field: count})))
            scalers = (each for each in edited.of(HorizontalPodAutoscaler) if each.scales(obj))
            edited.notes += _undoing(scalers, target, count)
            return
        pods = edited.pods_of_name(target.kind, target.name)
        if not pods:
            names = [*edited.owner_chains.names(target.kind)]
            raise no_such(Reference(target.kind, target.name), names, Scope(edited.namespace), is_complete=False)
        home = pods[0].namespace or edited.namespace
        edited.scaled.append(Scaled(target.kind, home, target.name, tuple(pods), count))

    return edit


def _undoing(scalers: Iterable[HorizontalPodAutoscaler], target: Target, count: int) -> Iterator[str]:
    for each in scalers:
        least, most = each.least, each.kept(count)
        if most != count:
            yield f"HorizontalPodAutoscaler {each.name} scales {target} back to {most}"
        elif count:
            bounds = f"from {least} to {each.spec.max_replicas}"
            yield f"HorizontalPodAutoscaler {each.name} sets the replicas of {target}, {bounds}, and may undo this"


def _number(digits: str, what: str, most: int = MAX_COPIES) -> int:
    """How many are asked for. Raises UsageError where those are too many."""
    number = int(digits[-_DIGITS:])
    if number > most or digits[:-_DIGITS].strip("0"):
        raise UsageError(f"at most {most} {what} at a time")
    return number


def _deleting_pods(value: str, within: str) -> Edit:
    selector = asked(parse_label_selector, value)
    return lambda edited: edited.delete_pods(selector, value, within)


# ----------------------------------------------------------------------------------------------------- any object


def _applying(loaded: Loaded, release: str) -> Edit:
    check_fields(loaded, release)
    check_quantities(loaded)
    return applying(loaded.objects)


def applying(objects: Iterable[KubernetesObject]) -> Edit:
    """The edit that adds objects, or puts them in place of those of their kinds and names."""

    def edit(edited: EditedCluster) -> None:
        for obj in objects:
            edited.add(obj.in_namespace(edited.namespace))

    return edit


def _setting(value: str) -> Edit:
    reference, text = _parts(value, "field", "KIND/NAME PATH=VALUE, such as deploy/web spec.replicas=3")
    path, is_set, wanted = text.partition("=")
    if not is_set:
        raise UsageError(f'"{text}" sets nothing', "write PATH=VALUE, such as spec.replicas=3")
    try:
        found = parse(wanted.encode()).value
    except YamlError:
        found = wanted
    path, target = _QUOTED_KEY.sub(r"[\1]", path), _target(reference)

    def edit(edited: EditedCluster) -> None:
        old = edited.target(target)
        try:
            change, made = _set(target, old, path, found)
        except UsageError:
            # Words such as y and 1 mean a truth and a number in YAML, and themselves where a text is expected.
            change, made = _set(target, old, path, wanted)
        _check_fields(made, path)
        edited.apply(change)

    return edit


def _set(target: Target, old: KubernetesObject, path: str, value: Any) -> tuple[Change, KubernetesObject]:
    patch = _setting_patch(plain(old), path_steps(path), value)
    change = Change(target=target, verb=PATCH, patch_type=JSON_PATCH, patch=patch)
    return change, patched(old, change)


def _setting_patch(value: Any, steps: Sequence[str | int], wanted: Any) -> list[dict[str, Any]]:
    """A JSON Patch that sets a value: objects on the way that are missing are made, items of lists are replaced."""
    operations: list[dict[str, Any]] = []
    for place, step in enumerate(steps[:-1], start=1):
        if isinstance(value, Mapping) and step not in value:
            operations.append({"op": "add", "path": pointer(steps[:place]), "value": {}})
            value = {}
        elif isinstance(value, Mapping) or (isinstance(value, list) and isinstance(step, int) and step < len(value)):
            value = value[step]  # type: ignore[index]
        else:
            break
    is_item = isinstance(value, list) and isinstance(steps[-1], int) and steps[-1] < len(value)
    return [*operations, {"op": "replace" if is_item else "add", "path": pointer(steps), "value": wanted}]


def _check_fields(record: Any, path: str) -> None:
    """UsageError where a path leads to a field that the record does not have."""
    # Of a custom resource all fields are kept, whatever they mean.
    steps = () if isinstance(record, CustomWorkload) else path_steps(path)
    for place, step in enumerate(steps, start=1):
        if isinstance(record, msgspec.Struct):
            field_by_name = {field.encode_name: field.name for field in msgspec.structs.fields(record)}
            if step not in field_by_name:
                text = f"there is no field {path_text(steps[:place])} that scheduling depends on"
                raise UsageError(text, did_you_mean(str(step), field_by_name) or None)
            record = getattr(record, field_by_name[str(step)])
        elif isinstance(record, Sequence) and isinstance(step, int) and step < len(record):
            record = record[step]
        else:
            return


def _changing(value: str, stdin: BinaryIO | None) -> Edit:
    changes = changes_of(Source(STDIN, None, stdin) if value == "-" else Source(value, value))
    if not changes:
        raise UsageError(f"{value}: there are no changes in it")

    def edit(edited: EditedCluster) -> None:
        for change, _ in changes:
            edited.apply(change)
        edited.notes.append(f"changes of {value}: {some([f'{of}{each.verb} {each.target}' for each, of in changes])}")

    return edit


def _target(reference: str) -> Target:
    kind, slash, name = reference.partition("/")
    if not slash or not name:
        raise UsageError(f'"{reference}" names no object', "write KIND/NAME, such as deploy/web or node/n1")
    return Target(kind=kind_of(kind), name=name)


_EDITS: Mapping[str, Callable[[str], Edit]] = {
    "add_node": _adding_nodes,
    "remove_node": lambda name: lambda edited: edited.remove(_node(edited, name)),
    "cordon": lambda name: _changing_node(name, cordoned),
    "uncordon": lambda name: _changing_node(name, uncordoned),
    "taint": _tainting,
    "label": _labelling,
    "scale": _scaling,
    "set": _setting,
}
