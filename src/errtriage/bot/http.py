"""The plain HTTP server: a log is posted, its report comes back; behind tokens, bounds and limits."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Sequence
from typing import Any

from errtriage.bot.core import Bot, Message, Reply
from errtriage.bot.extras import need
from errtriage.bot.http_body import BodyError, logs_of
from errtriage.bot.http_guard import Rate, caller
from errtriage.bot.http_openapi import FORMATS, document
from errtriage.bot.metrics import CONTENT_TYPE, Metrics
from errtriage.bot.store import Sighting
from errtriage.render import renderer
from errtriage.values import dataclass

_MOST_WAITING = 8  # requests that may wait for each analysis that can run
_BY_LIMIT = {"time": 504, "memory": 507, "none": 500}


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """Who may ask: bearer tokens (none: everybody who can reach the address), and requests a minute of each caller."""

    tokens: tuple[str, ...] = ()
    per_minute: float = 60.0


class Server:
    """The ASGI application, `app`, around a bot."""

    def __init__(self, bot: Bot, door: Door) -> None:
        """Take the bot and the door; raises TransportError where starlette is missing."""
        self._bot, self._door = bot, door
        self._rate = Rate(door.per_minute)
        self._metrics = Metrics()
        self._inside = 0
        self._responses = need("starlette.responses", "http")
        self._threads = need("starlette.concurrency", "http")
        routing = need("starlette.routing", "http")
        self.app: Any = need("starlette.applications", "http").Starlette(
            routes=[
                routing.Route("/v1/explain", self._explain, methods=["POST"]),
                routing.Route("/healthz", self._health, methods=["GET"]),
                routing.Route("/metrics", self._told_metrics, methods=["GET"]),
                routing.Route("/openapi.json", self._openapi, methods=["GET"]),
            ]
        )

    async def _health(self, _request: Any) -> Any:
        return self._responses.PlainTextResponse("ok\n")

    async def _told_metrics(self, _request: Any) -> Any:
        return self._responses.PlainTextResponse(self._metrics.text(), media_type=CONTENT_TYPE)

    async def _openapi(self, _request: Any) -> Any:
        return self._responses.JSONResponse(document(self._bot.settings.bounds.most_bytes))

    async def _explain(self, request: Any) -> Any:
        self._inside += 1
        try:
            answer = await self._answer(request)
        finally:
            self._inside -= 1
        self._metrics.answered(answer.status_code)
        return answer

    async def _answer(self, request: Any) -> Any:
        name = request.client.host if request.client else ""
        space = "http"
        if self._door.tokens:
            holder = caller(request.headers.get("authorization", ""), self._door.tokens)
            if holder is None:
                return self._error(401, "a valid bearer token is needed", {"WWW-Authenticate": "Bearer"})
            name = space = holder
        seconds = self._rate.wait(name)
        if seconds:
            return self._error(429, "too many requests", {"Retry-After": str(int(seconds) + 1)})
        format = request.query_params.get("format", "json")
        if format not in FORMATS:
            return self._error(400, f"there is no format of that name; there are {', '.join(FORMATS)}")
        if self._inside > self._bot.settings.jobs * _MOST_WAITING:
            return self._error(503, "too many requests at the same time", {"Retry-After": "5"})
        bounds = self._bot.settings.bounds
        try:
            files = await logs_of(request, most_bytes=bounds.most_bytes, most_logs=bounds.most_logs)
        except BodyError as error:
            return self._error(error.status, str(error), {"Connection": "close"} if error.status == 413 else {})
        run = request.query_params.get("run", "")[:200]
        message = Message(files=files, run=run, thread=f"http-{secrets.token_hex(8)}", space=space)
        return await self._threads.run_in_threadpool(self._reply, message, format)

    def _reply(self, message: Message, format: str) -> Any:
        started = time.perf_counter()
        reply = self._bot.answer(message)
        if reply.report is None:
            status = _BY_LIMIT[reply.limit] if reply.limit else 415
            return self._error(status, " ".join(reply.notes))
        number = sum(source.bytes for source in reply.report.sources)
        self._metrics.explained(reply.report.verdict, number, time.perf_counter() - started)
        text = renderer(format)(reply.report, self._bot.settings.view)
        if format == "json":
            text = json.dumps({**json.loads(text), **_more(reply)}, ensure_ascii=False, indent=1) + "\n"
        headers = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
        if format == "html":  # what a browser would do with a page must not be up to a log
            headers["Content-Security-Policy"] = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
        return self._responses.Response(text, media_type=FORMATS[format], headers=headers)

    def _error(self, status: int, text: str, headers: dict[str, str] | None = None) -> Any:
        return self._responses.JSONResponse({"error": text}, status_code=status, headers=headers)


def _more(reply: Reply) -> dict[str, object]:
    return {"notes": list(reply.notes), "seen": _seen(reply.seen) if reply.seen else None}


def _seen(seen: Sighting) -> dict[str, object]:
    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seen.since))
    return {"count": seen.count, "since": since, "first_run": seen.first_run}


def serve(app: Any, host: str, port: int, *, certificate: Sequence[str] = (), extra: str = "http") -> None:
    """Run an ASGI application with uvicorn until it is stopped; `certificate` is a PEM file and its key."""
    tls = dict(zip(("ssl_certfile", "ssl_keyfile"), certificate, strict=False))
    uvicorn = need("uvicorn", extra)
    uvicorn.run(app, host=host, port=port, log_level="info", server_header=False, timeout_keep_alive=5, **tls)
