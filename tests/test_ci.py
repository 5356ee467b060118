"""The explanation of failed CI jobs: the action's script and GitLab's snippet as they run, against fake APIs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot_servers import LOG, OTHER_LOG, Answer, Asked, fake

ROOT = Path(__file__).parents[1]
MARK = "<!-- errtriage -->"
needs_bash = pytest.mark.skipif(
    sys.platform == "win32" or shutil.which("bash") is None, reason="the scripts are for bash"
)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A checkout with the program that the log tells of, and its log."""
    (tmp_path / "train").mkdir()
    (tmp_path / "train" / "train.py").write_text("x = 1\n" * 60, encoding="utf-8")
    (tmp_path / "train.log").write_text(LOG, encoding="utf-8")
    (tmp_path / "event.json").write_text(json.dumps({"pull_request": {"number": 7}}), encoding="utf-8")
    return tmp_path


def environment(workspace: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "CI_", "GITLAB_"))}
    return {**kept, "ERRTRIAGE_PYTHON": sys.executable, "GITHUB_ACTION_PATH": str(ROOT), **more}


def action(workspace: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run what the action runs, with the variables that GitHub sets."""
    known = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(workspace),
        "GITHUB_STEP_SUMMARY": str(workspace / "summary.md"),
        "GITHUB_OUTPUT": str(workspace / "output.txt"),
        "GITHUB_REPOSITORY": "team/model",
        "GITHUB_RUN_ID": "42",
        "GITHUB_RUN_ATTEMPT": "2",
        "GITHUB_EVENT_PATH": str(workspace / "event.json"),
        "GITHUB_TOKEN": "token-1",
        **more,
    }
    return subprocess.run(
        ["bash", str(ROOT / "ci" / "github.sh")],
        cwd=workspace,
        env=environment(workspace, **known),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@needs_bash
def test_the_action_explains_a_log(workspace: Path) -> None:
    """The report stands in the log and the summary, annotations beside the code, outputs for later steps."""
    done = action(workspace, ERRTRIAGE_LOG="train.log\n")
    assert done.returncode == 0, done.stderr
    assert "evidence" in done.stdout
    annotation = re.search(r"^::error file=([^,]+),line=57,", done.stdout, re.MULTILINE)
    assert annotation is not None
    assert annotation[1] == "train/train.py"
    summary = (workspace / "summary.md").read_text(encoding="utf-8")
    assert "IndexError: Target 12 is out of bounds." in summary
    assert "/home/jo/" not in summary + done.stdout
    outputs = dict(line.split("=", 1) for line in (workspace / "output.txt").read_text(encoding="utf-8").splitlines())
    assert outputs["verdict"] == "failed"
    assert outputs["id"] == "target-out-of-range"
    assert set(outputs) == {"verdict", "id", "headline"}


@needs_bash
@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"ERRTRIAGE_LOG": "none*.log"}, "no log to explain"),
        ({"ERRTRIAGE_LOG": "$(touch hacked); `touch hacked`\n--help\n"}, "no log to explain"),
        ({"ERRTRIAGE_LOG": "train.log", "ERRTRIAGE_FOLDER": "/nonexistent"}, "no such folder"),
        ({"ERRTRIAGE_PYTHON": "/nonexistent/python"}, "ended with"),
        ({"GITHUB_API_URL": "http://127.0.0.1:9"}, "could not be fetched"),
    ],
    ids=["none", "hostile", "knowledge", "python", "api"],
)
def test_the_action_never_fails_the_job(workspace: Path, more: dict[str, str], why: str) -> None:
    """Whatever is wrong is one line, and nothing of an input is run."""
    done = action(workspace, **more)
    assert done.returncode == 0
    assert why in done.stderr
    assert not (workspace / "hacked").exists()


def github(asked: Asked) -> Answer:
    path = asked.path.split("?")[0]
    if path == "/storage/log":
        assert "Authorization" not in asked.headers
        return Answer("".join(f"2026-11-30T20:00:00.0000000Z {line}\n" for line in LOG.splitlines()).encode())
    assert asked.headers["Authorization"] == "Bearer token-1"
    if path == "/repos/team/model/actions/runs/42/attempts/2/jobs":
        jobs: list[dict[str, Any]] = [{"id": n, "name": f"job {n}", "conclusion": "success"} for n in range(100)]
        if "page=2" in asked.path.replace("per_page", ""):
            jobs = [{"id": 500, "name": "train (a100) / <b>", "conclusion": "failure"}]
        return Answer({"jobs": jobs})
    if path == "/repos/team/model/actions/jobs/500/logs":
        storage = asked.headers["Host"].replace("127.0.0.1", "localhost")
        return Answer(b"", 302, {"Location": f"http://{storage}/storage/log"})
    if path == "/repos/team/model/issues/7/comments" and asked.method == "POST":
        return Answer({"id": 3})
    return Answer({"message": "Not Found"}, 404)


@needs_bash
def test_the_action_fetches_the_logs_of_failed_jobs(workspace: Path) -> None:
    """Without a log, those of the failed jobs are fetched; the token stays with the API."""
    with fake(github) as (address, asked):
        done = action(workspace, GITHUB_API_URL=address)
    assert done.returncode == 0
    summary = (workspace / "summary.md").read_text(encoding="utf-8")
    assert "### `train (a100) / <b>`" in summary
    assert "Target 12 is out of bounds" in summary
    assert [one for one in asked if one.path == "/storage/log"]


@needs_bash
@pytest.mark.parametrize("earlier", [False, True])
def test_the_comment_is_written_once(workspace: Path, earlier: bool) -> None:
    """The first run comments, later ones edit that comment; those of people stay."""

    def answer(asked: Asked) -> Answer:
        if asked.method == "GET":
            own = [{"id": 3, "body": f"{MARK}\nold"}] if earlier else []
            return Answer(json.dumps([{"id": 1, "body": f"see {MARK}"}, *own]).encode())
        return Answer({"id": 3})

    with fake(answer) as (address, asked):
        done = action(workspace, ERRTRIAGE_LOG="train.log", ERRTRIAGE_COMMENT="true", GITHUB_API_URL=address)
    assert done.returncode == 0, done.stderr
    sent = [one for one in asked if one.method != "GET"]
    assert [(one.method, one.path) for one in sent] == (
        [("PATCH", "/repos/team/model/issues/comments/3")]
        if earlier
        else [("POST", "/repos/team/model/issues/7/comments")]
    )
    assert sent[0].json["body"].startswith(MARK)
    assert len(sent[0].json["body"]) < 65_536


def test_the_action_names_what_its_script_reads() -> None:
    """Every input reaches the script as a variable, and none stands in the text of the script."""
    told = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    step = told["runs"]["steps"][0]
    used = set(re.findall(r"inputs\.(\w+)", json.dumps(step["env"])))
    assert used == set(told["inputs"])
    assert "${{" not in step["run"]
    script = (ROOT / "ci" / "github.sh").read_text(encoding="utf-8")
    assert all(name in script for name in step["env"] if name != "GITHUB_TOKEN")
    assert set(told["outputs"]) == {"verdict", "id", "headline"}


def snippet(name: str, key: str) -> str:
    """Return the script of a job of GitLab's snippet, with the installed errtriage in the place of its own."""
    lines = yaml.safe_load((ROOT / "ci" / "gitlab.yml").read_text(encoding="utf-8"))[name][key]
    script = "\n".join(lines)
    script = re.sub(r"(?m)^.*-m (?:venv|pip) .*(?:&&)?$", "true" + (" &&" if "&&" in script else ""), script)
    return re.sub(r"\S*python3? (?=-m errtriage)|\S*python3 (?=-m errtriage)", f"{sys.executable} ", script)


def gitlab(workspace: Path, script: str, **more: str) -> subprocess.CompletedProcess[str]:
    known = {"GITLAB_CI": "true", "CI_PROJECT_ID": "11", "CI_PIPELINE_ID": "22", "CI_MERGE_REQUEST_IID": "5"}
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=workspace,
        env=environment(workspace, **known, **more),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@needs_bash
def test_the_snippet_explains_the_log_of_its_job(workspace: Path) -> None:
    """After a failed job its log is explained; after a sound one nothing is said."""
    script = snippet(".errtriage", "after_script")
    done = gitlab(workspace, script, CI_JOB_STATUS="failed", ERRTRIAGE_LOG="train.log")
    assert done.returncode == 0, done.stderr
    assert "Target 12" in done.stdout
    assert "Target 12" in (workspace / "errtriage.md").read_text(encoding="utf-8")
    assert gitlab(workspace, script, CI_JOB_STATUS="success").stdout == ""


@needs_bash
def test_the_snippet_explains_all_failed_jobs(workspace: Path) -> None:
    """The job at the end of the pipeline fetches the logs of those that failed, and writes a note."""

    def answer(asked: Asked) -> Answer:
        assert asked.headers["Private-Token"] == "token-2"
        path = asked.path.split("?")[0]
        if path == "/projects/11/pipelines/22/jobs":
            return Answer(json.dumps([{"id": 1, "name": "train"}, {"id": 2, "name": "eval"}]).encode())
        if path.endswith("/trace"):
            return Answer((LOG if "/1/" in path else OTHER_LOG).encode())
        return Answer(b"[]") if asked.method == "GET" else Answer({"id": 9})

    with fake(answer) as (address, asked):
        done = gitlab(
            workspace,
            snippet(".errtriage-pipeline", "script"),
            CI_API_V4_URL=address,
            ERRTRIAGE_GITLAB_TOKEN="token-2",
            ERRTRIAGE_COMMENT="--comment",
        )
    assert done.returncode == 0, done.stderr
    told = (workspace / "errtriage.md").read_text(encoding="utf-8")
    assert "Target 12" in told
    assert "torchvision" in told
    assert [one.path for one in asked if one.method == "POST"] == ["/projects/11/merge_requests/5/notes"]
