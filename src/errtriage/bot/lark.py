"""The Feishu (Lark) app: messages and files by event callback or long connection, answers in the thread."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from errtriage.bot.core import Bot, Message, Reply
from errtriage.bot.extras import need
from errtriage.bot.lark_cards import card, note, pages
from errtriage.bot.lark_content import Content, content_of
from errtriage.bot.lark_web import Web
from errtriage.bot.received import Attachment, holds_log
from errtriage.bot.sayings import bot_says
from errtriage.errors import TransportError
from errtriage.values import dataclass

_WORKERS = 4
_MOST_BYTES = 1 << 20  # of a callback: files come by their own call
_PATH = "/lark/events"
# The dispatcher of the SDK looks these names up as they are written here.
_SIGNED = ("X-Lark-Request-Timestamp", "X-Lark-Request-Nonce", "X-Lark-Signature", "X-Request-Id")


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """What the developer console hands out with an app; `domain` is open.feishu.cn or open.larksuite.com."""

    app_id: str
    app_secret: str
    verification_token: str = ""
    encrypt_key: str = ""
    domain: str = "https://open.feishu.cn"


class LarkBot:
    """The app around a bot."""

    def __init__(self, bot: Bot, keys: Keys) -> None:
        """Take the bot and the keys; raises TransportError where lark-oapi is missing."""
        self._bot, self._keys = bot, keys
        self._lark = need("lark_oapi", "lark")
        self.web = Web(keys.app_id, keys.app_secret, keys.domain)
        self._pool = ThreadPoolExecutor(_WORKERS, "lark")
        self.handler: Any = (
            self._lark.EventDispatcherHandler.builder(keys.encrypt_key, keys.verification_token)
            .register_p2_im_message_receive_v1(self._on_message)
            .build()
        )

    def _on_message(self, data: Any) -> None:
        """Note a message and answer it later: Feishu waits for three seconds, then sends it again."""
        message = data.event.message
        space = str(getattr(data.header, "tenant_key", None) or "")
        if self._bot.store.is_new(f"lark {space} {message.message_id}"):
            self._pool.submit(self.answer, message, space)

    def answer(self, event: Any, space: str) -> None:
        """Answer one message; what Feishu refuses is left out."""
        content = content_of(event.message_type, event.content)
        text, quoted, source = content.text, "", event.message_id
        if event.parent_id and not content.files and not holds_log(content.text):  # "explain this", said to a log
            said = self._quoted(event.parent_id)
            content, quoted, source = said, said.text, event.parent_id
        thread = event.thread_id or event.root_id or event.message_id
        files = tuple(self._attachment(source, key, name) for key, name in content.files)
        message = Message(
            text=text,
            snippet=quoted,
            files=files,
            run=files[0].name if files else "",
            thread=f"{event.chat_id} {thread}",
            space=space,
        )
        waiting = None
        if files and not self._bot.store.own_message(space, message.thread):
            names = ", ".join(file.name for file in files)
            waiting = self._sent(event.message_id, note(bot_says(self._bot.settings.lang, "reading", names=names)))
        self._show(event.message_id, message, self._bot.answer(message), waiting)

    def _show(self, to: str, message: Message, reply: Reply, waiting: str | None) -> None:
        if reply.report is None:
            self._put(to, note("\n".join(reply.notes)), waiting)
            return
        view = self._bot.settings.view
        told = [text for text in (reply.seen_words, *reply.notes) if text]
        own = self._put(to, card(reply.report, view, told), reply.edits or waiting)
        if own is None:
            return
        self._bot.posted(message, own)
        if reply.edits and reply.notes:
            self._sent(to, note("\n".join(reply.notes)))
        if not reply.folded and not reply.edits:
            for page in pages(reply.report, view):
                self._sent(to, page)
        if reply.first_message and reply.first_report is not None:
            self._edited(reply.first_message, card(reply.first_report, view, [reply.seen_words]))

    def _put(self, to: str, content: str, own: str | None) -> str | None:
        if own is not None and self._edited(own, content):
            return own
        return self._sent(to, content)

    def _edited(self, own: str, content: str) -> bool:
        try:
            self.web.edit(own, content)
        except TransportError:
            return False
        return True

    def _sent(self, to: str, content: str) -> str | None:
        try:
            return self.web.reply(to, content)
        except TransportError:
            return None

    def _quoted(self, name: str) -> Content:
        try:
            return content_of(*self.web.message(name))
        except TransportError:
            return Content()

    def _attachment(self, message: str, key: str, name: str) -> Attachment:
        return Attachment(name=name, load=lambda: self.web.download(message, key))

    def run_socket(self) -> None:
        """Listen by a long connection until stopped: no address of ours need be reachable."""
        keys = self._keys
        socket = need("lark_oapi.ws", "lark")
        socket.Client(keys.app_id, keys.app_secret, event_handler=self.handler, domain=keys.domain).start()

    def asgi(self) -> Any:
        """Return the ASGI application for callbacks: `POST /lark/events`, verified and decrypted by the SDK."""
        responses, threads = need("starlette.responses", "lark"), need("starlette.concurrency", "lark")
        routing = need("starlette.routing", "lark")
        raw = need("lark_oapi.core.model", "lark").RawRequest

        async def events(request: Any) -> Any:
            asked = raw()
            asked.uri, asked.body = _PATH, b""
            async for part in request.stream():
                asked.body += part
                if len(asked.body) > _MOST_BYTES:
                    return responses.PlainTextResponse("too large\n", status_code=413)
            asked.headers = {name: request.headers[name] for name in _SIGNED if name in request.headers}
            try:
                answer = await threads.run_in_threadpool(self.handler.do, asked)
            except Exception:  # releases of the SDK before 1.7.5 let some of what is no JSON through as it raised
                return responses.PlainTextResponse("refused\n", status_code=401)
            if answer.status_code != 200:  # our part of it only notes the message: what failed is a check
                return responses.PlainTextResponse("refused\n", status_code=401)
            return responses.Response(answer.content, media_type="application/json")

        async def health(_request: Any) -> Any:
            return responses.PlainTextResponse("ok\n")

        return need("starlette.applications", "lark").Starlette(
            routes=[routing.Route(_PATH, events, methods=["POST"]), routing.Route("/healthz", health, methods=["GET"])]
        )

    def close(self) -> None:
        """Wait for the answers that are being made."""
        self._pool.shutdown(wait=True)
