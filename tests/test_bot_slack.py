"""The Slack app against a fake of Slack's API on loopback: signed requests in by HTTP, envelopes in by a socket."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from bot_servers import HEALTHY_LOG, LOG, OTHER_LOG, Answer, Asked, fake, served, wait_for

pytest.importorskip("slack_bolt", reason="needs the extra slack")
pytest.importorskip("starlette", reason="needs the extra slack")
pytest.importorskip("uvicorn", reason="needs the extra slack")

from errtriage.bot.core import Bot, Settings
from errtriage.bot.received import Bounds
from errtriage.bot.slack import COMMAND, SHORTCUT, Keys, SlackBot, plain
from errtriage.bot.store import Store
from errtriage.bot.worker import explained

SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
FILES = {"/files/train.log": LOG.encode(), "/files/other.log": OTHER_LOG.encode(), "/files/cat.png": b"\x89PNG" * 90}


class FakeSlack:
    """What the fake answers, the messages that stand in its channels, and what it was asked."""

    def __init__(self) -> None:
        self.messages: dict[str, dict[str, Any]] = {}
        self.asked: list[Asked] = []
        self.address = ""
        self.busy = 0  # how many of the next posts are answered with 429
        self.parents: list[dict[str, Any]] = []
        self.closed: set[str] = set()
        self._lock = threading.Lock()

    def answer(self, asked: Asked) -> Answer:
        """Return the answer of the method that the path names, or a file."""
        if asked.path.startswith("/files/"):
            if asked.headers.get("Authorization") != "Bearer xoxb-test":
                return Answer(b"<!DOCTYPE html><title>Sign in</title>")
            return Answer(FILES.get(asked.path, b"<!DOCTYPE html><title>Sign in</title>"))
        method = asked.path.rsplit("/", 1)[-1].split("?")[0]
        with self._lock:
            return getattr(self, "_" + method.replace(".", "_").lower())(self.arguments(asked))

    @staticmethod
    def arguments(asked: Asked) -> dict[str, Any]:
        """Return what a method was given, as JSON or as a form."""
        if asked.headers.get("Content-Type", "").startswith("application/json"):
            return dict(asked.json)
        fields = dict(urllib.parse.parse_qsl(asked.body.decode()))
        if "blocks" in fields:
            fields["blocks"] = json.loads(fields["blocks"])
        return fields

    def _auth_test(self, _: dict[str, Any]) -> Answer:
        return Answer(
            {"ok": True, "user_id": "UBOT", "bot_id": "BBOT", "team_id": "T1", "url": "x", "user": "errtriage"}
        )

    def _chat_postmessage(self, told: dict[str, Any]) -> Answer:
        if self.busy:
            self.busy -= 1
            return Answer({"ok": False, "error": "ratelimited"}, 429, {"Retry-After": "1"})
        if told["channel"] in self.closed:
            return Answer({"ok": False, "error": "not_in_channel"})
        stamp = f"9{len(self.messages):04}.0001"
        self.messages[stamp] = told
        return Answer({"ok": True, "ts": stamp, "channel": told["channel"]})

    def _chat_update(self, told: dict[str, Any]) -> Answer:
        if told["ts"] not in self.messages:
            return Answer({"ok": False, "error": "message_not_found"})
        self.messages[told["ts"]] = {**self.messages[told["ts"]], **told, "edited": True}
        return Answer({"ok": True, "ts": told["ts"]})

    def _chat_getpermalink(self, told: dict[str, Any]) -> Answer:
        return Answer({"ok": True, "permalink": f"https://slack.example/{told.get('message_ts')}"})

    def _conversations_replies(self, _: dict[str, Any]) -> Answer:
        return Answer({"ok": True, "messages": self.parents})

    def _files_info(self, told: dict[str, Any]) -> Answer:
        return Answer(
            {"ok": True, "file": {"id": told["file"], "name": "late.log", "url_private": self.url("train.log")}}
        )

    def url(self, name: str) -> str:
        """Return the address of a file."""
        return f"{self.address}/files/{name}"

    def texts(self) -> list[str]:
        """Return all that stands in the channels, as JSON."""
        with self._lock:
            return [json.dumps(one, ensure_ascii=False) for one in self.messages.values()]


@contextmanager
def slack(**settings: Any) -> Iterator[tuple[FakeSlack, SlackBot]]:
    state = FakeSlack()
    with fake(state.answer) as (address, asked):
        state.address, state.asked = address, asked
        bot = Bot(Store(), Settings(**settings), analysis=lambda work, _limits: explained(work))
        keys = Keys(bot_token="xoxb-test", app_token="xapp-test", signing_secret=SECRET, base_url=f"{address}/api/")
        yield state, SlackBot(bot, keys)


@pytest.fixture
def team() -> Iterator[tuple[FakeSlack, str]]:
    """The fake, and the address of the app behind the real uvicorn."""
    with slack() as (state, app), served(app.asgi()) as address:
        yield state, address


def send(
    address: str,
    body: bytes,
    *,
    secret: str = SECRET,
    stamp: str | None = None,
    kind: str = "application/json",
    **more: str,
) -> tuple[int, bytes]:
    """Send a request signed as Slack signs; return status and body."""
    stamp = stamp or str(int(time.time()))
    signed = hmac.new(secret.encode(), b"v0:%s:%s" % (stamp.encode(), body), hashlib.sha256).hexdigest()
    headers = {"Content-Type": kind, "X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": f"v0={signed}"}
    headers |= {name.replace("_", "-"): value for name, value in more.items()}
    request = urllib.request.Request(f"{address}/slack/events", body, headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def event(kind: str = "app_mention", stamp: str = "1.1", channel: str = "C1", **more: Any) -> bytes:
    """Return the body of an event."""
    told = {"type": kind, "channel": channel, "ts": stamp, "user": "U1", **more}
    return json.dumps(
        {"type": "event_callback", "team_id": "T1", "api_app_id": "A", "event_id": f"Ev{stamp}", "event": told}
    ).encode()


def shared(state: FakeSlack, name: str, **more: Any) -> dict[str, Any]:
    return {"id": "F1", "name": name, "size": 500, "url_private_download": state.url(name), "url_private": "x", **more}


def cards(state: FakeSlack) -> list[str]:
    """Return the messages with a header: cards and the heads of full reports."""
    return [text for text in state.texts() if '"header"' in text]


def test_a_mention_with_a_log_is_answered_in_its_thread(team: tuple[FakeSlack, str]) -> None:
    """The card stands in the thread of the mention, the full report below it, all within Slack's limits."""
    state, address = team
    text = f"<@UBOT> what is this?\n```\n{LOG.replace('<', '&lt;')}```"
    assert send(address, event(text=text))[0] == 200
    wait_for(lambda: len(state.texts()) >= 2)
    card, *rest = state.messages.values()
    assert card["thread_ts"] == "1.1"
    assert card["channel"] == "C1"
    assert "FAILED" in card["text"]
    assert all(one["thread_ts"] == "1.1" for one in rest)
    assert all(len(one.get("blocks", ())) <= 50 for one in state.messages.values())
    assert "/home/jo/" not in "".join(state.texts())


