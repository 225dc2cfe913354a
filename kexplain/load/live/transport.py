"""GET requests over HTTP and TLS, and what can go wrong on the way in words that help."""

import ssl
import zlib
from collections.abc import Mapping
from time import monotonic
from typing import NoReturn
from urllib.parse import unquote, urlencode

import urllib3
from msgspec import Struct
from urllib3 import exceptions as http

from kexplain.errors import ClusterError, KexplainError
from kexplain.load.live.api_client import Answer, BrokenConnectionError
from kexplain.load.live.deadlines import deadline, with_deadlines
from kexplain.load.text.source import JSON_LIMIT
from kexplain.parameters import parameter

#: How long a server may take to accept a connection, to say something more, and for an answer as a whole.
_CONNECT_SECONDS = 10.0
_SILENCE_SECONDS = 60.0
_ANSWER_SECONDS = 300.0
#: By how much a timeout may seem to come too early.
_CLOCK_SECONDS = 0.1
_BLOCK = 1 << 18
_CONNECTIONS = 8
_GZIP = 31
#: What is packed may be so many times as large, which lists of objects never are; little may be larger.
_PACKED_TIMES = 100
_UNPACKED_ALWAYS = 64 << 20
_UNREACHED = "check the address, and whether you need a VPN or a tunnel"


class Access(Struct, frozen=True, kw_only=True):
    """A server, and everything that it takes to be let in."""

    #: `https://host:port`, perhaps with a path.
    address: str
    identity: str
    #: Header lines, a name may come several times.
    headers: tuple[tuple[str, str], ...]
    tls: ssl.SSLContext | None = None
    #: What the certificate is for, where that is not the host of the address.
    tls_server_name: str = ""
    proxy: str = ""
    #: Of the kubeconfig's context, or of the service account; empty if nothing says so.
    namespace: str = ""


