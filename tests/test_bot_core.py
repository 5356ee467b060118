"""The bot's core: what it reads, refuses, joins, folds and remembers; links, memory, the limits of its worker."""

from __future__ import annotations

import gzip
import stat
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from bot_servers import HEALTHY_LOG, LOG, OTHER_LOG, Answer, Asked, fake
from errtriage.bot.core import Bot, Message, Reply, Settings
from errtriage.bot.links import check_allowed, fetch, is_allowed
from errtriage.bot.received import Attachment, Bounds
from errtriage.bot.sayings import SAYINGS, size
from errtriage.bot.store import Store
from errtriage.bot.worker import AnalysisError, Limits, Work, analyse, explained
from errtriage.errors import TransportError

DAY = 86400.0


def attached(data: bytes, name: str = "train.log") -> Attachment:
    return Attachment(name=name, load=lambda: data, size=len(data))


def bot(**settings: Any) -> Bot:
    """Return a bot whose analyses run in this process."""
    return Bot(Store(), Settings(**settings), analysis=lambda work, _limits: explained(work))


def answer(*data: bytes, text: str = "", snippet: str = "", **settings: Any) -> Reply:
    files = tuple(attached(one, f"{at}.log") for at, one in enumerate(data))
    return bot(**settings).answer(Message(text=text, snippet=snippet, files=files, thread="t"))


@pytest.mark.parametrize(
    "message",
    [
        Message(text=f"it died again\n```\n{LOG}```\nany idea?"),
        Message(text=f"```python\n{LOG}"),
        Message(text=LOG),
        Message(snippet=LOG),
        Message(files=(attached(LOG.encode()),)),
        Message(files=(attached(gzip.compress(LOG.encode()), "train.log.gz"),)),
        Message(files=(attached(LOG.encode("utf-16")),)),
        Message(text="what is this?", files=(attached(LOG.encode()),)),
    ],
    ids=["fenced", "fence-left-open", "bare", "snippet", "file", "packed", "utf-16", "file-and-words"],
)
def test_a_log_is_read_however_it_is_sent(message: Message) -> None:
    """Text, snippet and file give the same answer."""
    told = bot().answer(message)
    assert told.report is not None
    assert told.report.explanations[0].id == "target-out-of-range"
    assert not told.notes


@pytest.mark.parametrize("text", ["hello", "thanks, that was it!", "  ", "can you help me?"])
def test_a_few_words_are_no_log(text: str) -> None:
    """Words that are no log get a sentence about what the bot reads."""
    told = bot().answer(Message(text=text))
    assert told.report is None
    assert told.notes == (SAYINGS["en"]["help"],)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "a picture"),
        (b"PK\x03\x04" + bytes(100), "a ZIP archive"),
        (b"\x80\x04\x95" + bytes(100), "a pickle"),
        (bytes(range(256)) * 20, "binary data"),
        (b"", "is empty"),
        (b" \n \n", "is empty"),
    ],
)
def test_what_is_no_log_is_not_read(data: bytes, why: str) -> None:
    """A file that is no log is refused in a sentence that says what it is."""
    told = answer(data)
    assert told.report is None
    assert why in told.notes[0]


def test_what_is_too_large_is_not_even_fetched() -> None:
    """A file whose size is told to be over the bound is refused before it is loaded."""
    loaded = []
    file = Attachment(name="huge.log", load=lambda: loaded.append(1) or b"", size=3 << 20)
    told = bot(bounds=Bounds(most_bytes=1 << 20)).answer(Message(files=(file,)))
    assert told.notes == ("I did not read huge.log: 3 MiB is more than the 1 MiB that I take.",)
    assert not loaded


def test_the_bound_holds_for_all_logs_together_and_for_lies_about_size() -> None:
    """Logs beyond the bound are left out, the others are read."""
    big = b"x" * 1100 + b"\n"
    lying = Attachment(name="lying.log", load=lambda: big * 2, size=1)
    told = bot(bounds=Bounds(most_bytes=1200)).answer(Message(files=(attached(LOG.encode()), attached(big), lying)))
    assert told.report is not None
    assert [one.name for one in told.report.sources] == ["train.log"]
    assert len(told.notes) == 2


