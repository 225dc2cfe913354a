"""ConfigMaps and Secrets that a kustomization makes.

Source: kustomize `api/internal/generators`. Their names have no hash behind them.
"""

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from kexplain.load.kustomize.nodes import Node
from kexplain.load.kustomize.resources import Resource, find, same

#: How long the lines are that text in base64 is broken into.
_LINE = 70
_KINDS = {"configMapGenerator": "ConfigMap", "secretGenerator": "Secret"}
#: Reads a file that a kustomization names, there where it is named; None if it is not there, which has been noted.
Read = Callable[[Node, str], bytes | None]
#: Hears of what kustomize refuses, and where that stands.
Refuse = Callable[[Node, str], None]


def generate(resources: list[Resource], settings: Node, read: Callable[..., bytes | None], refuse: Refuse) -> None:
    """Add what is generated, or change what is there, as each entry says; `read` is told what is of a secret, too."""
    for name, kind in _KINDS.items():
        for entry in settings.listed(name):
            contents = _unique(_contents(entry, partial(read, is_secret=kind == "Secret"), refuse), refuse)
            data = _data(contents, is_secret=kind == "Secret")
            known = _known(resources, entry, kind, refuse)
            if known is not None:
                made = Node.all_of(_object(kind, entry, settings, data), entry.origin)
                for field in ("labels", "annotations"):
                    for key, value in (made.get("metadata", field) or Node({}, entry.origin)).fields.items():
                        known.node.put(("metadata", field, key), value)
                for field in data:
                    before = known.node.get(field)
                    kept = before.fields if before and entry.text("behavior") == "merge" else {}
                    known.node.put((field,), Node({**kept, **made.fields[field].fields}, entry.origin))
            else:
                resources.append(Resource(Node.all_of(_object(kind, entry, settings, data), entry.origin)))


def _known(resources: list[Resource], entry: Node, kind: str, refuse: Refuse) -> Resource | None:
    """What an entry changes; None if it makes something new."""
    name, behavior = entry.text("name"), entry.text("behavior")
    known = same(resources, "v1", kind, name, entry.text("namespace"))
    if not name:
        refuse(entry, f"a {kind} that is generated needs a name")
    elif behavior not in ("merge", "replace") and known is not None:
        refuse(entry, f"{kind} {name} is there already, so that its behavior has to be merge or replace")
    elif behavior in ("merge", "replace") and known is None:
        other = find(resources, kind, name)
        where = f", only one in namespace {other.namespace}" if other and other.namespace else ""
        refuse(entry, f"there is no {kind} {name} to {behavior}{where}")
    return known


def _unique(pairs: Iterable[tuple[Node, str, bytes]], refuse: Refuse) -> dict[str, bytes]:
    contents: dict[str, bytes] = {}
    for node, key, content in pairs:
        if key in contents:
            refuse(node, f"the key {key} is there twice")
        contents[key] = content
    return contents


def _object(kind: str, entry: Node, settings: Node, data: dict[str, dict[str, str]]) -> dict[str, object]:
    metadata: dict[str, object] = {"name": entry.text("name")}
    if entry.text("namespace"):
        metadata["namespace"] = entry.text("namespace")
    for field in ("labels", "annotations"):
        options = [settings.get("generatorOptions", field), entry.get("options", field)]
        pairs = {key: each.plain() for node in options if node is not None for key, each in node.fields.items()}
        metadata |= {field: pairs} if pairs else {}
    made: dict[str, object] = {"apiVersion": "v1", "kind": kind, "metadata": metadata, **data}
    return made | ({"type": entry.text("type") or "Opaque"} if kind == "Secret" else {})


def _data(contents: dict[str, bytes], *, is_secret: bool) -> dict[str, dict[str, str]]:
    """The contents as `data`, and as `binaryData` what is no text and no secret."""
    if is_secret:
        return {"data": {key: _encoded(content) for key, content in contents.items()}}
    binary = {key: _encoded(content) for key, content in contents.items() if not _is_text(content)}
    data = {key: content.decode() for key, content in contents.items() if key not in binary}
    return ({"data": data} if data else {}) | ({"binaryData": binary} if binary else {})


def _encoded(content: bytes) -> str:
    """In base64; in lines, each with its end, where that is long."""
    text = b64encode(content).decode()
    if len(text) < _LINE:
        return text
    return "".join(f"{text[start : start + _LINE]}\n" for start in range(0, len(text), _LINE))


def _is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _contents(entry: Node, read: Read, refuse: Refuse) -> Iterator[tuple[Node, str, bytes]]:
    """Keys with where they stand and what they hold; files that are not there are left out."""
    yield from _literals(entry, refuse)
    yield from _of_files(entry, read, refuse)
    single = entry.get("env")
    for node in [*entry.listed("envs"), *([single] if single and single.held else [])]:
        for line in (read(node, str(node.held)) or b"").decode(errors="replace").splitlines():
            # Without a value it would be taken from the environment, which is not the author's here.
            key, _, value = line.partition("=")
            if key.strip() and not line.lstrip().startswith("#"):
                yield node, key.strip(), value.encode()


def _literals(entry: Node, refuse: Refuse) -> Iterator[tuple[Node, str, bytes]]:
    for node in entry.listed("literals"):
        key, is_pair, value = str(node.held).partition("=")
        if not key or not is_pair:
            refuse(node, f'"{node.held}" is not key=value')
        is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
        yield node, key, (value[1:-1] if is_quoted else value).encode()


def _of_files(entry: Node, read: Read, refuse: Refuse) -> Iterator[tuple[Node, str, bytes]]:
    for node in entry.listed("files"):
        key, has_key, path = str(node.held).rpartition("=")
        if "=" in key or (has_key and not (key and path)):
            refuse(node, f'"{node.held}" is neither a file nor key=file')
        elif (content := read(node, path)) is not None:
            yield node, key if has_key else path.rpartition("/")[2], content
