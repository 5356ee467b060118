"""The APIs of GitHub and GitLab as far as a CI run needs them: the logs of its failed jobs, and one comment of ours."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote, urlsplit

from errtriage.errors import TransportError

MARK = "<!-- errtriage -->"  # by which our own comment is found again
_MOST_BYTES = 256 << 20
_MOST_PAGES = 10
_SECONDS = 60.0
_CHUNK = 1 << 20
_UNSAFE = re.compile(r"[^\w.-]+")


class Service(Protocol):
    """Where a run is. Every method raises TransportError, one line, where the service does not answer."""

    def failed_jobs(self, folder: Path, most: int) -> list[tuple[str, str]]:
        """Fetch the logs of the run's failed jobs into a folder; return names of jobs and paths."""

    def comment(self, text: str) -> None:
        """Put a text on the pull or merge request, in the place of our earlier one."""


class GitHub:
    """https://docs.github.com/rest/actions/workflow-jobs and .../rest/issues/comments."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        """Take the variables that GitHub sets, and GITHUB_TOKEN."""
        self._known = environment
        self._api = environment.get("GITHUB_API_URL") or "https://api.github.com"
        self._repository = f"{self._api}/repos/{environment.get('GITHUB_REPOSITORY', '')}"
        token = environment.get("GITHUB_TOKEN", "")
        self._headers = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    def failed_jobs(self, folder: Path, most: int) -> list[tuple[str, str]]:
        """Fetch the logs of the failed jobs of this attempt of the run; needs the permission `actions: read`."""
        run = f"{self._repository}/actions/runs/{self._known.get('GITHUB_RUN_ID', '')}"
        listing = f"{run}/attempts/{self._known.get('GITHUB_RUN_ATTEMPT') or '1'}/jobs"
        failed: list[tuple[str, str]] = []
        for page in range(1, _MOST_PAGES + 1):
            jobs = _get(f"{listing}?per_page=100&page={page}", self._headers).get("jobs") or []
            for job in jobs:
                if job.get("conclusion") == "failure" and len(failed) < most:
                    link = f"{self._repository}/actions/jobs/{int(job['id'])}/logs"
                    failed.append((job["name"], _saved(link, self._headers, folder, job["name"], job["id"])))
            if len(jobs) < 100:
                break
        return failed

    def comment(self, text: str) -> None:
        """Comment on the pull request of the run; needs the permission `pull-requests: write`."""
        number = self._pull_request()
        if number is None:
            raise TransportError("this run is not of a pull request")
        place = f"{self._repository}/issues/{number}/comments"
        body = {"body": f"{MARK}\n{text}"}
        for own in _listed(place, self._headers):
            if str(own.get("body") or "").startswith(MARK):
                _send("PATCH", f"{self._repository}/issues/comments/{int(own['id'])}", self._headers, body)
                return
        _send("POST", place, self._headers, body)

    def _pull_request(self) -> int | None:
        try:
            event = json.loads(Path(self._known.get("GITHUB_EVENT_PATH", "")).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        told = event.get("pull_request") or {}
        return int(told["number"]) if "number" in told else None


class GitLab:
    """https://docs.gitlab.com/api/jobs and .../api/notes; a job's own token may read neither."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        """Take the variables that GitLab sets, and ERRTRIAGE_GITLAB_TOKEN."""
        self._known = environment
        api = environment.get("CI_API_V4_URL") or "https://gitlab.com/api/v4"
        self._project = f"{api}/projects/{quote(environment.get('CI_PROJECT_ID', ''), safe='')}"
        token = environment.get("ERRTRIAGE_GITLAB_TOKEN", "")
        self._headers = {"PRIVATE-TOKEN": token} if token else {}

    def failed_jobs(self, folder: Path, most: int) -> list[tuple[str, str]]:
        """Fetch the logs of the failed jobs of this pipeline; the token needs the scope `read_api`."""
        listing = f"{self._project}/pipelines/{self._known.get('CI_PIPELINE_ID', '')}/jobs?scope[]=failed"
        jobs = list(_listed(listing, self._headers))[:most]
        found = []
        for job in jobs:
            link = f"{self._project}/jobs/{int(job['id'])}/trace"
            found.append((job["name"], _saved(link, self._headers, folder, job["name"], job["id"])))
        return found

    def comment(self, text: str) -> None:
        """Write a note on the merge request of the pipeline; the token needs the scope `api`."""
        number = self._known.get("CI_MERGE_REQUEST_IID")
        if not number:
            raise TransportError("this pipeline is not of a merge request")
        place = f"{self._project}/merge_requests/{number}/notes"
        body = {"body": f"{MARK}\n{text}"}
        for own in _listed(place, self._headers):
            if str(own.get("body") or "").startswith(MARK):
                _send("PUT", f"{place}/{int(own['id'])}", self._headers, body)
                return
        _send("POST", place, self._headers, body)


def _listed(place: str, headers: Mapping[str, str]) -> Iterator[Any]:
    sign = "&" if "?" in place else "?"
    for page in range(1, _MOST_PAGES + 1):
        items = _get(f"{place}{sign}per_page=100&page={page}", headers)
        yield from items
        if len(items) < 100:
            return


class _WithoutToken(urllib.request.HTTPRedirectHandler):
    """Keeps the token to the service: logs lie in a storage of another host, which would refuse it."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        """Return the next request."""
        following = super().redirect_request(req, fp, code, msg, headers, newurl)
        if following is not None and urlsplit(newurl).netloc != urlsplit(req.full_url).netloc:
            for name in ("Authorization", "Private-token"):
                following.remove_header(name)
        return following


def _opened(request: urllib.request.Request) -> Any:
    place = urlsplit(request.full_url).path
    try:
        return urllib.request.build_opener(_WithoutToken).open(request, timeout=_SECONDS)
    except urllib.error.HTTPError as error:
        raise TransportError(f"{request.get_method()} {place}: {error.code} {error.reason}") from error
    except (OSError, ValueError) as error:
        raise TransportError(f"{request.get_method()} {place}: {getattr(error, 'reason', error)}") from error


def _get(place: str, headers: Mapping[str, str]) -> Any:
    return _answer(urllib.request.Request(place, headers=dict(headers)))


def _send(method: str, place: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Any:
    told = {**headers, "Content-Type": "application/json"}
    return _answer(urllib.request.Request(place, json.dumps(body).encode(), told, method=method))


def _answer(request: urllib.request.Request) -> Any:
    try:
        with _opened(request) as answer:
            return json.load(answer)
    except (OSError, ValueError) as error:
        raise TransportError(f"{urlsplit(request.full_url).path}: no JSON came back") from error


def _saved(place: str, headers: Mapping[str, str], folder: Path, name: str, number: int) -> str:
    """Return the path of a file that holds a job's log, named after the job, as far as it is taken."""
    path = folder / f"{_UNSAFE.sub('-', name)[:80]}-{int(number)}.log"
    left = _MOST_BYTES
    try:
        with _opened(urllib.request.Request(place, headers=dict(headers))) as answer, path.open("wb") as file:
            while left > 0 and (part := answer.read(min(_CHUNK, left))):
                file.write(part)
                left -= len(part)
    except OSError as error:
        raise TransportError(f"the log of {name}: {error}") from error
    return str(path)
