"""The description of the HTTP server as an OpenAPI 3.1 document (spec.openapis.org/oas/v3.1.0)."""

from __future__ import annotations

from typing import Any

from errtriage import __version__

FORMATS: dict[str, str] = {
    "json": "application/json",
    "plain": "text/plain",
    "markdown": "text/markdown",
    "html": "text/html",
    "slack": "application/json",
    "github": "text/plain",
    "sarif": "application/sarif+json",
}
_ERRORS = {
    "400": "The body holds no log, or the request is broken.",
    "401": "A valid bearer token is needed.",
    "408": "The body came too slowly.",
    "413": "The body is too large.",
    "415": "What was sent is no log.",
    "429": "Too many requests; Retry-After says in how many seconds to ask again.",
    "500": "The analysis had no answer.",
    "503": "Too many requests at the same time; Retry-After says in how many seconds to ask again.",
    "504": "The analysis took too long.",
    "507": "The analysis needed too much memory.",
}


def document(most_bytes: int) -> dict[str, Any]:
    """Return the description; `most_bytes` is the largest body that is taken."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "errtriage", "version": __version__, "description": "Explains logs of training runs."},
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {
                "Error": {"type": "object", "required": ["error"], "properties": {"error": {"type": "string"}}}
            },
        },
        "paths": {
            "/v1/explain": {"post": _explain(most_bytes)},
            "/healthz": {"get": _get("Says that the server is up.", "text/plain")},
            "/metrics": {"get": _get("Counters in Prometheus' text format.", "text/plain")},
            "/openapi.json": {"get": _get("This document.", "application/json")},
        },
    }


def _explain(most_bytes: int) -> dict[str, Any]:
    file = {"type": "string", "format": "binary"}
    form = {"type": "object", "additionalProperties": file, "description": "One file for each log of the job."}
    return {
        "operationId": "explain",
        "summary": "Explain a log, or several logs of one job.",
        "security": [{"token": []}, {}],
        "parameters": [
            _query("format", "The format of the report.", {"type": "string", "enum": list(FORMATS), "default": "json"}),
            _query(
                "run", "A name for the run, told where its fault is seen again.", {"type": "string", "maxLength": 200}
            ),
            _query("name", "The name of a log that is sent as the body itself.", {"type": "string", "default": "log"}),
        ],
        "requestBody": {
            "required": True,
            "description": f"At most {most_bytes} bytes; gzip, bz2, xz and zstd are unpacked.",
            "content": {
                "text/plain": {"schema": {"type": "string"}},
                "application/octet-stream": {"schema": file},
                "multipart/form-data": {"schema": form},
            },
        },
        "responses": {
            "200": {"description": "The report.", "content": {kind: {"schema": {}} for kind in set(FORMATS.values())}},
            **{status: _error(text) for status, text in _ERRORS.items()},
        },
    }


def _error(text: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Error"}
    return {"description": text, "content": {"application/json": {"schema": schema}}}


def _query(name: str, text: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "query", "description": text, "schema": schema}


def _get(text: str, kind: str) -> dict[str, Any]:
    return {"summary": text, "responses": {"200": {"description": text, "content": {kind: {"schema": {}}}}}}
