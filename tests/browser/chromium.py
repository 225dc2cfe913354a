"""Chromium without a window, spoken to over a pipe: nothing is installed and no port is opened."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--remote-debugging-pipe",
)
_HEARD = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")


def program() -> str | None:
    """Chromium's path, if it is there."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Tab:
    """A page in the browser, with all that it has requested and complained about."""

    #: The number of the latest command, whatever the page: all of them speak over one pipe.
    _last = 0

    def __init__(self, sent: int, received: int) -> None:
        self._sent, self._received = sent, received
        self._buffer = b""
        self._session = ""
        self._is_loaded = False
        self.requests: list[str] = []
        self.complaints: list[str] = []
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Performance"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> Any:
        """The answer to a command of the DevTools protocol."""
        Tab._last = number = Tab._last + 1
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        left = json.dumps(message).encode() + b"\0"
        while left:
            left = left[os.write(self._sent, left) :]
        while True:
            answer = self._read()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return answer["result"]

    def _read(self) -> Any:
        while b"\0" not in self._buffer:
            data = os.read(self._received, 1 << 20)
            assert data, "the browser has gone"
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\0")
        message = json.loads(line)
        method = message.get("method", "") if message.get("sessionId") == self._session else "of a page that has gone"
        if method == "Network.requestWillBeSent":
            self.requests.append(message["params"]["request"]["url"])
        elif method == "Page.loadEventFired":
            self._is_loaded = True
        elif method in _HEARD:
            self.complaints.append(json.dumps(message["params"]))
        return message

    def open(self, path: Path, *, scheme: str = "light", width: int = 1200, height: int = 1300) -> None:
        """Show a file, and wait until it is there."""
        self._is_loaded = False
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Page.navigate", url=path.as_uri())
        while not self._is_loaded:
            self._read()

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def cpu_seconds(self) -> float:
        """What the page's process has taken of the processors so far."""
        metrics = self.call("Performance.getMetrics")["metrics"]
        return float(next(each["value"] for each in metrics if each["name"] == "ProcessTime"))

    def press(self, key: str) -> None:
        """A key, pressed and let go."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def screenshot(self) -> bytes:
        """What is to be seen, as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])


@contextmanager
def browser(profile: Path) -> Iterator[Callable[[], Tab]]:
    """A fresh browser, which is gone afterwards; what it is asked for are pages that know nothing of each other."""
    its_input, sent = os.pipe()
    received, its_output = os.pipe()
    command = (program() or "", *FLAGS, f"--user-data-dir={profile}")
    with subprocess.Popen(
        ["bash", "-c", f'exec "$0" "$@" 3<&{its_input} 4>&{its_output}', *command],
        pass_fds=(its_input, its_output),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as browser:
        os.close(its_input)
        os.close(its_output)
        try:
            yield lambda: Tab(sent, received)
        finally:
            os.close(sent)
            os.close(received)
            browser.terminate()
