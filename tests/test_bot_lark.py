"""The Feishu app against a fake of its API on loopback: verified, encrypted callbacks in, replies and edits out."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from bot_servers import HEALTHY_LOG, LOG, OTHER_LOG, Answer, Asked, fake, served, wait_for
from errtriage.bot.lark_content import content_of

pytest.importorskip("lark_oapi", reason="needs the extra lark")
pytest.importorskip("starlette", reason="needs the extra lark")
pytest.importorskip("uvicorn", reason="needs the extra lark")

from errtriage.bot.core import Bot, Settings
from errtriage.bot.lark import Keys, LarkBot
from errtriage.bot.store import Store
from errtriage.bot.worker import explained

TOKEN, KEY = "verification-token", "encrypt-key"
FILES = {"train": LOG.encode(), "other": OTHER_LOG.encode(), "cat": b"\x89PNG" * 90}


class FakeFeishu:
    """The messages that stand in its chats, what it was asked, and how busy it says it is."""

    def __init__(self) -> None:
        self.messages: dict[str, dict[str, Any]] = {}
        self.edited: dict[str, int] = {}
        self.parent: tuple[str, dict[str, str]] | None = None
        self.busy = 0
        self._lock = threading.Lock()

    def answer(self, asked: Asked) -> Answer:
        """Return the answer of the call that the path names."""
        path = asked.path.split("?")[0].removeprefix("/open-apis")
        with self._lock:
            if path.startswith("/auth/"):
                return Answer({"code": 0, "msg": "ok", "tenant_access_token": "t-1", "expire": 7200})
            assert asked.headers.get("Authorization") == "Bearer t-1"
            if path.endswith("/reply"):
                return self._reply(asked, path.split("/")[-2])
            if "/resources/" in path:
                data = FILES.get(path.rsplit("/", 1)[-1])
                return Answer(data) if data else Answer({"code": 234003, "msg": "File not in msg."}, 400)
            name = path.rsplit("/", 1)[-1]
            if asked.method == "PATCH":
                self.messages[name]["content"] = asked.json["content"]
                self.edited[name] = self.edited.get(name, 0) + 1
                return Answer({"code": 0, "msg": "ok", "data": {}})
            if self.parent is None:
                return Answer({"code": 230002, "msg": "The bot is not in the group."}, 400)
            item = {"message_id": name, "msg_type": self.parent[0], "body": {"content": json.dumps(self.parent[1])}}
            return Answer({"code": 0, "msg": "ok", "data": {"items": [item]}})

    def _reply(self, asked: Asked, to: str) -> Answer:
        if self.busy:
            self.busy -= 1
            return Answer(
                {"code": 99991400, "msg": "request trigger frequency limit"}, 429, {"x-ogw-ratelimit-reset": "1"}
            )
        name = f"om_{len(self.messages)}"
        self.messages[name] = {**asked.json, "to": to}
        return Answer({"code": 0, "msg": "ok", "data": {"message_id": name}})

    def texts(self) -> list[str]:
        """Return the contents of all messages, in order."""
        with self._lock:
            return [one["content"] for one in self.messages.values()]


@contextmanager
def feishu(key: str = "", **settings: Any) -> Iterator[tuple[FakeFeishu, str, list[Asked]]]:
    state = FakeFeishu()
    with fake(state.answer) as (address, asked):
        bot = Bot(Store(), Settings(**settings), analysis=lambda work, _limits: explained(work))
        # The SDK keeps tokens by app for the life of the process: each fake is an app of its own.
        keys = Keys(app_id=f"cli_{address}", app_secret="s", verification_token=TOKEN, encrypt_key=key, domain=address)
        app = LarkBot(bot, keys)
        with served(app.asgi()) as place:
            yield state, place, asked
            app.close()


def event(content: dict[str, Any], kind: str = "text", name: str = "om_in", token: str = TOKEN, **more: str) -> bytes:
    """Return the body of an event in its second form."""
    message = {
        "message_id": name,
        "chat_id": "oc_1",
        "chat_type": "group",
        "message_type": kind,
        "content": json.dumps(content),
        **more,
    }
    header = {
        "event_id": f"ev_{name}",
        "event_type": "im.message.receive_v1",
        "token": token,
        "tenant_key": "t",
        "app_id": "cli",
        "create_time": "1",
    }
    return json.dumps({"schema": "2.0", "header": header, "event": {"sender": {}, "message": message}}).encode()


def encrypted(body: bytes, key: str = KEY) -> bytes:
    """Return a body as Feishu encrypts it: AES-256-CBC under the hash of the key, its vector in front."""
    aes = pytest.importorskip("Crypto.Cipher.AES")
    pad = 16 - len(body) % 16
    vector = b"0123456789abcdef"
    cipher = aes.new(hashlib.sha256(key.encode()).digest(), aes.MODE_CBC, vector)
    return json.dumps(
        {"encrypt": base64.b64encode(vector + cipher.encrypt(body + bytes([pad]) * pad)).decode()}
    ).encode()


def signed(body: bytes, key: str = KEY) -> dict[str, str]:
    """Return the headers with which Feishu signs a body."""
    stamp, nonce = str(int(time.time())), "nonce"
    sign = hashlib.sha256((stamp + nonce + key).encode() + body).hexdigest()
    return {"X-Lark-Request-Timestamp": stamp, "X-Lark-Request-Nonce": nonce, "X-Lark-Signature": sign}


def send(place: str, body: bytes, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
    request = urllib.request.Request(
        f"{place}/lark/events", body, {"Content-Type": "application/json", **(headers or {})}
    )
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def failed(state: FakeFeishu) -> list[str]:
    """Return the cards that tell of a failure."""
    return [text for text in state.texts() if '"red"' in text]


def test_a_text_is_answered_in_its_thread() -> None:
    """A mention with a log gets a card in the thread, then the full report, in cards of plain text alone."""
    with feishu() as (state, place, _):
        assert send(place, event({"text": f"@_user_1 {LOG}"}))[0] == 200
        wait_for(lambda: len(state.texts()) >= 2)
        assert failed(state) == state.texts()[:1]
        for one in state.messages.values():
            assert one["to"] == "om_in"
            assert one["msg_type"] == "interactive"
            assert one["reply_in_thread"] is True
            assert len(one["content"].encode()) < 30_000
            assert "lark_md" not in one["content"]
        assert "/home/jo/" not in "".join(state.texts())


def test_a_file_is_read_and_the_first_word_edited() -> None:
    """A file is fetched with the app's token; the card takes the place of the word that it is being read."""
    with feishu() as (state, place, asked):
        send(place, event({"file_key": "train", "file_name": "train.log"}, "file"))
        wait_for(lambda: failed(state) and state.edited.get("om_0"))
        assert next(one.path for one in asked if "/resources/" in one.path).startswith(
            "/open-apis/im/v1/messages/om_in/resources/train"
        )


