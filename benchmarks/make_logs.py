"""Makes training logs of any size for the benchmarks, and says in a truth file what they hold.

    make_logs.py KIND SIZE -o FILE [--truth FILE] [--seed N]      SIZE such as 200k, 100M, 1G

Kinds: `plain` (metrics and progress, one line in a thousand is a fault), `spam` (nine lines in ten are device
assertions, some woven with others or over ranks), `tqdm` (carriage-return bars with colours, newlines megabytes apart),
`text` (no two lines alike), `woven` (`plain` of 64 ranks); and the slow paths: `warnings` (all of them different),
`candidates` (every line holds a word of a fault), `tracebacks` (short ones by the thousand), `longline` (no line end).
The bytes follow from kind, size and seed. `-o -` streams.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from log_lines import ASSERTIONS, FAULTS, ORDINARY, WORDS

_WEIGHTS = [weight for weight, _ in ORDINARY]
_ROWS = [row.replace("9", "\0") for _, row in ORDINARY]
# Whole blocks are filled with digits at once, as long numbers: a row at a time costs ten times more.
_ZEROS = bytes(byte or 48 for byte in range(256))
_PLACES = bytes([255, *[0] * 255])
_DIGITS = bytes(byte % 10 for byte in range(256))


class Maker:
    """Makes the text of one log, piece by piece, and counts what it put in."""

    def __init__(self, seed: int) -> None:
        """Take the seed."""
        self.random = random.Random(seed)
        self.step = 0
        self.line = 1
        self.truth: dict[str, object] = {}
        self.faults: dict[str, _Told] = {}
        self.asserts: dict[str, _Told] = {}
        self.words = [
            "".join(self.random.choices("aeioulnrstdmckp", k=self.random.randrange(2, 11))) for _ in range(4000)
        ]

    def ordinary(self, count: int) -> list[str]:
        """Return lines of a healthy run."""
        rows = []
        for step, row in enumerate(self.random.choices(_ROWS, _WEIGHTS, k=count), self.step + 1):
            numbered = row.replace("§", str(step))
            if "@" in row:
                clock = f"{step // 3600 % 24:02d}:{step // 60 % 60:02d}:{step % 60:02d}"
                numbered = numbered.replace("@", clock)
            rows.append(numbered)
        self.step += count
        return self.filled("\n".join(rows)).split("\n")

    def filled(self, template: str) -> str:
        """Return a text with a random digit for each NUL."""
        text = template.encode()
        places = int.from_bytes(text.translate(_PLACES), "little")
        digits = int.from_bytes(self.random.randbytes(len(text)).translate(_DIGITS), "little") & places
        return (int.from_bytes(text.translate(_ZEROS), "little") + digits).to_bytes(len(text), "little").decode()

    def fault(self, line: int) -> str:
        """Return one line of a failing run, which will stand on that line of the log."""
        rng = self.random
        text = rng.choice(FAULTS)
        # Those with a name or a place of their own are told apart, and a report cites but a few of them.
        if "{w}" not in text and ".py:{n}" not in text:
            self.faults.setdefault(text.partition("{")[0], _Told(first=line)).add(line, 1)
        text = text.replace("{n}", str(rng.randrange(10, 4000))).replace("{f}", f"{rng.random() * 80:.2f}")
        return text.replace("{w}", rng.choice(WORDS))

    def plain(self) -> str:
        """Return metrics and progress with a fault now and then."""
        rows = self.ordinary(2000)
        for at in sorted(self.random.sample(range(len(rows)), 2)):
            rows[at] = self.fault(self.line + at)
        return self._done(rows)

    def woven(self) -> str:
        """Return `plain` as 64 ranks print it."""
        rng = self.random
        return self._done([f"[rank{rng.randrange(64)}]: {row}" for row in self.plain().splitlines()], again=True)

    def text(self) -> str:
        """Return lines of which no two are alike."""
        rng = self.random
        rows = []
        for _ in range(2000):
            self.step += 1
            if rng.random() < 0.3:
                rows.append(f"request {rng.getrandbits(128):032x} shard={rng.getrandbits(64):016x} took {self.step} ok")
            else:
                rows.append(f"sample {self.step}: " + " ".join(rng.choices(self.words, k=rng.randrange(6, 24))))
        for at in sorted(rng.sample(range(len(rows)), 2)):
            rows[at] = self.fault(self.line + at)
        return self._done(rows)

    def spam(self) -> str:
        """Return a run of device assertions and some ordinary lines."""
        rng = self.random
        count = int(10 ** rng.uniform(3, 5.3))
        kinds = rng.sample(ASSERTIONS, 2 if rng.random() < 0.25 else 1)
        ranks = [f"[rank{at}]: " for at in range(4)] if rng.random() < 0.2 else [""]
        threads, blocks = rng.choice([32, 128, 512]), rng.choice([64, 216, 1024])
        rows: list[str] = []
        while len(rows) < count:
            place, condition = rng.choice(kinds)
            head, tail = f"{rng.choice(ranks)}{place}: block: [", f",0,0] Assertion `{condition}` failed."
            run = count if len(kinds) * len(ranks) == 1 else rng.choice([1, 1, 4, 32])
            new = range(len(rows), min(count, len(rows) + run))
            rows += [f"{head}{at // threads % blocks},0,0], thread: [{at % threads}{tail}" for at in new]
            told = self.asserts.setdefault(condition, _Told(first=self.line + new.start))
            told.add(self.line + new.stop - 1, len(new))
            told.threads.update(at % threads for at in new)
            told.blocks.update(at // threads % blocks for at in new)
        return self._done(rows) + self._done(self.ordinary(count // 9))

    def tqdm(self) -> str:
        """Return a progress bar of some megabytes."""
        rng = self.random
        total, goal = rng.randrange(2000, 60000), rng.randrange(1 << 20, 8 << 20)
        colour = rng.choice(["", "\x1b[32m", "\x1b[1;34m"])
        reset = colour and "\x1b[0m"
        up = rng.choice(["", "", "\x1b[A", "\x1b[K"])
        parts: list[str] = []
        size = at = 0
        self.step += 1
        while size < goal:
            at += 1
            full = min(at, total) * 40 // total
            bar = "█" * full + " " * (40 - full)
            part = (
                f"\r{up}Epoch {self.step}: {colour}{min(at, total) * 100 // total:3d}%{reset}|{bar}| {at}/{total} "
                f" [{at // 600:02d}:{at // 10 % 60:02d}, {8 + 4 * rng.random():.2f}it/s, "
                f"loss={rng.random() * 4:.3f}]"
            )
            if rng.random() < 1e-4:
                part += "\r" + self.fault(self.line)
            parts.append(part)
            size += len(part) + 2 * full
        long = '{"weights": [' + self.numbers(200_000) + "]}\n" if rng.random() < 0.1 else ""
        text = "".join(parts) + "\n" + long
        self.line += text.count("\n")
        return text

    def warnings(self) -> str:
        """Return warnings of which no two are alike."""
        rng = self.random
        return self._done([
            f"train.py:{rng.randrange(999)}: UserWarning: {' '.join(rng.choices(self.words, k=6))} {self.step}"
            for self.step in range(self.step, self.step + 2000)
        ])  # fmt: skip

    def candidates(self) -> str:
        """Return lines that hold a word of a fault and are none."""
        return self._done([f"{row} lastError=none" for row in self.ordinary(2000)])

    def tracebacks(self) -> str:
        """Return short tracebacks, such as a server prints one for each failed request."""
        rows = []
        for _ in range(500):
            self.step += 1
            rows += [
                "Traceback (most recent call last):",
                f'  File "serve.py", line {self.random.randrange(99)}, in get',
            ]
            rows += ["    return self.cache[key]", f"KeyError: '{self.random.choice(self.words)}-{self.step}'"]
        return self._done(rows)

    def longline(self) -> str:
        """Return a piece of a line that never ends."""
        return self.numbers(20_000)

    def numbers(self, count: int) -> str:
        """Return numbers with commas behind them."""
        return self.filled("0.\0\0\0\0\0\0, " * count)

    def _done(self, rows: list[str], *, again: bool = False) -> str:
        self.line += 0 if again else len(rows)
        return "\n".join(rows) + "\n"

    def pieces(self, kind: str, size: int) -> Iterator[bytes]:
        """Yield the log piece by piece until it has at least `size` bytes; then `truth` is complete."""
        make: Callable[[], str] = getattr(self, kind)
        done = newlines = 0
        while done < size:
            piece = make().encode()
            done += len(piece)
            newlines += piece.count(b"\n")
            yield piece
        faults = {start: told.as_json() for start, told in self.faults.items()}
        asserts = {condition: told.as_json() for condition, told in self.asserts.items()}
        self.truth = {"kind": kind, "bytes": done, "newlines": newlines, "faults": faults, "asserts": asserts}


@dataclass
class _Told:
    """What the truth tells of one assertion or of one kind of fault, which is named by how its lines begin."""

    first: int
    last: int = 0
    lines: int = 0
    threads: set[int] = field(default_factory=set)
    blocks: set[int] = field(default_factory=set)

    def add(self, last: int, lines: int) -> None:
        self.last = last
        self.lines += lines

    def as_json(self) -> dict[str, int]:
        sizes = {"threads": len(self.threads), "blocks": len(self.blocks)} if self.threads else {}
        return {"lines": self.lines, "first": self.first, "last": self.last, **sizes}


KINDS = ("plain", "spam", "tqdm", "text", "woven", "warnings", "candidates", "tracebacks", "longline")


def size_of(text: str) -> int:
    """Return the bytes of a size such as 200k, 100M or 1G (powers of ten)."""
    found = re.fullmatch(r"(\d+)([kMG]?)", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text}: not a size such as 100M")
    return int(found[1]) * {"": 1, "k": 10**3, "M": 10**6, "G": 10**9}[found[2]]


def make(kind: str, size: int, path: Path, truth: Path | None = None, seed: int = 0) -> None:
    """Write a log, and its truth as JSON."""
    maker = Maker(seed)
    with path.open("wb") as file:
        file.writelines(maker.pieces(kind, size))
    if truth is not None:
        truth.write_text(json.dumps(maker.truth, indent=1) + "\n")


def main() -> None:
    """Read the command line and write the log."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("size", type=size_of)
    parser.add_argument("-o", default="-")
    parser.add_argument("--truth", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    path = Path("/dev/stdout" if options.o == "-" else options.o)
    try:
        make(options.kind, options.size, path, options.truth, options.seed)
    except BrokenPipeError:
        sys.exit(0)


if __name__ == "__main__":
    main()
