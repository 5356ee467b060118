"""Feishu's API as the bot uses it: replies, edits, messages and files; calls that wait where Feishu says so."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from typing import Any

from errtriage.bot.extras import need
from errtriage.errors import TransportError

_RETRIES = 3
_SECONDS = 30.0  # the longest that a retry waits, and that a call takes
_TOO_OFTEN = (99991400, 230020, 11232)  # https://open.feishu.cn/document/server-docs/api-call-guide/generic-error-code
_RESET = "x-ogw-ratelimit-reset"  # seconds


class Web:
    """A client of the API; what fails raises TransportError with Feishu's own words for it."""

    def __init__(self, app_id: str, app_secret: str, domain: str) -> None:
        """Take the app's id and secret, and the address of the API."""
        builder = need("lark_oapi", "lark").Client.builder()
        self._client: Any = builder.app_id(app_id).app_secret(app_secret).domain(domain).timeout(_SECONDS).build()
        self._models = need("lark_oapi.api.im.v1", "lark")

    def reply(self, message: str, content: str) -> str:
        """Answer a message, in its thread, with a card, and return the answer's name."""
        models = self._models
        body = models.ReplyMessageRequestBody.builder().msg_type("interactive").content(content).reply_in_thread(True)
        body = body.uuid(uuid.uuid4().hex)  # a retry after a lost answer makes no second message
        asked = models.ReplyMessageRequest.builder().message_id(message).request_body(body.build()).build()
        return str(self._call(self._client.im.v1.message.reply, asked).data.message_id)

    def edit(self, own: str, content: str) -> None:
        """Replace one of the bot's own cards."""
        models = self._models
        body = models.PatchMessageRequestBody.builder().content(content).build()
        asked = models.PatchMessageRequest.builder().message_id(own).request_body(body).build()
        self._call(self._client.im.v1.message.patch, asked)

    def message(self, name: str) -> tuple[str, str]:
        """Return the type and content of a message."""
        asked = self._models.GetMessageRequest.builder().message_id(name).build()
        items = self._call(self._client.im.v1.message.get, asked).data.items or []
        if not items:
            raise TransportError("there is no such message")
        return items[0].msg_type, items[0].body.content

    def download(self, message: str, key: str) -> bytes:
        """Return the bytes of a file of a message."""
        builder = self._models.GetMessageResourceRequest.builder()
        asked = builder.message_id(message).file_key(key).type("file").build()
        data: bytes = self._call(self._client.im.v1.message_resource.get, asked).file.read()
        return data

    def _call(self, method: Callable[[Any], Any], asked: Any) -> Any:
        for turn in range(_RETRIES + 1):
            try:
                answer = method(asked)
            except Exception as error:  # the SDK lets through whatever its HTTP client and its token raise
                raise TransportError(str(error) or type(error).__name__) from error
            if answer.success():
                return answer
            if not _is_too_often(answer) or turn == _RETRIES:
                break
            time.sleep(_pause(answer, turn))
        raise TransportError(f"{answer.msg or 'refused'} ({answer.code})")


def _is_too_often(answer: Any) -> bool:
    return answer.code in _TOO_OFTEN or getattr(answer.raw, "status_code", None) == 429


def _pause(answer: Any, turn: int) -> float:
    told = str((getattr(answer.raw, "headers", None) or {}).get(_RESET) or "")
    return min(_SECONDS, float(told) if told.isdigit() else 2.0**turn)
