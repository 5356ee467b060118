"""Slack's Web API as the bot uses it: calls that wait where Slack says so, and files fetched with the bot's token."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from errtriage.bot.extras import need
from errtriage.bot.links import fetch
from errtriage.errors import TransportError

_RETRIES = 3
_FILE_HOSTS = ("https://files.slack.com", "https://files-origin.slack.com")


class Web:
    """A client of the Web API; what fails raises TransportError with Slack's own word for it."""

    def __init__(self, token: str, base_url: str) -> None:
        """Take the bot's token and the address of the API."""
        retry = need("slack_sdk.http_retry.builtin_handlers", "slack")
        self._token = token
        own = urlsplit(base_url)
        # The token goes to Slack's own hosts alone, wherever a file says that it lies.
        self._hosts = (*_FILE_HOSTS, f"{own.scheme}://{own.netloc}")
        self.client: Any = need("slack_sdk", "slack").WebClient(
            token=token,
            base_url=base_url,
            retry_handlers=[
                retry.RateLimitErrorRetryHandler(max_retry_count=_RETRIES),  # waits as long as Retry-After says
                retry.ServerErrorRetryHandler(max_retry_count=_RETRIES),
                retry.ConnectionErrorRetryHandler(max_retry_count=_RETRIES),
            ],
        )
        self._errors: tuple[type[Exception], ...] = (need("slack_sdk.errors", "slack").SlackApiError, OSError)

    def post(self, channel: str, thread: str | None, message: Mapping[str, Any]) -> str:
        """Post a message, into a thread where one is given, and return its name (`ts`)."""
        return str(self._call("chat_postMessage", channel=channel, thread_ts=thread, **message)["ts"])

    def edit(self, channel: str, own: str, message: Mapping[str, Any]) -> None:
        """Replace one of the bot's own messages."""
        kept = {name: message[name] for name in ("text", "blocks") if name in message}
        self._call("chat_update", channel=channel, ts=own, **kept)

    def link(self, channel: str, own: str) -> str:
        """Return the address of a message."""
        return str(self._call("chat_getPermalink", channel=channel, message_ts=own)["permalink"])

    def message(self, channel: str, own: str) -> Mapping[str, Any]:
        """Return a message that starts a thread, empty where the bot may not see it."""
        try:
            found = self._call("conversations_replies", channel=channel, ts=own, limit=1)["messages"]
        except TransportError:
            return {}
        return found[0] if found else {}

    def download(self, file: Mapping[str, Any], most: int) -> bytes:
        """Return the bytes of a file that was shared with the bot."""
        if file.get("file_access") == "check_file_info" or not file.get("url_private"):
            file = self._call("files_info", file=file["id"])["file"]
        address = file.get("url_private_download") or file.get("url_private") or ""
        data = fetch(address, self._hosts, most, {"Authorization": f"Bearer {self._token}"})
        if data[:200].lstrip()[:15].lower().startswith(b"<!doctype html") and not _is_page(file):
            raise TransportError("Slack asks to log in: the app needs the scope files:read")
        return data

    def _call(self, method: str, **arguments: Any) -> Any:
        try:
            return getattr(self.client, method)(**arguments)
        except self._errors as error:
            answer = getattr(error, "response", None)
            word = answer.get("error") if answer is not None and hasattr(answer, "get") else None
            raise TransportError(str(word or error)) from error


def _is_page(file: Mapping[str, Any]) -> bool:
    return str(file.get("name") or "").lower().endswith((".html", ".htm"))
