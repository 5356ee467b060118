"""The benchmarks measure the right thing: reports of made-up logs hold the counts that the generator put in."""

from __future__ import annotations

import importlib
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from errtriage.render.json import to_dict
from errtriage.scan.engines import VARIABLE
from errtriage.triage import triage

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
SIZE = 3_000_000  # bytes
KINDS = ("plain", "spam", "tqdm", "text", "woven")
COUNTED = {"plain": 10, "spam": 1, "tqdm": 0, "text": 10, "woven": 10}  # kinds of faults and assertions, at least


@pytest.fixture(autouse=True)
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The modules of the benchmarks can be imported."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A small log of each kind, with its truth beside it."""
    folder = tmp_path_factory.mktemp("logs")
    made = {kind: folder / f"{kind}.log" for kind in KINDS}
    for kind, log in made.items():
        maker = [sys.executable, str(BENCHMARKS / "make_logs.py"), kind, str(SIZE), "-o", str(log)]
        subprocess.run([*maker, "--truth", str(log.with_suffix(".json"))], check=True)
    return made


@pytest.mark.parametrize("engine", ["skeleton", "hyperscan"])
@pytest.mark.parametrize("kind", KINDS)
def test_counts_are_those_of_the_generator(
    logs: dict[str, Path], monkeypatch: pytest.MonkeyPatch, kind: str, engine: str
) -> None:
    """Lines, faults and assertions of a made-up log come with their exact numbers, by either engine."""
    if engine == "hyperscan":
        pytest.importorskip("hyperscan")
    monkeypatch.setenv(VARIABLE, engine)
    report = json.dumps(to_dict(triage(logs[kind])))
    truth = json.loads(logs[kind].with_suffix(".json").read_text())
    assert len(truth["faults"]) + len(truth["asserts"]) >= COUNTED[kind]
    assert importlib.import_module("truth").mistakes(report.encode(), logs[kind]) == []


def test_a_wrong_count_is_seen(logs: dict[str, Path]) -> None:
    """A report that counts one line too few is not taken for right."""
    told = to_dict(triage(logs["plain"]))
    truth = importlib.import_module("truth")
    text = "OSError: [Errno 28] No space left on device"
    item = next(one for entry in told["explanations"] for one in entry["evidence"] if text in one["text"])
    item["count"] -= 1
    told["sources"][0]["lines"] -= 1
    said = truth.mistakes(json.dumps(told).encode(), logs["plain"])
    assert [one.partition(":")[0] for one in said[1:]] == ["OSError"]
    assert "lines, not" in said[0]


def test_the_same_seed_makes_the_same_log(logs: dict[str, Path]) -> None:
    """The bytes of a log follow from kind, size and seed."""
    maker = importlib.import_module("make_logs").Maker(0)
    assert b"".join(maker.pieces("plain", SIZE)) == logs["plain"].read_bytes()
    assert maker.truth == json.loads(logs["plain"].with_suffix(".json").read_text())


def test_the_tables_are_made_by_one_command(tmp_path: Path) -> None:
    """A section runs on small logs and writes its table, and the program says by its status that counts are right."""
    target = tmp_path / "results.md"
    options = ["throughput", "--size", "100k", "--rounds", "1", "--folder", str(tmp_path), "--write", str(target)]
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "run.py"), *options], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    text = target.read_text(encoding="utf-8")
    assert "All counts are the generator's." in text
    assert {line.split(" ")[1] for line in text.splitlines() if "errtriage, standard" in line} == set(KINDS)


def test_every_step_of_the_profile_exists() -> None:
    """The modules by which the profile tells steps apart are there, so that no row stays empty for ever."""
    steps = importlib.import_module("profile_steps").STEPS
    names = {
        name.removesuffix(".__init__") for _, modules in steps for name in modules if name.startswith("errtriage.")
    }
    for name in names - {"errtriage."}:
        parent, _, last = name.rpartition(".")
        module = importlib.import_module(parent)
        is_module = hasattr(module, "__path__") and importlib.util.find_spec(name) is not None
        assert is_module or callable(getattr(module, last, None)), name
