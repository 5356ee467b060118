"""A headless Chromium driven over its DevTools pipe: what a page asks of the network, complains of, and looks like."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Browser:
    """One headless browser with one page; requests, console messages and errors are noted as they come."""

    def __init__(self, profile: Path) -> None:
        assert BROWSER is not None
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()

        def as_three_and_four() -> None:
            first, second = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [
                BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
                "--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe",
                f"--user-data-dir={profile}", "about:blank",
            ],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False, preexec_fn=as_three_and_four,
        )  # fmt: skip
        os.close(theirs_in)
        os.close(theirs_out)
        self._in, self._out = os.fdopen(ours_in, "rb"), os.fdopen(ours_out, "wb")
        self._number = 0
        self._session: str | None = None
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self._loaded = False
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(one["targetId"] for one in targets if one["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> Any:
        """Return the answer to one command; events that come before it are noted."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        self._out.write(json.dumps(message).encode() + b"\0")
        self._out.flush()
        while True:
            told = self._next()
            if told.get("id") == self._number:
                assert "error" not in told, told["error"]
                return told["result"]

    def _next(self) -> Any:
        data = bytearray()
        while (byte := self._in.read(1)) != b"\0":
            assert byte, "the browser has ended"
            data += byte
        told = json.loads(data)
        params = told.get("params", {})
        if told.get("method") == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif told.get("method") == "Log.entryAdded":
            self.complaints.append(params["entry"]["text"])
        elif told.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown"):
            self.complaints.append(json.dumps(params))
        elif told.get("method") == "Page.loadEventFired":
            self._loaded = True
        return told

    def open(self, page: Path, *, width: int = 1000, height: int = 900, scheme: str = "light") -> None:
        """Show a page at a size, in light or dark, and wait until it is loaded."""
        self.requests, self.complaints, self._loaded = [], [], False
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        self.call("Page.navigate", url=page.as_uri())
        while not self._loaded:
            self._next()

    def value(self, expression: str) -> Any:
        """Return the value of an expression of JavaScript in the page."""
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def picture(self, path: Path, *, whole: bool = True) -> None:
        """Write a PNG of the page."""
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole, **self._clip(whole))
        path.write_bytes(base64.b64decode(shot["data"]))

    def _clip(self, whole: bool) -> dict[str, Any]:
        if not whole:
            return {}
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        return {"clip": {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}}

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.terminate()
        self.process.wait(10)
        self._in.close()
        self._out.close()
