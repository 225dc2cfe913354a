"""Where bytes come from: files, directories, standard input, and everything that can be wrong with them."""

import os
import stat
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import BytesIO
from typing import BinaryIO

from kexplain.errors import InputError, fault_of
from kexplain.parameters import parameter
from kexplain.words import plural

#: YAML is read up to this size, and up to so many values (see `builder`). JSON costs a fiftieth of that.
YAML_LIMIT = 128 << 20
#: JSON is held in memory up to this size, that of files up to the next where so much memory is free. Mapping them would
#: take less, but whoever cuts a file off meanwhile would end the process.
JSON_LIMIT = 2 << 30
_LARGEST = 32 << 30
#: What gzip has packed is unpacked up to this size: few bytes can become many.
UNPACKED_LIMIT = 1 << 30
#: Input from a pipe is kept up to this size, so that faults found later still get a line and a column.
_KEEP_LIMIT = 32 << 20

BOM = b"\xef\xbb\xbf"
_PEEK = 1 << 16
_PEEK_WIDE = 256
_CHUNK = 1 << 20
#: What files are called that a directory is read for.
SUFFIXES = (".yaml", ".yml", ".json")
#: Within the names that sosreport gives to what commands print: the command, as in `kubectl_get_-o_json_nodes`.
_PRINTED = ("_-o_json", "_-o_yaml")
#: What archives are called.
ARCHIVES = (".tar.gz", ".tgz", ".tar", ".zip")
#: What standard input is called.
STDIN = "<stdin>"
#: What a kustomization is called.
KUSTOMIZATIONS = ("kustomization.yaml", "kustomization.yml", "Kustomization")
GZIP = b"\x1f\x8b"
_PIPES = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")


#: A text as it was read; never changed.
Text = bytes | bytearray


class Source:
    """One input: read to be decoded, forgotten, and read again only if something in it must be placed."""

    def __init__(self, name: str, path: str | None, stream: BinaryIO | None = None) -> None:
        # File names are bytes; messages about them are text.
        self.name = name.encode(errors="surrogateescape").decode(errors="backslashreplace")
        self._path = path
        self._stream = stream
        self._text: Text | None = None

    @property
    def path(self) -> str | None:
        """The path of a file; None for a stream."""
        return self._path

    @property
    def size(self) -> int:
        """How many bytes a file has; 0 where that is not known, or there is none."""
        with suppress(OSError, ValueError):
            return os.stat(self._path).st_size if self._path else 0
        return 0

    def read(self, *, unpacks: bool = True) -> Text:
        """The bytes of the input, without a byte order mark.

        Raises InputError where they cannot be had, are too many, or are no text.
        """
        try:
            text = self._read_pipe(self._stream) if self._path is None else self._read_path(self._path)
            self._text = self._unpacked(text) if unpacks and text.startswith(GZIP) else text
        except (ValueError, zlib.error) as error:
            raise self.error(str(error)) from None
        except OSError as error:
            raise self.error(_reason(error, self._path)) from None
        return self._text

    def read_again(self) -> Text | None:
        """The same bytes a second time, kept from then on, or None where they are gone."""
        if self._text is None and not self._is_gone():
            with suppress(InputError):
                return self.read()
        return self._text

    def forget(self) -> None:
        """Let go of the bytes, unless they are few and cannot be read again."""
        if self._text is not None and (not self._is_gone() or len(self._text) > _KEEP_LIMIT):
            self._text = None

    def _is_gone(self) -> bool:
        return self._path is None or _is_pipe(self._path)

    def error(self, message: str) -> InputError:
        """An InputError about the input as a whole."""
        return fault_of(self.name, message)

    def _read_path(self, path: str) -> Text:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode) and not (stat.S_ISFIFO(mode) and _is_pipe(path)):
            raise self.error(_not_a_file(mode))
        with open(path, "rb", buffering=0) as file:
            if not stat.S_ISREG(mode):
                return self._read_pipe(file)
            head = file.read(_PEEK)
            file.seek(0)
            size = os.fstat(file.fileno()).st_size
            self._check(head, size, JSON_LIMIT if size <= JSON_LIMIT else min(_LARGEST, _free_memory()))
            text = file.readall()
        return text.removeprefix(BOM) if head.startswith(BOM) else text

    def _read_pipe(self, stream: BinaryIO | None) -> Text:
        if stream is None:
            raise self.error("standard input can be read only once")
        self._stream = None
        text = bytearray()
        while chunk := stream.read(_CHUNK):
            text += chunk
            self._check(text[:_PEEK], len(text))
        if text.startswith(BOM):
            del text[: len(BOM)]
        return text

    def _unpacked(self, packed: Text) -> Text:
        """What a file holds that gzip has written, such as a snapshot; of several in a row, one after the other."""
        from gzip import BadGzipFile, GzipFile  # noqa: PLC0415 - few files are compressed

        text = bytearray()
        try:
            with GzipFile(fileobj=BytesIO(packed)) as file:
                while chunk := file.read(_CHUNK):
                    text += chunk
                    self._check(text[:_PEEK], len(text))
                    if len(text) > UNPACKED_LIMIT:
                        raise self.error(f"more than {UNPACKED_LIMIT >> 20} MiB, unpacked")
        except EOFError:
            raise self.error("it was cut off") from None
        except (BadGzipFile, zlib.error) as error:
            raise self.error(f"it is damaged, or something follows what gzip has written: {error}") from None
        return text

    def _check(self, head: Text, size: int, json_limit: int = JSON_LIMIT) -> None:
        """Raise InputError for what need not be read to the end to be refused."""
        encoding = _foreign_encoding(head)
        if encoding:
            raise self.error(encoding)
        json = is_json(head) or head.startswith(GZIP)
        limit = json_limit if json else YAML_LIMIT
        if size > limit:
            what, advice = (
                ("JSON", "split it") if json else ("YAML", "large dumps are read as JSON: kubectl get … -o json")
            )
            raise self.error(f"more than {limit >> 20} MiB of {what}; {advice}")


