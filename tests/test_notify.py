"""`errtriage run --notify`: a card to a service on loopback; no trouble of a service changes the run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot_servers import Answer, Asked, fake
from errtriage.bot.notify import notify
from errtriage.errors import TransportError
from processes import ran

DIES = "print('step 1', flush=True); import sys; sys.stderr.write('jo@example.com @everyone\\n'); xs = [0]; xs[3]"
FINE = "print('epoch 1 loss 0.5'); print('training finished')"


def run(program: str, *urls: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    options = [part for url in urls for part in ("--notify", url)]
    return ran("run", *options, "--", sys.executable, "-c", program, env={**os.environ, **environment})


def _unmeasured(output: bytes) -> list[bytes]:
    """Return the lines of output without what is measured: times, sizes, and the lines that tell of memory."""
    return [re.sub(rb"[\d.]+", b"0", line) for line in output.splitlines() if b"memory" not in line]


def json_url(address: str) -> str:
    return address.replace("http://", "json://")


def test_a_failure_is_told() -> None:
    """The card of a failed run reaches the service, redacted, in ten lines at most, calling nobody."""
    pytest.importorskip("apprise", reason="needs the extra notify")
    with fake(lambda _: Answer({})) as (address, asked):
        done = run(DIES, json_url(address))
        assert done.returncode == 1
        assert len(asked) == 1
        told = asked[0].json
        assert told["title"] == "errtriage: the command ended with 1"
        assert "IndexError" in told["message"]
        assert len(told["message"].splitlines()) <= 10
        assert "jo@example.com" not in told["message"]
        assert "@everyone" not in told["message"]


def test_a_sound_run_is_not_told() -> None:
    """Nothing is sent where nothing went wrong."""
    with fake(lambda _: Answer({})) as (address, asked):
        assert run(FINE, json_url(address)).returncode == 0
        assert not asked


def test_the_address_may_stand_in_the_environment() -> None:
    """An address holds secrets, so it need not be an argument that others can see."""
    pytest.importorskip("apprise", reason="needs the extra notify")
    with fake(lambda _: Answer({})) as (address, asked):
        run(DIES, ERRTRIAGE_NOTIFY=json_url(address))
        assert len(asked) == 1


@pytest.mark.parametrize("url", ["json://127.0.0.1:9/tok-secret", "nonsense://tok-secret", "tok-secret", ""])
def test_a_failing_service_changes_nothing(url: str) -> None:
    """Exit status and output are those without it; one complaint, without the address."""
    without, done = run(DIES), run(DIES, url)
    assert done.returncode == without.returncode == 1
    assert _unmeasured(done.stdout) == _unmeasured(without.stdout)
    assert b"tok-secret" not in done.stdout + done.stderr
    assert done.stderr.count(b"errtriage: --notify: ") == 1


def test_a_service_that_refuses_or_hangs_is_given_up() -> None:
    """An answer of 500 is told, and one that never comes is not waited for."""
    pytest.importorskip("apprise", reason="needs the extra notify")

    def slow(_: Asked) -> Answer:
        time.sleep(6)
        return Answer({})

    with fake(lambda _: Answer({}, 500)) as (address, _), pytest.raises(TransportError, match="did not take it"):
        notify([json_url(address)], "title", ["line"])
    with fake(slow) as (address, _), pytest.raises(TransportError, match="not sent within"):
        notify([json_url(address)], "title", ["line"], seconds=2)


def test_some_of_several_services_are_reached() -> None:
    """An address that Apprise does not know is told by its number, and the others get the card."""
    pytest.importorskip("apprise", reason="needs the extra notify")
    with fake(lambda _: Answer({})) as (address, asked):
        with pytest.raises(TransportError, match="address 1 is none"):
            notify(["nonsense://x", json_url(address)], "title", ["line"])
        assert len(asked) == 1


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Apprise the complaint says what to install."""
    (tmp_path / "apprise.py").write_text("raise ImportError(name='apprise')", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(TransportError, match=r"pip install 'errtriage\[notify\]'"):
        notify(["json://127.0.0.1:9"], "title", ["line"])