class HttpTransport:
    """Sends GET requests to one server over connections that are kept open; several threads may use it."""

    def __init__(self, access: Access, *, request_timeout: float | None = None, compressed: bool = True) -> None:
        self._access = access
        self._seconds = request_timeout or _ANSWER_SECONDS
        self._headers = urllib3.HTTPHeaderDict(access.headers)
        self._headers["Accept"] = "application/json"
        if compressed:
            self._headers["Accept-Encoding"] = "gzip"
        self._pool = self._open_pool()
        self._is_closed = False

    @property
    def address(self) -> str:
        return without_password(self._access.address)

    @property
    def identity(self) -> str:
        """Whose credentials are sent, and from where they come, for messages."""
        return self._access.identity

    def get(self, path: str, query: Mapping[str, str]) -> Answer:
        """The answer to a GET request.

        Raises BrokenConnectionError if it is worth another try, ClusterError if it is not.
        """
        url = f"{self._access.address}{path}"
        url += f"?{urlencode(query)}" if query else ""
        began = monotonic()
        if self._is_closed:
            # A pool that has been cleared would open connections anew.
            raise BrokenConnectionError("not asked any more")
        try:
            with deadline(self._seconds):
                return self._get(url)
        except (http.HTTPError, OSError, zlib.error) as error:
            if monotonic() - began > self._seconds:
                # However it looks: the connection was cut at the deadline, or anything else came too late.
                raise self._too_slow(monotonic() - began) from None
            self._fail(error, monotonic() - began)

    def _get(self, url: str) -> Answer:
        connect, read = min(_CONNECT_SECONDS, self._seconds), min(_SILENCE_SECONDS, self._seconds)
        timeout = urllib3.Timeout(connect=connect, read=read)
        response = self._pool.request(
            "GET", url, headers=self._headers, timeout=timeout, preload_content=False, redirect=False, retries=False
        )
        try:
            body = self._body(response)
        except BaseException:
            # What has been left half read cannot be used again.
            response.close()
            raise
        headers = {name.lower(): value for name, value in response.headers.items()}
        plain = self._unpacked(body) if headers.get("content-encoding") == "gzip" else bytes(body)
        return Answer(response.status, headers, plain)

    def _body(self, response: urllib3.BaseHTTPResponse) -> bytearray:
        body = bytearray()
        while block := response.read1(_BLOCK, decode_content=False):
            body += block
            if len(body) > JSON_LIMIT:
                raise self._error("its answer is too large", f"check that {parameter('server')} is an API server")
        return body

    def _unpacked(self, body: bytearray) -> bytes:
        unpacking = zlib.decompressobj(_GZIP)
        plain = unpacking.decompress(body, min(JSON_LIMIT, max(_UNPACKED_ALWAYS, _PACKED_TIMES * len(body))))
        if unpacking.unconsumed_tail:
            problem = f"{len(body)} bytes of its answer unpack to more than {len(plain)}"
            raise self._error(problem, f"check that {parameter('server')} is an API server")
        if not unpacking.eof:
            raise BrokenConnectionError("the compressed answer was cut off")
        return plain

    def close(self) -> None:
        """Hang up; what is still under way does so when it ends."""
        self._is_closed = True
        self._pool.clear()

    def _open_pool(self) -> urllib3.PoolManager:
        access = self._access
        options: dict[str, object] = {"num_pools": 1, "maxsize": _CONNECTIONS}
        if access.tls:
            options["ssl_context"] = access.tls
        if access.tls_server_name:
            options["server_hostname"] = access.tls_server_name
        if access.tls and access.tls.verify_mode is ssl.CERT_NONE:
            # Whoever asks for it knows, and kubectl says nothing either.
            urllib3.disable_warnings(http.InsecureRequestWarning)
        if not access.proxy:
            return with_deadlines(urllib3.PoolManager(**options))  # type: ignore[arg-type] # as its own signature has it
        try:
            proxy = urllib3.util.parse_url(access.proxy)
            credentials = urllib3.make_headers(proxy_basic_auth=unquote(proxy.auth)) if proxy.auth else None
            url = proxy._replace(auth=None).url
            return with_deadlines(urllib3.ProxyManager(url, proxy_headers=credentials, **options))  # type: ignore[arg-type]
        except (http.ProxySchemeUnknown, http.LocationParseError) as error:
            advice = "proxies are http:// or https://; see proxy-url in the kubeconfig, and HTTPS_PROXY"
            raise ClusterError(f"{without_password(access.proxy)}: not a usable proxy ({error})", advice) from None

    def _fail(self, error: Exception, seconds: float) -> NoReturn:
        """Raise the error that a request deserves that has failed after so many seconds."""
        # What urllib3 wraps says more than the wrapping.
        cause = error.original_error if isinstance(error, http.ProxyError) else error
        text = _reason(error)
        match error:
            case http.ProxyError():
                said = f"the proxy {without_password(self._access.proxy)} cannot be used: {_reason(cause)}"
                raise self._error(said, "see proxy-url in the kubeconfig, HTTPS_PROXY and NO_PROXY")
            case http.SSLError() | ssl.SSLError():
                raise self._error(*_tls_problem(text))
            case http.NewConnectionError():
                raise self._error(f"cannot be reached: {text}", _UNREACHED)
            case http.ConnectTimeoutError():
                raise self._error(f"did not accept the connection within {self._waited(seconds):g} s", _UNREACHED)
            case http.ReadTimeoutError():
                raise self._too_slow(seconds)
            case http.LocationParseError() | http.LocationValueError():
                raise self._error("not an address", f"see {parameter('server')}, and server in the kubeconfig")
        raise BrokenConnectionError(text) from None

    def _too_slow(self, seconds: float) -> KexplainError:
        advice = f"try again, with a longer {parameter('request_timeout')} if it is slow"
        return self._error(f"did not answer within {self._waited(seconds):g} s", advice)

    def _waited(self, seconds: float) -> float:
        """The longest of the limits that a request of so many seconds has reached."""
        limits = sorted(min(each, self._seconds) for each in (_CONNECT_SECONDS, _SILENCE_SECONDS, self._seconds))
        return max((each for each in limits if each <= seconds + _CLOCK_SECONDS), default=limits[0])

    def _error(self, problem: str, advice: str) -> KexplainError:
        return ClusterError(f"{self.address}: {problem}", advice)


def without_password(address: str) -> str:
    """An address as a message shows it, without a name, a password or a query: a password may hold a slash."""
    scheme, separator, rest = address.partition("://")
    shown = rest if separator else scheme
    shown = shown.rpartition("@")[2].partition("?")[0].partition("#")[0]
    return f"{scheme}{separator}{shown}" if separator else shown


def _tls_problem(text: str) -> tuple[str, str]:
    """What is wrong with a TLS connection, and what to do about it."""
    if "WRONG_VERSION_NUMBER" in text or "wrong version number" in text:
        return "it does not speak TLS", f"check whether {parameter('server')} should begin with http://"
    if "certificate verify failed" in text or "doesn't match" in text:
        authority, name = parameter("certificate_authority"), parameter("tls_server_name")
        advice = f"give the CA that signed it with {authority}, or its name with {name}"
        return f"its certificate is not trusted: {text}", advice
    if "alert" in text.lower():
        advice = "see client-certificate in the kubeconfig; it may be expired"
        return f"it refuses the client certificate: {text}", advice
    return f"no TLS connection: {text}", "see the certificates in the kubeconfig"


def _reason(error: BaseException) -> str:
    """The innermost reason, without the wrapping and the addresses of objects in memory."""
    while True:
        inner = next((each for each in error.args if isinstance(each, BaseException)), None) or error.__cause__
        if inner is None:
            break
        error = inner
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"certificate verify failed: {error.verify_message}"
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error).rpartition(">: ")[2]