def _free_memory() -> int:
    """How many bytes are free; where nothing says so, as many as anybody needs."""
    with suppress(AttributeError, OSError, ValueError):
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return _LARGEST


def leads_out(path: str, directory: str) -> bool:
    """Whether a name is a link out of a directory, and out of the working directory if that is above it.

    Whoever writes manifests must not make reports repeat other files of the machine that reads them.
    """
    if not os.path.islink(path):
        return False
    real, root, here = os.path.realpath(path), os.path.realpath(directory), os.path.realpath(os.curdir)
    return not (_is_below(real, root) or (here != os.sep and _is_below(root, here) and _is_below(real, here)))


def _is_below(path: str, directory: str) -> bool:
    return os.path.commonpath((path, directory)) == directory


def is_json(text: Text) -> bool:
    """Whether kubectl would try a text as JSON first: its first character is an opening brace."""
    return text[:_PEEK].removeprefix(BOM).lstrip()[:1] == b"{"


def sources(paths: Sequence[str], *, recursive: bool, stdin: BinaryIO | None) -> Iterator[Source | InputError]:
    """The inputs that paths name, in order, each directory's files by name.

    An InputError takes the place of what cannot be listed, so that the faults of the others are found too.
    """
    for path in paths:
        if path == "-":
            yield Source(STDIN, None, stdin)
            stdin = None
        elif os.path.isdir(path):
            yield from _directory(path, recursive=recursive)
        elif path.endswith(ARCHIVES) and os.path.isfile(path):
            # Few inputs are packed.
            from kexplain.load.text.archives import members  # noqa: PLC0415

            for found in members(path, _is_meant, UNPACKED_LIMIT):
                yield found if isinstance(found, InputError) else Source(found[0], None, BytesIO(found[1]))
        else:
            yield Source(path, path)


#: What is said of a directory in which there is nothing to read.
EMPTY_DIRECTORY = "no .yaml, .yml or .json file in this directory"