def test_a_word_said_to_a_file_reads_that_file() -> None:
    """In a group a file can not mention the bot, so that who replies to it with a mention asks about it."""
    with feishu() as (state, place, _):
        state.parent = ("file", {"file_key": "train", "file_name": "train.log"})
        send(place, event({"text": "@_user_1"}, parent_id="om_file", root_id="om_file"))
        wait_for(lambda: failed(state))
        state.parent = None
        send(place, event({"text": "@_user_1"}, name="om_2", parent_id="om_gone"))
        wait_for(lambda: [text for text in state.texts() if "I explain logs" in text])


def test_the_language_is_that_of_the_reader() -> None:
    """With Chinese asked for, the bot's own words are Chinese."""
    with feishu(lang="zh") as (state, place, _):
        send(place, event({"text": "@_user_1 你好"}))
        wait_for(lambda: [text for text in state.texts() if "日志" in text])


def test_what_comes_again_is_answered_once() -> None:
    """Feishu sends again what was not answered in three seconds: one message has one answer."""
    with feishu() as (state, place, _):
        for _ in range(3):
            assert send(place, event({"text": LOG}))[0] == 200
        wait_for(lambda: len(state.texts()) >= 2)
        time.sleep(0.5)
        assert len(failed(state)) == 1


def test_repeats_are_folded_and_joined() -> None:
    """Another thread of the fault gets a card with its count; another log of a thread edits the card there."""
    with feishu() as (state, place, _):
        send(place, event({"text": LOG}, name="om_a"))
        wait_for(lambda: len(state.texts()) >= 2)
        before = len(state.texts())
        send(place, event({"text": LOG}, name="om_b"))
        wait_for(lambda: state.edited.get("om_0"))
        assert len(state.texts()) == before + 1
        assert all("Seen 2 times" in text for text in failed(state))
        send(place, event({"file_key": "other", "file_name": "other.log"}, "file", "om_c", root_id="om_b"))
        wait_for(lambda: [text for text in state.texts() if "Read other.log as well" in text])