def test_only_so_many_logs_are_read() -> None:
    """More logs than the bound are counted and left out."""
    told = answer(*[LOG.encode()] * 5, bounds=Bounds(most_logs=3))
    assert told.report is not None
    assert len(told.report.sources) == 3
    assert told.notes == ("I did not read 2 more: 3 at once are what I take.",)


def test_a_file_that_can_not_be_fetched_is_told_of() -> None:
    """Trouble while a file is fetched is a sentence, not an error."""

    def load() -> bytes:
        raise TransportError("the server answered 403")

    told = bot().answer(Message(files=(Attachment(name="a.log", load=load),)))
    assert told.notes == ("I could not fetch a.log: the server answered 403.",)


def test_equal_names_stay_apart() -> None:
    """Two files of one name are two sources."""
    files = (attached(LOG.encode(), "log"), attached(HEALTHY_LOG.encode(), "log"))
    told = bot().answer(Message(files=files))
    assert told.report is not None
    assert [one.name for one in told.report.sources] == ["log", "log (2)"]


def test_answers_are_redacted() -> None:
    """What leaves is redacted unless that is switched off, the name of a file as well."""
    log = LOG + "requests.get('https://jo:hunter2secret@db.example.com/') from jo.doe@example.com\n"
    hidden, open_ = answer(log.encode()), answer(log.encode(), redact=False)
    assert hidden.report is not None
    assert open_.report is not None
    assert "/home/jo/" not in repr(hidden.report)
    assert "/home/jo/" in repr(open_.report)
    assert hidden.report.fingerprint == open_.report.fingerprint
    told = bot().answer(Message(files=(attached(b"", "jo.doe@example.com.log"),)))
    assert "jo.doe" not in told.notes[0]


def test_repeats_are_folded() -> None:
    """The same fault in other threads is counted, with its day and where it was first; other spaces do not count."""
    now = [1_796_000_000.0]
    store = Store(clock=lambda: now[0])
    made = Bot(store, analysis=lambda work, _limits: explained(work), clock=lambda: now[0])

    def ask(thread: str, log: str = LOG, space: str = "team") -> Reply:
        return made.answer(Message(snippet=log, thread=thread, space=space, run=f"run {thread}"))

    first = ask("a")
    assert not first.folded
    assert first.seen_words == ""
    made.posted(Message(thread="a", space="team"), "own-a")
    now[0] += 2 * DAY
    again = ask("b")
    assert again.folded
    assert again.first_message == "own-a"
    assert again.first_report == first.report
    assert again.seen is not None
    assert again.seen.count == 2
    weekdays = ("Mon", "Tues", "Wednes", "Thurs", "Fri", "Satur", "Sun")
    assert again.seen_words in {f"Seen 2 times since {day}day, first in run a." for day in weekdays}
    now[0] += 20 * DAY
    assert "since 2026-" in ask("c").seen_words
    assert not ask("d", OTHER_LOG).folded
    assert not ask("e", space="other team").folded
    assert not ask("f", HEALTHY_LOG).folded


def test_a_thread_counts_once() -> None:
    """Asking again in the same thread is no further sighting, and edits the bot's own message."""
    made = bot()
    message = Message(snippet=LOG, thread="a", space="s")
    made.answer(message)
    made.posted(message, "own")
    again = made.answer(message)
    assert again.seen is not None
    assert again.seen.count == 1
    assert again.edits == "own"
    assert not again.folded


