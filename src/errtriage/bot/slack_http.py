"""The HTTP door of the Slack app: bodies within a bound are handed to bolt, which checks their signatures."""

from __future__ import annotations

from typing import Any

from errtriage.bot.extras import need

_MOST_BYTES = 1 << 20  # Slack's requests are a few kilobytes: files come by address
_PATH = "/slack/events"


def application(app: Any) -> Any:
    """Return an ASGI application around a bolt app; raises TransportError where starlette is missing."""
    handler = need("slack_bolt.adapter.starlette.handler", "slack")
    responses, threads = need("starlette.responses", "slack"), need("starlette.concurrency", "slack")
    routing = need("starlette.routing", "slack")

    async def events(request: Any) -> Any:
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > _MOST_BYTES:
                return responses.PlainTextResponse("too large\n", status_code=413)
        # What is no number would raise in bolt, and what is no UTF-8 was never signed.
        stamp = request.headers.get("x-slack-request-timestamp", "")
        if not (stamp.isascii() and stamp.isdigit()) or not _is_text(body):
            return responses.PlainTextResponse("not signed\n", status_code=401)
        answer = await threads.run_in_threadpool(app.dispatch, handler.to_bolt_request(request, body))
        return handler.to_starlette_response(answer)

    async def health(_request: Any) -> Any:
        return responses.PlainTextResponse("ok\n")

    return need("starlette.applications", "slack").Starlette(
        routes=[routing.Route(_PATH, events, methods=["POST"]), routing.Route("/healthz", health, methods=["GET"])]
    )


def _is_text(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