def test_a_file_is_read_and_the_first_word_edited(team: tuple[FakeSlack, str]) -> None:
    """The bot first says that it reads, then puts the card in the place of that message."""
    state, address = team
    send(address, event(text="<@UBOT>", files=[shared(state, "train.log")]))
    wait_for(lambda: [one for one in state.messages.values() if one.get("edited")])
    first = next(iter(state.messages.values()))
    assert first["edited"]
    assert "FAILED" in first["text"]
    fetched = [one for one in state.asked if one.path == "/files/train.log"]
    assert fetched[0].headers["Authorization"] == "Bearer xoxb-test"


def test_an_uploaded_log_is_read_without_a_mention(team: tuple[FakeSlack, str]) -> None:
    """A log that is shared in a channel is read; a picture, words and other bots are not."""
    state, address = team
    send(address, event("message", "1.1", subtype="file_share", files=[shared(state, "cat.png")]))
    send(address, event("message", "1.2", text="IndexError: hello"))
    send(address, event("message", "1.3", text=LOG, bot_id="B9", channel_type="im"))
    send(address, event("message", "1.4", subtype="message_changed", channel_type="im"))
    send(address, event("message", "1.5", subtype="file_share", files=[shared(state, "train.log")]))
    wait_for(lambda: cards(state))
    assert {one["thread_ts"] for one in state.messages.values()} == {"1.5"}


