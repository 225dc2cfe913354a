"""One POST to an extender: TLS, time, size, and what may go wrong, in Go's words where Go has some.

Source: scheduler `makeTransport`, client-go `transport.TLSConfigFor`, Go `net/http`.
"""

import base64
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, IncompleteRead, RemoteDisconnected
from pathlib import Path
from tempfile import NamedTemporaryFile
from threading import Thread
from urllib.parse import quote, unquote, urlsplit

from msgspec import Struct

from kexplain.framework.extender import ExtenderConfig, ExtenderError, ExtenderTls, without_password

#: More than any honest answer about thousands of whole nodes.
MAX_ANSWER_BYTES = 256 << 20
_CHUNK_BYTES = 1 << 20
_DEFAULT_PORTS = {"http": 80, "https": 443}


# -------------------------------------------------------------------------------------------------------- TLS


def tls_context(config: ExtenderConfig) -> ssl.SSLContext | None:
    """How to speak TLS to an extender; None if its URL does not ask for it.

    With `enable_https`, and no certificate authority to check it by, any certificate will do, as upstream has it.
    Raises OSError and ValueError on certificates that cannot be used.
    """
    tls = config.tls_config or ExtenderTls()
    if config.tls_config is None and urlsplit(config.url_prefix).scheme.lower() != "https":
        return None
    authority = _text_of(tls.ca_data, tls.ca_file)
    if authority and tls.insecure:
        raise ValueError("specifying a root certificates file with the insecure flag is not allowed")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    # Go trusts what it is given, whether or not it signs itself.
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    if authority:
        context.load_verify_locations(cadata=authority)
    elif tls.insecure or config.enable_https:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    else:
        context.load_default_certs()
    _load_own_certificate(context, tls)
    return context


def _text_of(data: str, file: str) -> str:
    if not data and not file:
        return ""
    return (base64.b64decode(data) if data else Path(file).read_bytes()).decode("ascii", "replace")


def _load_own_certificate(context: ssl.SSLContext, tls: ExtenderTls) -> None:
    """A certificate counts only together with its key."""
    if not (tls.cert_data or tls.cert_file) or not (tls.key_data or tls.key_file):
        return
    with _as_file(tls.cert_data, tls.cert_file) as certificate, _as_file(tls.key_data, tls.key_file) as key:
        # Go reads no encrypted keys; without a password given, OpenSSL would ask for one at the terminal.
        context.load_cert_chain(certificate, key, password=lambda: "")


@contextmanager
def _as_file(data: str, file: str) -> Iterator[str]:
    if not data:
        yield file
        return
    # Only its owner may read it, and it is gone as soon as it is loaded.
    with NamedTemporaryFile() as temporary:
        temporary.write(base64.b64decode(data))
        temporary.flush()
        yield temporary.name


# ------------------------------------------------------------------------------------------------------- POST


class Question(Struct, frozen=True):
    """A body to send, the URL it goes to, and how to speak TLS there; None for plain HTTP."""

    url: str
    body: bytes
    tls: ssl.SSLContext | None
    #: What the certificate must be for, if not for the host.
    server_name: str = ""


def post(question: Question, timeout_seconds: float) -> tuple[int, bytes]:
    """The status and the body of the answer; a redirect is not followed.

    Raises ExtenderError on all that goes wrong, and once the time is over.
    """
    exchange = _Exchange(question, timeout_seconds)
    # In a thread of its own, since nothing else bounds name resolution, or an answer that comes byte by byte.
    thread = Thread(target=exchange.run, daemon=True)
    thread.start()
    thread.join(timeout_seconds)
    answer, fault = exchange.answer, exchange.fault
    exchange.abandon()
    if answer is not None:
        return answer
    # Once there are headers, Go no longer names the URL.
    prefix = "" if exchange.has_headers else f'Post "{without_password(question.url)}": '
    if fault is not None and not isinstance(fault, TimeoutError):
        raise ExtenderError(prefix + _words(fault, question)) from fault
    when = "or context cancellation while reading body" if exchange.has_headers else "exceeded while awaiting headers"
    raise ExtenderError(f"{prefix}context deadline exceeded (Client.Timeout {when})")


class _TooLargeError(ValueError):
    """An answer that does not end."""


class _UnknownSchemeError(ValueError):
    """A URL that is not for HTTP."""


class _ConnectError(OSError):
    """Nobody can be reached at the address."""


class _Exchange:
    """A question on its way; `answer` or `fault` is set once it is over."""

    def __init__(self, question: Question, timeout_seconds: float) -> None:
        self.answer: tuple[int, bytes] | None = None
        self.fault: Exception | None = None
        self.has_headers = False
        self._question = question
        self._timeout = timeout_seconds
        self._socket: socket.socket | None = None

    def run(self) -> None:
        """Ask, and keep what comes of it."""
        try:
            self.answer = self._asked()
        except (OSError, HTTPException, ValueError) as fault:
            self.fault = fault

    def abandon(self) -> None:
        """Wake up any thread that still waits for the other side."""
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def _asked(self) -> tuple[int, bytes]:
        url = urlsplit(self._question.url)
        if url.scheme not in _DEFAULT_PORTS:
            raise _UnknownSchemeError(f'unsupported protocol scheme "{url.scheme}"')
        host, port = url.hostname or "", url.port or _DEFAULT_PORTS[url.scheme]
        connection = HTTPConnection(host, port, timeout=self._timeout)
        try:
            self._socket = socket.create_connection((host, port), self._timeout)
        except TimeoutError:
            raise
        except OSError as fault:
            raise _ConnectError(*fault.args) from fault
        if self._question.tls is not None:
            name = self._question.server_name or host
            self._socket = self._question.tls.wrap_socket(self._socket, server_hostname=name)
        connection.sock = self._socket
        headers = {"Content-Type": "application/json", "User-Agent": "kexplain"}
        if url.username is not None:
            pair = f"{unquote(url.username)}:{unquote(url.password or '')}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        path = quote(url.path, safe="/%:@!$&'()*+,;=~") + (f"?{url.query}" if url.query else "")
        try:
            connection.request("POST", path, self._question.body, headers)
            with connection.getresponse() as response:
                self.has_headers = True
                return response.status, _whole(response)
        finally:
            connection.close()


def _whole(response: HTTPResponse) -> bytes:
    body = bytearray()
    while chunk := response.read(_CHUNK_BYTES):
        body += chunk
        if len(body) > MAX_ANSWER_BYTES:
            raise _TooLargeError(f"the answer is larger than {MAX_ANSWER_BYTES >> 20} MiB")
    return bytes(body)


def _words(fault: Exception, question: Question) -> str:
    """What went wrong as Go says it, as far as the same is known here."""
    match fault:
        case _ConnectError(__cause__=socket.gaierror()):
            return f"dial tcp: lookup {urlsplit(question.url).hostname}: no such host"
        case _ConnectError():
            url = urlsplit(question.url)
            place = f"{url.hostname}:{url.port or _DEFAULT_PORTS[url.scheme]}"
            return f"dial tcp {place}: connect: {(fault.strerror or str(fault)).lower()}"
        case ssl.SSLCertVerificationError():
            return f"tls: failed to verify certificate: x509: {fault.verify_message}"
        case ssl.SSLError():
            return f"tls: {(fault.reason or str(fault)).lower().replace('_', ' ')}"
        case RemoteDisconnected():
            return "EOF"
        case IncompleteRead():
            return "unexpected EOF"
        case HTTPException():
            return f"malformed HTTP response: {fault!r}"
        case OSError(strerror=str(text)):
            return text.lower()
        case _:
            return str(fault)