def test_what_is_sent_later_joins_what_was_sent_before() -> None:
    """A thread's second log makes a report on both; the same log sent twice is one."""
    made = bot()
    made.answer(Message(files=(attached(LOG.encode(), "rank0.log"),), thread="a"))
    both = made.answer(Message(files=(attached(OTHER_LOG.encode(), "rank1.log"),), thread="a"))
    assert both.report is not None
    assert [one.name for one in both.report.sources] == ["rank0.log", "rank1.log"]
    assert "rank1.log" in both.notes[0]
    same = made.answer(Message(files=(attached(OTHER_LOG.encode(), "rank1.log"),), thread="a"))
    assert same.report is not None
    assert len(same.report.sources) == 2
    other = made.answer(Message(files=(attached(OTHER_LOG.encode(), "rank1.log"),), thread="b"))
    assert other.report is not None
    assert len(other.report.sources) == 1


ALLOWED = ("https://ci.example.com/artifacts", "https://*.logs.example.com", "http://127.0.0.1:8000/a/")


@pytest.mark.parametrize(
    ("link", "allowed"),
    [
        ("https://ci.example.com/artifacts/1/train.log", True),
        ("https://ci.example.com/artifacts", True),
        ("https://a.logs.example.com/x?y=1", True),
        ("http://127.0.0.1:8000/a/b", True),
        ("https://ci.example.com/artifactsother/1", False),
        ("http://ci.example.com/artifacts/1", False),
        ("https://ci.example.com:8443/artifacts/1", False),
        ("https://ci.example.com.evil.org/artifacts/1", False),
        ("https://ci.example.com@evil.org/artifacts/1", False),
        ("https://ci.example.com/artifacts/../secret", False),
        ("https://ci.example.com/artifacts/%2e%2e/secret", False),
        ("https://ci.example.com/artifacts/%252e%252e/secret", False),
        ("https://ci.example.com\\@evil.org/artifacts/1", False),
        ("https://logs.example.com/x", False),
        ("https://evillogs.example.com/x", False),
        ("http://127.0.0.1:8001/a/b", False),
        ("http://[::1/a", False),
        ("https://ci.example.com:port/artifacts/1", False),
        ("file:///etc/passwd", False),
        ("https://ci.example.com/artifacts/1\r\nX: y", False),
    ],
)
def test_links_stand_below_an_allowed_address(link: str, allowed: bool) -> None:
    """Scheme, host, port and path must all fit; nothing that readers could disagree on is taken."""
    assert is_allowed(link, ALLOWED) == allowed


@pytest.mark.parametrize("address", ["ci.example.com", "file:///tmp", "https://", ""])
def test_an_allowed_address_is_checked(address: str) -> None:
    """An allowed address that could never fit is an error at the start."""
    with pytest.raises(TransportError, match="begins with https"):
        check_allowed([address])


def test_links_are_fetched_and_redirects_checked() -> None:
    """An allowed link is read; redirects out of the list, large bodies and errors are refused in a sentence."""

    def serve(asked: Asked) -> Answer:
        if asked.path == "/a/out":
            return Answer(b"", 302, {"Location": "/secret"})
        if asked.path == "/a/in":
            return Answer(b"", 302, {"Location": "/a/log"})
        return Answer(b"", 404) if asked.path == "/a/none" else Answer(LOG.encode())

    with fake(serve) as (address, asked):
        allowed = (f"{address}/a",)
        made = Bot(
            Store(),
            Settings(bounds=Bounds(most_bytes=4096, allowed_links=allowed)),
            fetch=lambda link, most: fetch(link, allowed, most),
            analysis=lambda work, _limits: explained(work),
        )
        told = made.answer(Message(text=f"please look at {address}/a/in."))
        assert told.report is not None
        assert told.report.explanations[0].id == "target-out-of-range"
        for path, why in (("/a/out", "not on my list"), ("/a/none", "404"), ("/secret", "not on my list")):
            assert why in made.answer(Message(text=f"{address}{path}")).notes[0]
        assert not [one for one in asked if one.path == "/secret"]
        with pytest.raises(TransportError, match="too large"):
            fetch(f"{address}/a/log", allowed, 10)