def test_rate_limits_are_waited_for() -> None:
    """A call that came too often is made again when Feishu says."""
    with feishu() as (state, place, _):
        state.busy = 1
        started = time.monotonic()
        send(place, event({"text": HEALTHY_LOG}))
        wait_for(lambda: [text for text in state.texts() if '"green"' in text])
        assert time.monotonic() - started >= 1


def test_encrypted_callbacks_are_read() -> None:
    """With a key, what is encrypted and signed is read; the address is verified by its challenge."""
    with feishu(KEY) as (state, place, _):
        body = encrypted(event({"text": LOG}))
        assert send(place, body, signed(body))[0] == 200
        wait_for(lambda: failed(state))
        asked = encrypted(json.dumps({"type": "url_verification", "challenge": "abc", "token": TOKEN}).encode())
        assert send(place, asked, signed(asked)) == (200, b'{"challenge":"abc"}')


def test_what_is_not_verified_is_refused() -> None:
    """A wrong token, key or signature, an unsigned or plain body are 401, and nothing is read."""
    body = encrypted(event({"text": LOG}))
    wrong = encrypted(event({"text": LOG}), "another-key")
    clear = event({"text": LOG})
    with feishu(KEY) as (state, place, _):
        for one, headers in (
            (body, signed(body, "another-key")),
            (body, {**signed(body), "X-Lark-Signature": "0" * 64}),
            (body, {}),
            (wrong, signed(wrong)),
            (clear, {}),
            (b"\xff\xfe", {}),
            (b"[]", {}),
            (b"", {}),
        ):
            assert send(place, one, headers)[0] == 401
        time.sleep(0.2)
        assert not state.messages
    with feishu() as (state, place, _):
        assert send(place, event({"text": LOG}, token="wrong"))[0] == 401
        assert send(place, b'{"type": "url_verification", "challenge": "abc", "token": "wrong"}')[0] == 401
        assert send(place, b"x" * (2 << 20))[0] == 413
        time.sleep(0.2)
        assert not state.messages


@pytest.mark.parametrize(("key", "why"), [("cat", "a picture"), ("none", "File not in msg")])
def test_files_that_are_not_read_are_told_of(key: str, why: str) -> None:
    """Each file that is not read has its reason."""
    with feishu() as (state, place, _):
        send(place, event({"file_key": key, "file_name": "file"}, "file"))
        wait_for(lambda: [text for text in state.texts() if why in text])


@pytest.mark.parametrize(
    ("kind", "content", "text", "files"),
    [
        ("text", '{"text": "@_user_1 a\\nb @_all"}', "a\nb", ()),
        ("file", '{"file_key": "k", "file_name": "n.log"}', "", (("k", "n.log"),)),
        ("post", '{"title": "t", "content": [[{"tag": "text", "text": "a"}, {"tag": "at"}], []]}', "t\na", ()),
        ("post", '{"zh_cn": {"content": [[{"tag": "code_block", "text": "x\\ny"}]]}}', "\n```\nx\ny\n```\n", ()),
        ("image", '{"image_key": "k"}', "", ()),
        ("text", "no json", "", ()),
        ("text", "[]", "", ()),
        ("file", "{}", "", ()),
        (None, None, "", ()),
        ("post", '{"content": ' + "[" * 500 + "]" * 500 + "}", "", ()),
    ],
)
def test_contents_are_read(
    kind: str | None, content: str | None, text: str, files: tuple[tuple[str, str], ...]
) -> None:
    """Texts, posts and files give their text and files; everything else, and what is broken, gives nothing."""
    told = content_of(kind, content)
    assert (told.text, told.files) == (text, files)
