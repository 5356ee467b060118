"""The bot without its transports: a message goes in, a reply comes out; nothing here touches a network."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

from errtriage.bot.received import Attachment, Bounds, Gatherer, unique
from errtriage.bot.sayings import bot_says, day
from errtriage.bot.store import Sighting, Store
from errtriage.bot.worker import AnalysisError, Limits, Work, analyse
from errtriage.model import Report
from errtriage.redact import redact_text
from errtriage.render.words import View
from errtriage.values import dataclass, field

_MOST_THREADS = 200  # whose logs are kept in memory, so that a thread's next log joins them
_MOST_KEPT = 256 << 20  # bytes of all those logs


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What a person sent: text, a snippet, files; `run` names what it tells of, `thread` where the answer goes.

    `space` is what must not mix: a team, a workspace.
    """

    text: str = ""
    snippet: str = ""
    files: tuple[Attachment, ...] = ()
    run: str = ""
    thread: str = ""
    space: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a transport shows: the report (None where nothing was read) and sentences; all of it redacted.

    `edits` is the bot's own message in this thread, which the report replaces. `folded`: the fault is known from
    another thread, so that the card is enough; `first_message` is the bot's own message there, `first_report` what it
    tells, where that is still known.
    """

    report: Report | None = None
    notes: tuple[str, ...] = ()
    seen: Sighting | None = None
    seen_words: str = ""
    folded: bool = False
    edits: str | None = None
    first_message: str | None = None
    first_report: Report | None = None
    limit: str = ""  # time, memory or none, where the analysis had no answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a bot works: bounds on what it reads, limits on an analysis, its language, knowledge, and redaction."""

    bounds: Bounds = field(default_factory=Bounds)
    limits: Limits = field(default_factory=Limits)
    lang: str = "en"
    knowledge: tuple[str, ...] = ()
    redact: bool = True
    jobs: int = 2  # analyses at the same time

    @property
    def view(self) -> View:
        """How much of a report the bot shows."""
        return View(lang=self.lang)


class Bot:
    """Answers messages, and remembers what it has seen; safe to use from several threads."""

    def __init__(
        self,
        store: Store,
        settings: Settings | None = None,
        *,
        fetch: Callable[[str, int], bytes] | None = None,
        analysis: Callable[[Work, Limits], Report] = analyse,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Take the memory, the settings, what fetches an allowed link (its address, most bytes), and the analysis."""
        self.store = store
        self.settings = settings or Settings()
        self._fetch, self._analysis, self._clock = fetch, analysis, clock
        self._free = threading.BoundedSemaphore(self.settings.jobs)
        self._threads = _Threads()
        self._reports = _Reports()

    def answer(self, message: Message) -> Reply:
        """Return the reply to a message; no content of a message raises."""
        lang = self.settings.lang
        gathered = Gatherer(self.settings.bounds, lang, self._fetch)
        for file in message.files:
            gathered.add_file(file)
        if message.snippet:
            gathered.add("snippet", message.snippet.encode("utf-8", "replace"))
        if message.text.strip():
            gathered.add_text(message.text)
        if not gathered.logs:
            return Reply(notes=self._clean(gathered.notes or (bot_says(lang, "help"),)))
        logs, joined = self._threads.joined(message, gathered.logs, self.settings.bounds)
        notes = list(gathered.notes)
        if joined:
            names = ", ".join(name for name, _ in gathered.logs)
            notes.append(bot_says(lang, "joined", names=names, count=len(logs)))
        own = self.settings
        work = Work(logs=tuple(logs), knowledge=own.knowledge, redact=own.redact, lang=own.lang)
        try:
            with self._free:
                report = self._analysis(work, self.settings.limits)
        except AnalysisError as error:
            notes.append(bot_says(lang, "not-explained", why=error))
            return Reply(notes=self._clean(notes), limit=error.limit)
        return self._told(message, report, self._clean(notes))

    def posted(self, message: Message, own: str) -> None:
        """Note the bot's own message that holds the answer, by the name that its service gave it."""
        self.store.keep_own(message.space, message.thread, own)

    def _told(self, message: Message, report: Report, notes: tuple[str, ...]) -> Reply:
        edits = self.store.own_message(message.space, message.thread)
        self._reports.keep(message.space, message.thread, report)
        if not report.fingerprint:
            return Reply(report=report, notes=notes, edits=edits)
        run = self._clean([message.run or report.sources[0].name])[0]
        seen = self.store.see(message.space, message.thread, report.fingerprint, run)
        elsewhere = seen.first_thread != message.thread
        return Reply(
            report=report,
            notes=notes,
            seen=seen,
            seen_words=self.seen_words(seen),
            folded=elsewhere,
            edits=edits,
            first_message=self.store.own_message(message.space, seen.first_thread) if elsewhere else None,
            first_report=self._reports.of(message.space, seen.first_thread) if elsewhere else None,
        )

    def seen_words(self, seen: Sighting) -> str:
        """Return `Seen 14 times since Monday, first in run X.`, "" for a fault that was seen once."""
        if seen.count < 2:
            return ""
        lang = self.settings.lang
        run = seen.first_run or bot_says(lang, "an-earlier-run")
        return bot_says(lang, "seen", count=seen.count, since=day(seen.since, self._clock(), lang), run=run)

    def _clean(self, texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(redact_text(text)[0] if self.settings.redact else text for text in texts)


class _Reports:
    """The reports of the latest threads, in memory alone: an answer that is edited keeps telling of its own log."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str], Report] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, space: str, thread: str, report: Report) -> None:
        with self._lock:
            self._known[space, thread] = report
            self._known.move_to_end((space, thread))
            if len(self._known) > _MOST_THREADS:
                self._known.popitem(last=False)

    def of(self, space: str, thread: str) -> Report | None:
        with self._lock:
            return self._known.get((space, thread))


class _Threads:
    """The logs of the latest threads, in memory alone: what is sent later joins what was sent before."""

    def __init__(self) -> None:
        self._logs: OrderedDict[tuple[str, str], list[tuple[str, bytes]]] = OrderedDict()
        self._lock = threading.Lock()

    def joined(
        self, message: Message, fresh: Sequence[tuple[str, bytes]], bounds: Bounds
    ) -> tuple[list[tuple[str, bytes]], bool]:
        """Return the logs of the message's thread, and whether earlier ones are among them."""
        if not message.thread:
            return list(fresh), False
        key = (message.space, message.thread)
        with self._lock:
            known = self._logs.pop(key, [])
            present = {data for _, data in known}
            logs = list(known)
            for name, data in fresh:
                if data not in present:
                    logs.append((unique(name, [other for other, _ in logs]), data))
            while len(logs) > len(fresh) and _over(logs, bounds):
                logs.pop(0)
            self._logs[key] = logs
            while len(self._logs) > 1 and (len(self._logs) > _MOST_THREADS or self._size() > _MOST_KEPT):
                self._logs.popitem(last=False)
        return logs, bool(known) and len(logs) > len(fresh)

    def _size(self) -> int:
        return sum(len(data) for logs in self._logs.values() for _, data in logs)


def _over(logs: Sequence[tuple[str, bytes]], bounds: Bounds) -> bool:
    return len(logs) > bounds.most_logs or sum(len(data) for _, data in logs) > bounds.most_bytes