def test_a_direct_message_is_answered(team: tuple[FakeSlack, str]) -> None:
    """In a direct message a log needs no mention, and a word gets a word on what the bot reads."""
    state, address = team
    send(address, event("message", "1.1", "D1", text="hi", channel_type="im"))
    wait_for(lambda: [text for text in state.texts() if "I explain logs" in text])
    send(address, event("message", "1.2", "D1", text=HEALTHY_LOG, channel_type="im"))
    wait_for(lambda: [text for text in state.texts() if "CLEAN" in text])


def test_a_mention_below_a_log_reads_that(team: tuple[FakeSlack, str]) -> None:
    """Who asks about a log in its thread gets the answer about the message that started the thread."""
    state, address = team
    state.parents = [{"ts": "0.5", "text": "it died", "files": [shared(state, "train.log")]}]
    send(address, event(text="<@UBOT> please", thread_ts="0.5"))
    wait_for(lambda: cards(state))
    assert {one["thread_ts"] for one in state.messages.values()} == {"0.5"}


def test_what_slack_sends_again_is_answered_once(team: tuple[FakeSlack, str]) -> None:
    """A retry, and the second event of the same message, change nothing."""
    state, address = team
    body = event(text=f"<@UBOT> {LOG}")
    for number in range(3):
        retry = {"X_Slack_Retry_Num": str(number), "X_Slack_Retry_Reason": "http_timeout"} if number else {}
        assert send(address, body, **retry)[0] == 200
    send(address, event("message", text=f"<@UBOT> {LOG}", channel_type="im"))
    wait_for(lambda: cards(state))
    time.sleep(0.5)
    assert len([one for one in state.messages.values() if "FAILED" in one["text"] and one["blocks"][1:]]) >= 1
    first = [one for one in state.asked if one.path.endswith("chat.postMessage")]
    assert len(first) == len(state.messages)
    heads = [one["blocks"][0].get("text", {}).get("text", "") for one in state.messages.values()]
    assert len([head for head in heads if head.startswith("✗")]) == 1


def test_repeats_are_folded_and_the_first_answer_tells(team: tuple[FakeSlack, str]) -> None:
    """The second thread of a fault gets a card with its count and the first one's address, which is edited."""
    state, address = team
    send(address, event(stamp="1.1", text=f"<@UBOT> {LOG}"))
    wait_for(lambda: len(cards(state)) >= 2)
    before = len(state.messages)
    again = LOG.replace("epoch 1", "epoch 7\n\n\nepoch 7")
    send(address, event(stamp="2.1", channel="C2", text=f"<@UBOT> {again}"))
    wait_for(lambda: [text for text in state.texts() if text.count("Seen 2 times") and '"edited"' in text])
    later = list(state.messages.values())[before:]
    assert len(later) == 1
    first = next(iter(state.messages.values()))
    assert "line 2–7:" in first["text"]  # it still tells of its own log
    assert "line 5–10:" in later[0]["text"]
    assert "Seen 2 times since" in json.dumps(later[0])
    assert "https://slack.example/" in json.dumps(later[0])


def test_a_second_log_of_a_thread_edits_the_answer(team: tuple[FakeSlack, str]) -> None:
    """More logs make the bot edit its own card and say so."""
    state, address = team
    send(address, event(stamp="1.1", text="<@UBOT>", files=[shared(state, "train.log")]))
    wait_for(lambda: len(cards(state)) >= 2)
    send(address, event(stamp="1.2", thread_ts="1.1", text="<@UBOT>", files=[shared(state, "other.log")]))
    wait_for(lambda: [text for text in state.texts() if "Read other.log as well" in text])
    heads = [one["blocks"][0].get("text", {}).get("text", "") for one in state.messages.values()]
    assert len([head for head in heads if head.startswith("✗")]) == 1


