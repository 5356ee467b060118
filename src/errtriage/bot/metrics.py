"""Counters of the HTTP server in Prometheus' text format, version 0.0.4.

https://prometheus.io/docs/instrumenting/exposition_formats
"""

from __future__ import annotations

import threading
from collections import Counter

_BOUNDS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)  # seconds
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Counts answers by status, reports by verdict, and the seconds that analyses took."""

    def __init__(self) -> None:
        """Start at zero."""
        self._lock = threading.Lock()
        self._answers: Counter[int] = Counter()
        self._verdicts: Counter[str] = Counter()
        self._bytes = 0
        self._seconds = 0.0
        self._buckets = [0] * (len(_BOUNDS) + 1)

    def answered(self, status: int) -> None:
        """Count an answer of `/v1/explain`."""
        with self._lock:
            self._answers[status] += 1

    def explained(self, verdict: str, number: int, seconds: float) -> None:
        """Count a report on `number` bytes, and the seconds until it was there."""
        with self._lock:
            self._verdicts[verdict] += 1
            self._bytes += number
            self._seconds += seconds
            self._buckets[next((at for at, bound in enumerate(_BOUNDS) if seconds <= bound), len(_BOUNDS))] += 1

    def text(self) -> str:
        """Return all counters."""
        with self._lock:
            lines = [
                *_head("errtriage_requests_total", "counter", "Requests to explain, by status of the answer."),
                *(f'errtriage_requests_total{{status="{key}"}} {n}' for key, n in sorted(self._answers.items())),
                *_head("errtriage_reports_total", "counter", "Reports, by verdict."),
                *(f'errtriage_reports_total{{verdict="{key}"}} {n}' for key, n in sorted(self._verdicts.items())),
                *_head("errtriage_log_bytes_total", "counter", "Bytes of the logs that were explained."),
                f"errtriage_log_bytes_total {self._bytes}",
                *_head("errtriage_analysis_seconds", "histogram", "Seconds until a report was there."),
            ]
            total = 0
            for bound, number in zip((*map(str, _BOUNDS), "+Inf"), self._buckets, strict=True):
                total += number
                lines.append(f'errtriage_analysis_seconds_bucket{{le="{bound}"}} {total}')
            lines += [
                f"errtriage_analysis_seconds_sum {self._seconds:.6f}",
                f"errtriage_analysis_seconds_count {total}",
            ]
        return "\n".join(lines) + "\n"


def _head(name: str, kind: str, text: str) -> tuple[str, str]:
    return f"# HELP {name} {text}", f"# TYPE {name} {kind}"
