"""Asking an API server: retries, and what its refusals mean. How bytes travel is left to a Transport."""

import re
from collections.abc import Mapping
from contextlib import suppress
from threading import Event
from typing import NamedTuple, Protocol

import msgspec
from msgspec import Struct

from kexplain.errors import ClusterError, KexplainError
from kexplain.parameters import parameter

#: How often a request is sent at most, and the pause after the first time, which doubles.
_ATTEMPTS = 5
_FIRST_PAUSE_SECONDS = 0.25
#: Nobody waits longer at a prompt, whatever the server asks for.
_LONGEST_PAUSE_SECONDS = 20
_MESSAGE_LIMIT = 300

#: What Go's HTTP server says in plain text to those who do not speak TLS.
_WANTS_TLS = b"Client sent an HTTP request to an HTTPS server"

_UNAUTHORIZED, _FORBIDDEN, _NOT_FOUND, _GONE, _TOO_MANY = 401, 403, 404, 410, 429


class Answer(NamedTuple):
    """What a server sent back, uncompressed; the names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class BrokenConnectionError(Exception):
    """A connection that broke before the answer was complete: worth another try."""


class Transport(Protocol):
    """Sends GET requests, and can send nothing else."""

    @property
    def address(self) -> str:
        """The server, for messages."""

    @property
    def identity(self) -> str:
        """Whose credentials are sent, and from where they come, for messages."""

    def get(self, path: str, query: Mapping[str, str]) -> Answer:
        """The answer to a GET request.

        Raises BrokenConnectionError if it is worth another try, ClusterError if it is not.
        """


class RefusedError(Exception):
    """An answer that is not a list, but that the caller handles: forbidden, not found, or expired."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message

    @property
    def is_forbidden(self) -> bool:
        """Whether it is there, but not for this user."""
        return self.status == _FORBIDDEN

    @property
    def is_expired(self) -> bool:
        """Whether it was there, but has been too long ago."""
        return self.status == _GONE


class _Status(msgspec.Struct):
    message: str = ""


_STATUS_DECODER = msgspec.json.Decoder(_Status)


class ApiClient(Struct, frozen=True):
    """An API server that is asked until it answers, or has shown that it will not."""

    transport: Transport
    #: Set to have pauses end early, with a ClusterError.
    stopped: Event = msgspec.field(default_factory=Event)

    def get(self, path: str, query: Mapping[str, str] | None = None) -> bytes:
        """The body of a successful answer.

        Raises RefusedError on 403, 404 and 410, ClusterError if there is no answer to be had.
        """
        pause = _FIRST_PAUSE_SECONDS
        for attempt in range(1, _ATTEMPTS + 1):
            is_last = attempt == _ATTEMPTS
            try:
                answer = self.transport.get(path, query or {})
            except BrokenConnectionError as error:
                if is_last:
                    raise self._error(f"the connection broke {_ATTEMPTS} times ({error})", _SEE_SERVER) from None
                self._wait(pause)
            else:
                if answer.status < 300:
                    return self._checked(answer, path)
                if is_last or not (answer.status == _TOO_MANY or answer.status >= 500):
                    raise self._refusal(answer, path)
                self._wait(self._pause_asked_for(answer, pause))
            pause *= 2
        raise AssertionError  # the last attempt has returned or raised

    def _wait(self, seconds: float) -> None:
        if self.stopped.wait(seconds):
            raise self._error("reading was stopped", "try again")

    def _pause_asked_for(self, answer: Answer, otherwise: float) -> float:
        text = answer.headers.get("retry-after", "")
        if not text.isdecimal():
            return otherwise
        seconds = int(text[:9])
        if seconds > _LONGEST_PAUSE_SECONDS:
            raise self._error(f"it is too busy and asks to wait {seconds} seconds", "try again later")
        return max(seconds, otherwise)

    def _checked(self, answer: Answer, path: str) -> bytes:
        if answer.body.lstrip()[:1] != b"{":
            raise self._error(f"{path} was not answered with JSON{_instead(answer)}", _see_proxy())
        return answer.body

    def _refusal(self, answer: Answer, path: str) -> Exception:
        message = _message(answer)
        if 300 <= answer.status < 400:
            to = answer.headers.get("location", "")
            return self._error(f"it redirects to {to[:_MESSAGE_LIMIT] or 'another place'}", _see_proxy())
        if _WANTS_TLS in answer.body[:200]:
            return self._error("it speaks HTTPS", f"have {parameter('server')} begin with https://")
        if answer.status == _UNAUTHORIZED:
            who = self.transport.identity
            return self._error(f"it does not accept the credentials of {who} (401{message})", _log_in())
        if answer.status in (_FORBIDDEN, _NOT_FOUND, _GONE) and not _is_web_page(answer):
            return RefusedError(answer.status, message)
        what = "too many requests" if answer.status == _TOO_MANY else "an error"
        return self._error(f"{path} was answered with {what} ({answer.status}{message})", _SEE_SERVER)

    def not_json(self, path: str, problem: str) -> ClusterError:
        """What to raise on an answer that began as JSON but is none."""
        return self._error(f"the answer to {path} is not what a Kubernetes API server sends: {problem}", _see_proxy())

    def _error(self, problem: str, advice: str) -> ClusterError:
        return ClusterError(f"{self.transport.address}: {problem}", advice)


def decoded(server: ApiClient, path: str) -> object:
    """What JSON a server has at a path; None where it has none that can be read."""
    with suppress(RefusedError, KexplainError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return msgspec.json.decode(server.get(path))
    return None


_SEE_SERVER = "check that the API server is healthy, then try again"


def _log_in() -> str:
    others = f"{parameter('context')}, {parameter('user')} or {parameter('token')}"
    return f"log in again, or choose other credentials with {others}"


def _see_proxy() -> str:
    return f"check that {parameter('server')} is an API server, and that no proxy is in between"


def _is_web_page(answer: Answer) -> bool:
    return answer.body.lstrip()[:1] == b"<"


def _message(answer: Answer) -> str:
    """What the server says for itself, after a colon; empty if it says nothing that can be read."""
    try:
        message = _STATUS_DECODER.decode(answer.body).message
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _instead(answer)
    message = " ".join(message.split())
    return f": {message[:_MESSAGE_LIMIT]}" if message else ""


def _instead(answer: Answer) -> str:
    """What an answer that is not JSON seems to be; empty if that is unknown."""
    title = re.search(rb"<title[^>]*>([^<]{1,80})", answer.body[:4096], re.IGNORECASE)
    if title:
        return f" but with a web page, “{' '.join(title[1].decode(errors='replace').split())}”"
    if _is_web_page(answer):
        return " but with a web page"
    return "" if answer.body else " but with nothing"
