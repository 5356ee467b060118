"""The HTTP server: the real uvicorn on loopback, asked by a real client."""

from __future__ import annotations

import concurrent.futures
import gzip
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot_servers import HEALTHY_LOG, LOG, OTHER_LOG, served, wait_for

pytest.importorskip("starlette", reason="needs the extra http")
pytest.importorskip("uvicorn", reason="needs the extra http")
pytest.importorskip("python_multipart", reason="needs the extra http")

from errtriage.bot.core import Bot, Settings
from errtriage.bot.http import Door, Server
from errtriage.bot.http_guard import Rate, caller
from errtriage.bot.http_openapi import FORMATS
from errtriage.bot.received import Bounds
from errtriage.bot.store import Store
from errtriage.bot.worker import AnalysisError, explained

MOST = 64 << 10


def app(door: Door | None = None, **settings: Any) -> Any:
    bot = Bot(
        Store(), Settings(bounds=Bounds(most_bytes=MOST), **settings), analysis=lambda work, _limits: explained(work)
    )
    return Server(bot, door or Door(per_minute=0)).app


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served(app()) as place:
        yield place


def ask(url: str, body: bytes | Any | None = None, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of an answer."""
    request = urllib.request.Request(url, data=body, headers={k.replace("_", "-"): v for k, v in headers.items()})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, dict(answer.headers.items()), answer.read()
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers.items()), error.read()


def upload(*files: tuple[str, bytes]) -> tuple[bytes, str]:
    """Return a multipart body and its type."""
    parts = [
        b'--edge\r\nContent-Disposition: form-data; name="log"; filename="%s"\r\n'
        b"Content-Type: text/plain\r\n\r\n%s\r\n" % (name.encode(), data)
        for name, data in files
    ]
    return b"".join(parts) + b"--edge--\r\n", "multipart/form-data; boundary=edge"


def test_a_log_as_the_body_is_explained(address: str) -> None:
    """The body is the log, the answer its report as JSON with what the bot knows beside it."""
    status, headers, body = ask(f"{address}/v1/explain?name=train.log&run=run-7", LOG.encode())
    told = json.loads(body)
    assert status == 200
    assert headers["content-type"] == "application/json"
    assert told["schema"] == "errtriage.report/1"
    assert told["explanations"][0]["id"] == "target-out-of-range"
    assert told["sources"][0]["name"] == "train.log"
    assert told["seen"]["first_run"] == "run-7"
    assert "/home/jo/" not in body.decode()


def test_repeats_are_counted(address: str) -> None:
    """The same fault again is told with its count and the run that had it first."""
    for number in (1, 2, 3):
        _, _, body = ask(f"{address}/v1/explain?run=job-{number}", OTHER_LOG.encode())
    seen = json.loads(body)["seen"]
    assert (seen["count"], seen["first_run"]) == (3, "job-1")


def test_uploads_are_one_job(address: str) -> None:
    """Each file of a multipart upload is one log of the same job, packed ones as well."""
    body, kind = upload(("rank0.log", LOG.encode()), ("rank1.log.gz", gzip.compress(HEALTHY_LOG.encode())))
    status, _, told = ask(f"{address}/v1/explain", body, Content_Type=kind)
    assert status == 200
    assert [one["name"] for one in json.loads(told)["sources"]] == ["rank0.log", "rank1.log.gz"]


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_is_there(address: str, format: str) -> None:
    """Each format has its type; a page may do nothing in a browser."""
    status, headers, body = ask(f"{address}/v1/explain?format={format}", LOG.encode())
    assert status == 200
    assert headers["content-type"].startswith(FORMATS[format])
    assert len(body) > 50
    assert headers["x-content-type-options"] == "nosniff"
    assert ("sandbox" in headers.get("content-security-policy", "")) == (format == "html")


@pytest.mark.parametrize(
    ("query", "body", "kind", "status"),
    [
        ("", b"", "text/plain", 400),
        ("?format=exe", LOG.encode(), "text/plain", 400),
        ("", b"\x89PNG\r\n\x1a\n" + bytes(500), "image/png", 415),
        ("", LOG.encode(), "multipart/form-data", 400),
        ("", b"--edge\r\nno head", "multipart/form-data; boundary=edge", 400),
        ("", b"--edge\r\n" * 3000, "multipart/form-data; boundary=edge", 400),
        ("", upload(*[(f"{n}.log", b"x\n") for n in range(200)])[0], "multipart/form-data; boundary=edge", 400),
        ("", b"x" * (MOST + 1), "text/plain", 413),
        ("", upload(("big.log", b"x" * MOST))[0], "multipart/form-data; boundary=edge", 413),
    ],
    ids=["empty", "format", "picture", "no-boundary", "cut", "edges", "many-files", "huge", "huge-upload"],
)
def test_what_is_not_taken_has_its_status(address: str, query: str, body: bytes, kind: str, status: int) -> None:
    """Hostile and broken bodies are refused with a sentence, and the server goes on."""
    told, _, answer = ask(f"{address}/v1/explain{query}", body, Content_Type=kind)
    assert told == status
    assert json.loads(answer)["error"]
    assert ask(f"{address}/healthz")[0] == 200


def test_a_body_without_a_length_is_counted(address: str) -> None:
    """A body that comes in chunks without an end is cut off at the bound."""
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        while sent < 200 * MOST:
            sent += 8192
            yield b"x" * 8191 + b"\n"

    try:
        status, _, _ = ask(f"{address}/v1/explain", endless(), Transfer_Encoding="chunked")
    except (urllib.error.URLError, ConnectionError, http.client.HTTPException):
        status = 413  # the server hung up before the client had read the answer
    assert status == 413
    assert ask(f"{address}/healthz")[0] == 200


def test_a_client_that_goes_away_harms_nothing(address: str) -> None:
    """A body that ends early leaves the server as it was."""
    host, port = address.removeprefix("http://").split(":")
    for head in (b"Content-Length: 5000\r\n", b"Transfer-Encoding: chunked\r\n"):
        with socket.create_connection((host, int(port)), 5) as line:
            line.sendall(b"POST /v1/explain HTTP/1.1\r\nHost: x\r\n" + head + b"\r\n10\r\npart")
    assert ask(f"{address}/v1/explain", LOG.encode())[0] == 200


def test_hostile_logs_are_explained(address: str) -> None:
    """Odd bytes, markup, control signs and a packed bomb give an answer, and nothing of them is alive in it."""
    hostile = LOG.replace("Target 12", "<script>alert(1)</script> \x1b]0;x\x07 Target 12").encode() + bytes(range(256))
    status, _, body = ask(f"{address}/v1/explain?format=html", hostile)
    assert status == 200
    assert b"<script>alert" not in body
    assert b"\x1b" not in body
    bomb = gzip.compress(b"\n" * (20 << 20))
    assert len(bomb) < MOST
    assert ask(f"{address}/v1/explain", bomb)[0] == 200


def test_other_ways_in_are_closed(address: str) -> None:
    """Only the documented paths and methods answer."""
    assert ask(f"{address}/v1/explain")[0] == 405
    assert ask(f"{address}/")[0] == 404
    assert ask(f"{address}/v1/../../etc/passwd")[0] == 404


def test_metrics_count(address: str) -> None:
    """Counters rise with each request, and every line has Prometheus' form."""
    ask(f"{address}/v1/explain", LOG.encode())
    status, headers, body = ask(f"{address}/metrics")
    text = body.decode()
    assert status == 200
    assert headers["content-type"].startswith("text/plain; version=0.0.4")
    assert re.search(r'^errtriage_reports_total\{verdict="failed"\} [1-9]', text, re.MULTILINE)
    line = re.compile(r'# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]+"\})? [0-9.e+-]+')
    assert all(line.fullmatch(one) for one in text.splitlines())
    counts = [int(n) for n in re.findall(r"_bucket\S+ (\d+)", text)]
    assert counts == sorted(counts)


def test_openapi_describes_every_path(address: str) -> None:
    """The description names each route, and each status that an explanation can have."""
    status, _, body = ask(f"{address}/openapi.json")
    told = json.loads(body)
    assert status == 200
    assert told["openapi"].startswith("3.1")
    assert set(told["paths"]) == {"/v1/explain", "/healthz", "/metrics", "/openapi.json"}
    answers = told["paths"]["/v1/explain"]["post"]["responses"]
    assert {"200", "400", "401", "408", "413", "415", "429", "503", "504", "507"} <= set(answers)


def test_tokens_are_asked_for() -> None:
    """Without a valid bearer token nothing is explained; health needs none."""
    with served(app(Door(tokens=("first-token", "second-token"), per_minute=0))) as place:
        url = f"{place}/v1/explain"
        assert ask(url, LOG.encode())[0] == 401
        assert ask(url, LOG.encode(), Authorization="Bearer wrong")[0] == 401
        assert ask(url, LOG.encode(), Authorization="Basic first-token")[0] == 401
        assert ask(url, LOG.encode(), Authorization="Bearer second-token")[0] == 200
        assert ask(f"{place}/healthz")[0] == 200


def test_holders_of_tokens_do_not_see_one_another() -> None:
    """What one holder has sent is not counted for another."""
    with served(app(Door(tokens=("one", "two"), per_minute=0))) as place:
        url = f"{place}/v1/explain"
        ask(url, LOG.encode(), Authorization="Bearer one")
        _, _, told = ask(url, LOG.encode(), Authorization="Bearer two")
        assert json.loads(told)["seen"]["count"] == 1


def test_the_rate_is_limited() -> None:
    """A caller that asks too often is told when to come back."""
    with served(app(Door(per_minute=2))) as place:
        answers = [ask(f"{place}/v1/explain", LOG.encode()) for _ in range(3)]
        assert [one[0] for one in answers] == [200, 200, 429]
        assert 1 <= int(answers[2][1]["retry-after"]) <= 31


def test_limits_of_the_analysis_have_their_status() -> None:
    """Too slow is 504, too much memory 507, and the server goes on."""

    def fails(limit: str) -> Any:
        def analysis(_work: Any, _limits: Any) -> Any:
            raise AnalysisError("too much", limit)

        return Server(Bot(Store(), analysis=analysis), Door(per_minute=0)).app

    for limit, status in (("time", 504), ("memory", 507), ("none", 500)):
        with served(fails(limit)) as place:
            assert ask(f"{place}/v1/explain", LOG.encode())[0] == status


def test_too_many_at_once_are_turned_away() -> None:
    """Requests beyond what can wait get 503 rather than a place in an endless queue."""

    def slow(work: Any, _limits: Any) -> Any:
        time.sleep(0.3)
        return explained(work)

    bot = Bot(Store(), Settings(jobs=1), analysis=slow)
    with (
        served(Server(bot, Door(per_minute=0)).app) as place,
        concurrent.futures.ThreadPoolExecutor(24) as pool,
    ):
        answers = list(pool.map(lambda _: ask(f"{place}/v1/explain", LOG.encode())[0], range(24)))
    assert set(answers) == {200, 503}
    assert answers.count(200) >= 8


def test_the_bucket_refills() -> None:
    """A bucket gives back what its rate says, for each caller alone."""
    now = [0.0]
    rate = Rate(60, clock=lambda: now[0])
    assert [rate.wait("a") for _ in range(60)] == [0.0] * 60
    assert rate.wait("a") == pytest.approx(1.0)
    assert rate.wait("b") == 0.0
    now[0] += 1.5
    assert rate.wait("a") == 0.0
    assert rate.wait("a") > 0


def test_callers_have_a_name_that_is_no_token() -> None:
    """The holder of a token is named by its hash."""
    name = caller("Bearer secret", ("other", "secret"))
    assert name is not None
    assert "secret" not in name
    assert caller("Bearer Secret", ("secret",)) is None
    assert caller("", ("",)) is None


def test_the_command_serves(tmp_path: Path) -> None:
    """`errtriage bot http` starts, explains in a process of its own, and ends on SIGTERM."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "ERRTRIAGE_TOKENS": "a, b"}
    command = [sys.executable, "-m", "errtriage", "bot", "http", "--port", str(port)]
    server = subprocess.Popen(
        [*command, "--state", str(tmp_path / "s")], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    url = f"http://127.0.0.1:{port}"

    def is_up() -> bool:
        try:
            return ask(f"{url}/healthz")[0] == 200
        except OSError:
            return False

    try:
        wait_for(is_up)
        status, _, body = ask(f"{url}/v1/explain?format=plain", LOG.encode(), Authorization="Bearer b")
        assert status == 200
        assert b"outside" in body.lower() or b"label" in body.lower()
    finally:
        server.terminate()
        server.communicate(timeout=20)


def test_an_open_address_needs_tokens() -> None:
    """The command refuses to listen for everybody without a token."""
    environment = {name: value for name, value in os.environ.items() if name != "ERRTRIAGE_TOKENS"}
    done = subprocess.run(
        [sys.executable, "-m", "errtriage", "bot", "http", "--host", "0.0.0.0"],
        env=environment,
        capture_output=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 2
    assert b"set ERRTRIAGE_TOKENS" in done.stderr