def test_credentials_stay_with_their_host() -> None:
    """A redirect to another host does not carry the header of authorization."""
    with (
        fake(lambda _: Answer(b"there")) as (there, asked),
        fake(lambda _: Answer(b"", 302, {"Location": f"{there}/x"})) as (here, _),
    ):
        assert fetch(here + "/y", (here, there), 100, {"Authorization": "Bearer secret"}) == b"there"
        assert "Authorization" not in asked[0].headers


def test_links_in_a_pasted_log_are_not_followed() -> None:
    """Addresses in a log are part of the log."""
    told = bot().answer(Message(text=LOG + "\nsee https://pytorch.org/docs/stable/notes.html\n"))
    assert told.report is not None
    assert not told.notes


def test_the_memory_forgets(tmp_path: Path) -> None:
    """What is older than the retention is gone, and the file is for its owner alone."""
    now = [1_796_000_000.0]
    path = tmp_path / "deep" / "bot.sqlite"
    store = Store(path, days=10, clock=lambda: now[0])
    store.see("s", "a", "f", "run a")
    assert store.is_new("event")
    assert not store.is_new("event")
    store.close()
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = Store(path, days=10, clock=lambda: now[0])
    assert again.see("s", "b", "f", "run b").count == 2
    now[0] += 11 * DAY
    seen = again.see("s", "c", "f", "run c")
    assert (seen.count, seen.first_run) == (1, "run c")
    assert again.is_new("event")


def test_the_memory_serves_many_threads() -> None:
    """A request that comes many times at once is new once."""
    store = Store()
    new: list[bool] = []
    threads = [threading.Thread(target=lambda: new.append(store.is_new("event"))) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(new) == [False] * 19 + [True]


def test_a_memory_that_can_not_be_opened_is_told_of(tmp_path: Path) -> None:
    """A folder in the place of the file is one line."""
    with pytest.raises(TransportError, match="can not be opened"):
        Store(tmp_path)


def test_the_worker_explains_in_its_own_process() -> None:
    """The report of the worker's process is that of ours."""
    work = Work(logs=(("train.log", LOG.encode()),))
    here, there = explained(work), analyse(work, Limits())
    assert there.fingerprint == here.fingerprint
    assert there.explanations == here.explanations


def test_the_worker_has_a_limit_on_time() -> None:
    """An analysis that takes too long is ended, and the reply says so."""
    made = Bot(Store(), Settings(limits=Limits(seconds=0.01)))
    told = made.answer(Message(snippet=LOG))
    assert told.report is None
    assert told.limit == "time"
    assert told.notes == ("No report: the analysis took more than 0.01 seconds.",)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the address space of a process")
def test_the_worker_has_a_limit_on_memory() -> None:
    """An analysis that needs too much memory ends without harm to us."""
    with pytest.raises(AnalysisError) as caught:
        analyse(Work(logs=(("train.log", LOG.encode() * 20_000),)), Limits(memory=1 << 20))
    assert caught.value.limit == "memory"


def test_the_worker_gets_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables that hold secrets are not passed on to the analysis."""
    from errtriage.bot.worker import _environment

    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-1")
    monkeypatch.setenv("LARK_APP_SECRET", "s")
    assert not {"SLACK_BOT_TOKEN", "LARK_APP_SECRET"} & _environment().keys()


def test_the_sentences_are_there_in_each_language() -> None:
    """Every language has every sentence, with the same holes."""
    import string

    def holes(text: str) -> set[str | None]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    for lang, known in SAYINGS.items():
        assert known.keys() == SAYINGS["en"].keys(), lang
        for key, text in known.items():
            assert holes(text) == holes(SAYINGS["en"][key]), (lang, key)


def test_sizes_are_rounded_up() -> None:
    """A size is told in the largest unit that fits, rounded up."""
    assert [size(n) for n in (900, 1025, 3 << 20, 5 << 30)] == ["900 B", "2 KiB", "3 MiB", "5 GiB"]