def test_rate_limits_are_waited_for(team: tuple[FakeSlack, str]) -> None:
    """A 429 with Retry-After is asked again after that time."""
    state, address = team
    state.busy = 1
    started = time.monotonic()
    send(address, event(text=f"<@UBOT> {LOG}"))
    wait_for(lambda: cards(state))
    assert time.monotonic() - started >= 1


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"secret": "wrong"}, "wrong secret"),
        ({"stamp": str(int(time.time()) - 3600)}, "an hour old"),
        ({"stamp": "soon"}, "no number"),
        ({"stamp": "\u0664"}, "no ASCII digit"),
    ],
)
def test_wrong_signatures_are_refused(team: tuple[FakeSlack, str], options: dict[str, str], why: str) -> None:
    """What Slack did not sign, or signed long ago, is 401, and nothing is read."""
    state, address = team
    if not options.get("stamp", "").isascii():
        options = {"stamp": options["stamp"].encode().decode("latin-1")}
    status, _ = send(address, event(text=LOG), **options)
    assert status == 401, why
    time.sleep(0.2)
    assert not state.messages


def test_hostile_requests_are_refused(team: tuple[FakeSlack, str]) -> None:
    """Bodies that are no UTF-8, unsigned, changed or huge harm nothing."""
    _, address = team
    assert send(address, b"\xff\xfe")[0] == 401
    assert send(address, b"x" * (2 << 20))[0] == 413
    request = urllib.request.Request(f"{address}/slack/events", b"{}", {"Content-Type": "application/json"})
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(request, timeout=20)
    assert send(address, b'{"type": "url_verification", "challenge": "abc"}') == (200, b'{"challenge": "abc"}')


def form(**fields: Any) -> bytes:
    return urllib.parse.urlencode(fields).encode()


FORM = "application/x-www-form-urlencoded"


def test_the_message_shortcut_reads_that_message(team: tuple[FakeSlack, str]) -> None:
    """The shortcut answers in the thread of the message that it was called on."""
    state, address = team
    payload = {
        "type": "message_action",
        "callback_id": SHORTCUT,
        "trigger_id": "t1",
        "action_ts": "5.5",
        "team": {"id": "T1"},
        "user": {"id": "U1"},
        "channel": {"id": "C1"},
        "message": {"ts": "3.3", "text": "see", "files": [shared(state, "train.log")]},
        "response_url": f"{state.address}/api/respond",
    }
    body = form(payload=json.dumps(payload))
    assert send(address, body, kind=FORM)[0] == 200
    wait_for(lambda: cards(state))
    assert {one["thread_ts"] for one in state.messages.values()} == {"3.3"}


def test_the_slash_command_answers_in_the_channel(team: tuple[FakeSlack, str]) -> None:
    """The command's text is the log; its answer starts a thread of its own."""
    state, address = team
    body = form(
        command=COMMAND, text=LOG, channel_id="C1", team_id="T1", user_id="U1", trigger_id="t2", response_url="http://x"
    )
    assert send(address, body, kind=FORM)[0] == 200
    wait_for(lambda: len(state.texts()) >= 2)
    card, *rest = state.messages.items()
    assert "thread_ts" not in card[1]
    assert all(one["thread_ts"] == card[0] for _, one in rest)