def _directory(path: str, *, recursive: bool) -> Iterator[Source | InputError]:
    found = False
    for source in _files(path, recursive=recursive):
        found = True
        yield source
    if not found:
        hint = "" if recursive else f"; use {parameter('recursive')} to read its subdirectories"
        yield fault_of(path, f"{EMPTY_DIRECTORY}{hint}")


def unread(path: str) -> set[str]:
    """The files in subdirectories of a directory, which only reading recursively reads; none of a file."""
    if not os.path.isdir(path):
        return set()
    every, shallow = (
        {each.name for each in _files(path, recursive=deep) if isinstance(each, Source)} for deep in (True, False)
    )
    return every - shallow


def unread_note(path: str, count: int) -> str:
    """That so many files in subdirectories of a directory are not read."""
    return f"{plural(count, 'file')} in subdirectories of {path} not read; {parameter('recursive')} reads them"


def _files(path: str, *, recursive: bool) -> Iterator[Source | InputError]:
    # Not by recursion: directories may be nested more deeply than calls.
    left: list[str | os.DirEntry[str]] = [path]
    while left:
        entry = left.pop()
        if entry is not path and not os.path.isdir(entry):
            if _is_meant(entry.name):  # type: ignore[union-attr] # all but the first are entries
                yield _within(os.fspath(entry), path)
        elif entry is path or (recursive and not entry.is_symlink()):  # type: ignore[union-attr] # as above
            # Like kubectl, links to directories are not followed: they may lead back up.
            try:
                left += _listed(entry)
            except OSError as error:
                yield fault_of(os.fspath(entry), _reason(error, os.fspath(entry)))


def _is_meant(name: str) -> bool:
    return name.endswith(SUFFIXES) or any(command in name for command in _PRINTED)


def _listed(directory: str | os.DirEntry[str]) -> list[os.DirEntry[str]]:
    """The entries that are not hidden, the last by name first."""
    with os.scandir(directory) as entries:
        shown = (entry for entry in entries if entry.name[0] != ".")
        return sorted(shown, key=lambda entry: entry.name, reverse=True)


def _within(path: str, directory: str) -> Source | InputError:
    if leads_out(path, directory):
        target = os.path.realpath(path)
        return fault_of(path, f"a link out of {directory}, to {target}: it is read only where it is named")
    return Source(path, path)


def _is_pipe(path: str) -> bool:
    """Whether a name is a pipe of this process, as `<(command)` makes one in a shell."""
    return path.startswith(_PIPES)


def _not_a_file(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a directory, not a file"
    if stat.S_ISFIFO(mode):
        return "a named pipe, not a file; read it through standard input: -"
    return "a socket, not a file" if stat.S_ISSOCK(mode) else "a device, not a file"


def _reason(error: OSError, path: str | None) -> str:
    if isinstance(error, FileNotFoundError):
        if path is not None and os.path.islink(path):
            return f"a symbolic link to {os.readlink(path)}, which does not exist"
        return "no such file or directory"
    return (error.strerror or str(error)).lower()


def _foreign_encoding(head: Text) -> str | None:
    """What is wrong with bytes that are no UTF-8 text at all; None if they may be."""
    if head.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")) or _are_wide(head, 4):
        return "the text is UTF-32; save it as UTF-8"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or _are_wide(head, 2):
        return "the text is UTF-16; save it as UTF-8"
    if head.startswith((b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"PK\x03\x04")):
        return "the file is compressed; unpack it first"
    if head[257:262] == b"ustar":
        return f"this is an archive; unpack it, and read the directory with {parameter('recursive')}"
    return None


def _are_wide(head: Text, width: int) -> bool:
    """Whether characters take so many bytes each: of mostly ASCII text, all but the first or the last are zero."""
    places = [head[place:_PEEK_WIDE:width] for place in range(width)]
    zeros = [2 * place.count(0) > len(place) for place in places]
    wide = [True] * (width - 1)
    return (zeros == [False, *wide] and 0 not in places[0]) or (zeros == [*wide, False] and 0 not in places[-1])
