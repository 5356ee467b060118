"""The Slack app: mentions, direct messages, files, a message shortcut and a slash command, by Socket Mode or HTTP."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from errtriage.bot.core import Bot, Message
from errtriage.bot.extras import need
from errtriage.bot.received import Attachment, holds_log
from errtriage.bot.slack_thread import Thread
from errtriage.bot.slack_web import Web
from errtriage.values import dataclass

SLACK_API = "https://slack.com/api/"
SHORTCUT = "explain_log"  # the callback id of the message shortcut
COMMAND = "/errtriage"
_MENTION = re.compile(r"<[@#!][^<>\s]{1,80}>")
_LINK = re.compile(r"<(https?://[^<>|\s]{1,2000})(?:\|[^<>]{0,2000})?>")
_ONE_LINK = re.compile(r"https?://\S{1,2000}")
_LOG_NAME = re.compile(r"(?i)\.(?:log|txt|out|err|stderr|stdout|ipynb|jsonl?|gz|bz2|xz|zst)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """What Slack hands out with an app: the bot's token, the signing secret (HTTP) and the app's token (sockets).

    `base_url` is the address of Slack's Web API.
    """

    bot_token: str
    signing_secret: str = ""
    app_token: str = ""
    base_url: str = SLACK_API


class SlackBot:
    """The bolt app, `app`, around a bot."""

    def __init__(self, bot: Bot, keys: Keys) -> None:
        """Take the bot and the keys; raises TransportError where slack-bolt is missing."""
        bolt = need("slack_bolt", "slack")
        self._bot, self._keys = bot, keys
        self.web = Web(keys.bot_token, keys.base_url)
        self.app: Any = bolt.App(
            client=self.web.client,
            signing_secret=keys.signing_secret or "unused",  # sockets are not signed
            raise_error_for_unhandled_request=False,
        )
        self.app.event("app_mention")(self._on_event)
        self.app.event("message")(self._on_event)
        self.app.shortcut(SHORTCUT)(self._on_shortcut)
        self.app.command(COMMAND)(self._on_command)

    def _on_event(self, body: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        if event.get("bot_id") or event.get("subtype") not in (None, "file_share"):
            return
        wanted = event.get("type") == "app_mention" or event.get("channel_type") == "im"
        files = [file for file in event.get("files") or () if wanted or _LOG_NAME.search(file.get("name") or "")]
        if not wanted and not files:
            return
        # A mention in a channel comes as two events, and what was not answered in time comes again: one message counts.
        space = str(body.get("team_id") or event.get("team") or "")
        if not self._bot.store.is_new(f"slack {space} {event['channel']} {event['ts']}"):
            return
        text = plain(event.get("text") or "") if wanted else ""
        if event.get("thread_ts") and not files and not holds_log(text):  # "explain this", said below a log
            parent = self.web.message(event["channel"], event["thread_ts"])
            self._answer(space, event["channel"], event, parent.get("files") or (), text, parent.get("text") or "")
        else:
            self._answer(space, event["channel"], event, files, text)

    def _on_shortcut(self, ack: Any, body: Mapping[str, Any], respond: Any) -> None:
        ack()
        message = body.get("message") or {}
        request = f"slack shortcut {body.get('action_ts') or body.get('trigger_id')}"
        if not self._bot.store.is_new(request):
            return
        space, channel = str((body.get("team") or {}).get("id") or ""), (body.get("channel") or {}).get("id") or ""
        # The words of a message are the log that its reader asks about, however few they are.
        event = {**message, "ts": message.get("ts") or body.get("message_ts")}
        text = message.get("text") or ""
        self._answer(space, channel, event, message.get("files") or (), quoted=text, refused=respond)

    def _on_command(self, ack: Any, body: Mapping[str, Any], respond: Any) -> None:
        ack()
        if self._bot.store.is_new(f"slack command {body.get('trigger_id')}"):
            space, channel = str(body.get("team_id") or ""), str(body.get("channel_id") or "")
            self._answer(space, channel, {}, (), text=plain(body.get("text") or ""), refused=respond)

    def _answer(
        self,
        space: str,
        channel: str,
        event: Mapping[str, Any],
        files: Any,
        text: str = "",
        quoted: str = "",
        refused: Any = None,
    ) -> None:
        """Explain, and say meanwhile that it is being read; `quoted` is another message than the event itself."""
        start = event.get("thread_ts") or event.get("ts")
        attached = tuple(map(self._attachment, files))
        quoted = plain(quoted)
        link = quoted if _ONE_LINK.fullmatch(quoted) else ""
        message = Message(
            text=text or link,
            snippet="" if link else quoted,
            files=attached,
            run=attached[0].name if attached else "",
            thread=f"{channel} {start}" if start else "",
            space=space,
        )
        thread = Thread(self.web, self._bot, message, channel, start, refused)
        if attached:
            thread.begin(", ".join(file.name for file in attached))
        thread.finish(self._bot.answer(message))

    def _attachment(self, file: Mapping[str, Any]) -> Attachment:
        load = partial(self.web.download, file, self._bot.settings.bounds.most_bytes)
        return Attachment(name=str(file.get("name") or file.get("id") or "file"), load=load, size=file.get("size") or 0)

    def run_socket(self) -> None:
        """Listen by Socket Mode until stopped: no address of ours need be reachable."""
        self.socket_handler().start()

    def socket_handler(self) -> Any:
        """Return what listens by Socket Mode."""
        return need("slack_bolt.adapter.socket_mode", "slack").SocketModeHandler(self.app, self._keys.app_token)

    def asgi(self) -> Any:
        """Return the ASGI application for HTTP: `POST /slack/events`, its signatures checked by bolt."""
        from errtriage.bot.slack_http import application

        return application(self.app)


def plain(text: str) -> str:
    """Return Slack's markup as the text that a person wrote: without mentions, with bare links and signs unescaped."""
    text = _LINK.sub(r"\1", _MENTION.sub("", text))
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").strip()