def test_where_the_bot_may_not_post_the_person_is_told_alone() -> None:
    """In a channel that the bot is not in, a command is answered to its sender."""
    with slack() as (state, app), served(app.asgi()) as address:
        state.closed.add("C9")
        told: list[dict[str, Any]] = []
        state._respond = lambda given: told.append(given) or Answer({"ok": True})  # type: ignore[attr-defined]
        url = f"{state.address}/api/respond"
        body = form(command=COMMAND, text=LOG, channel_id="C9", team_id="T1", trigger_id="t3", response_url=url)
        send(address, body, kind=FORM)
        wait_for(lambda: told)
        assert told[0]["response_type"] == "ephemeral"
        assert "FAILED" in told[0]["text"]


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ({"name": "huge.log", "size": 1 << 30}, "is more than"),
        ({"name": "cat.png"}, "no log (a picture)"),
        ({"name": "none.log"}, "needs the scope files:read"),
        ({"name": "x.log", "url_private_download": "http://127.0.0.1:9/x.log"}, "not on my list"),
        ({"name": "x.log", "url_private_download": "https://evil.example/x.log"}, "not on my list"),
    ],
    ids=["huge", "picture", "login", "other-port", "other-host"],
)
def test_files_that_are_not_read_are_told_of(team: tuple[FakeSlack, str], file: dict[str, Any], why: str) -> None:
    """Each file that is not read has its reason, and the token goes to Slack alone."""
    state, address = team
    told = {**shared(state, file["name"]), **file}
    send(address, event(text="<@UBOT>", files=[told]))
    wait_for(lambda: [text for text in state.texts() if why in text])


def test_a_file_of_another_workspace_is_looked_up(team: tuple[FakeSlack, str]) -> None:
    """Where Slack only names a file, its address is asked for."""
    state, address = team
    send(address, event(text="<@UBOT>", files=[{"id": "F9", "name": "late.log", "file_access": "check_file_info"}]))
    wait_for(lambda: cards(state))


def test_log_text_is_no_markup(team: tuple[FakeSlack, str]) -> None:
    """Mentions, links and signs of a log stay text: they stand in blocks without markup, escaped in the fallback."""
    state, address = team
    hostile = LOG.replace("Target 12", "&lt;!channel&gt; *x* &lt;https://evil.example|ok&gt; \x1b[31m Target 12")
    send(address, event(text=f"<@UBOT>\n```\n{hostile}```"))
    wait_for(lambda: cards(state))
    for one in state.messages.values():
        assert "<!channel>" not in one["text"]
        assert "mrkdwn" not in {block.get("type") for block in one["blocks"]}
        assert '"type": "mrkdwn"' not in json.dumps(one["blocks"])
        assert "\x1b" not in json.dumps(one, ensure_ascii=False)


def test_markup_is_read_as_it_was_written() -> None:
    """Slack's markup becomes the text of the person again."""
    assert plain("<@U1> see <https://a.example/x?y=1&amp;z=2|here> if a &lt; b &amp;&amp; c") == (
        "see https://a.example/x?y=1&z=2 if a < b && c"
    )


def test_too_many_bytes_are_refused_while_they_come() -> None:
    """A file that is larger than it was said to be is cut off."""
    with slack(bounds=Bounds(most_bytes=100)) as (state, app), served(app.asgi()) as address:
        send(address, event(text="<@UBOT>", files=[{**shared(state, "train.log"), "size": 10}]))
        wait_for(lambda: [text for text in state.texts() if "it is too large" in text])


def test_socket_mode_answers_too() -> None:
    """By Socket Mode, over a real WebSocket, an event is acknowledged and answered."""
    pytest.importorskip("websockets", reason="needs the extra bots")
    from websockets.sync.server import serve

    acknowledged: list[dict[str, Any]] = []
    envelope = {
        "type": "events_api",
        "envelope_id": "e1",
        "accepts_response_payload": False,
        "payload": json.loads(event(text=f"<@UBOT> {LOG}")),
    }

    def talk(line: Any) -> None:
        line.send(json.dumps({"type": "hello", "num_connections": 1}))
        line.send(json.dumps(envelope))
        acknowledged.extend(map(json.loads, line))

    with slack() as (state, app), serve(talk, "127.0.0.1", 0) as sockets:
        thread = threading.Thread(target=sockets.serve_forever, daemon=True)
        thread.start()
        url = f"ws://127.0.0.1:{sockets.socket.getsockname()[1]}/link"
        state._apps_connections_open = lambda _: Answer({"ok": True, "url": url})  # type: ignore[attr-defined]
        handler = app.socket_handler()
        handler.connect()
        try:
            wait_for(lambda: cards(state))
            assert acknowledged[0]["envelope_id"] == "e1"
        finally:
            handler.close()
            sockets.shutdown()
