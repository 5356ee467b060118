"""One answer in one thread of Slack: first a word that it is being read, then the card in its place, then the rest."""

from __future__ import annotations

import logging
from typing import Any

from errtriage.bot.core import Bot, Message, Reply
from errtriage.bot.sayings import bot_says
from errtriage.bot.slack_web import Web
from errtriage.errors import TransportError
from errtriage.render import slack as blocks
from errtriage.render.words import clean

_MOST_MESSAGES = 4  # of the full report: a thread is not a file
_LOG = logging.getLogger("errtriage.bot.slack")


class Thread:
    """Where one answer goes; nothing that Slack refuses raises."""

    def __init__(
        self, web: Web, bot: Bot, message: Message, channel: str, start: str | None, refused: Any = None
    ) -> None:
        """Take the place: a channel, the message that the thread hangs on, and what answers one person alone."""
        self._web, self._bot, self._message = web, bot, message
        self._channel, self._start, self._refused = channel, start, refused
        self._waiting: str | None = None

    def begin(self, names: str) -> None:
        """Say that something is being read, where there is no answer in this thread yet."""
        if self._bot.store.own_message(self._message.space, self._message.thread):
            return
        words = bot_says(self._bot.settings.lang, "reading", names=names)
        self._waiting = self._posted(note(words))

    def finish(self, reply: Reply) -> None:
        """Put the answer in the place of that word, or of the earlier answer in this thread, and the rest below."""
        if reply.report is None:
            self._put(note("\n".join(reply.notes)), self._waiting)
            return
        view = self._bot.settings.view
        card = blocks.message(reply.report, view)
        told = [reply.seen_words, self._first(reply), *reply.notes]
        extra = [context(text) for text in told if text]
        own = self._put({**card, "blocks": [*card["blocks"], *extra]}, reply.edits or self._waiting)
        if own is None:
            return
        self._start = self._start or own
        if self._message.thread:
            self._bot.posted(self._message, own)
        if reply.edits and reply.notes:
            self._posted(note("\n".join(reply.notes)))
        if not reply.folded and not reply.edits:
            self._rest(blocks.thread(reply.report, view))
        self._retell(reply)

    def _rest(self, messages: list[dict[str, Any]]) -> None:
        for message in messages[:_MOST_MESSAGES]:
            self._posted(message)
        if len(messages) > _MOST_MESSAGES:
            self._posted(note(bot_says(self._bot.settings.lang, "cut")))

    def _first(self, reply: Reply) -> str:
        """Return the address of the first answer about the same fault, "" where it is not known."""
        if not reply.folded or not reply.first_message or reply.seen is None:
            return ""
        try:
            return self._web.link(reply.seen.first_thread.split()[0], reply.first_message)
        except TransportError:
            return ""

    def _retell(self, reply: Reply) -> None:
        """Let the first answer about a fault tell how often it has come since."""
        if not reply.first_message or reply.seen is None or reply.first_report is None:
            return
        card = blocks.message(reply.first_report, self._bot.settings.view)
        channel = reply.seen.first_thread.split()[0]
        try:
            told = {**card, "blocks": [*card["blocks"], context(reply.seen_words)]}
            self._web.edit(channel, reply.first_message, told)
        except TransportError as error:
            _LOG.info("the first answer could not be edited: %s", error)

    def _put(self, message: dict[str, Any], own: str | None) -> str | None:
        """Edit one of our own messages, or post a new one where there is none or it is gone."""
        if own is not None:
            try:
                self._web.edit(self._channel, own, message)
            except TransportError as error:
                _LOG.info("an answer could not be edited: %s", error)
            else:
                return own
        return self._posted(message)

    def _posted(self, message: dict[str, Any]) -> str | None:
        try:
            return self._web.post(self._channel, self._start, message)
        except TransportError as error:
            _LOG.warning("an answer could not be posted: %s", error)
            if self._refused is not None:  # a channel that the bot is not in: the person alone is told
                self._refused(text=message["text"], blocks=message.get("blocks"), response_type="ephemeral")
            return None


def context(text: str) -> dict[str, Any]:
    """Return a line in small print, in which nothing is markup."""
    element = {"type": "plain_text", "emoji": False, "text": clean(text)[: blocks.LONGEST_TEXT]}
    return {"type": "context", "elements": [element]}


def note(text: str) -> dict[str, Any]:
    """Return a message of one sentence."""
    return {"text": blocks.escaped(text)[: blocks.LONGEST_TEXT], "mrkdwn": False, "blocks": [context(text or " ")]}
