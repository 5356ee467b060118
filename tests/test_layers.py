"""The architecture, as two tables: who may import whom, and through which module each package comes in."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "errtriage"

# A module may import modules of its own layer or of the layers before it.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("errtriage", "values", "user_cache", "regex_store", "lazy_regex", "averages", "errors", "model"),
    ("vocabulary", "versions", "exits", "xid"),
    ("sentences", "language"),
    ("sources", "lines", "scan", "patterns", "templates", "scrub"),
    ("knowledge", "parse", "collapse", "series", "progress", "facts", "ranks", "source_check", "redact"),
    ("sameness", "passes", "parallel", "reading"),
    ("matcher", "link", "rank", "readings", "unrecognised", "circumstances", "reruns", "verdict", "report"),
    ("diagnosis",),
    ("triage",),
    ("render",),
    ("live", "inprocess", "bot", "cli", "__main__"),
)


# The only modules that may import a third-party package.
DOORS: dict[str, tuple[str, ...]] = {
    "yaml": ("knowledge",),
    "rich": ("render.terminal", "cli"),
    "typer": ("cli",),
    # These come with extras and are imported through `bot.extras.need`.
    "slack_bolt": ("bot.slack",),
    "slack_sdk": ("bot.slack",),
    "lark_oapi": ("bot.lark",),
    "starlette": ("bot.http", "bot.slack", "bot.lark"),
    "python_multipart": ("bot.http",),
    "uvicorn": ("bot.http",),
    "mcp": ("bot.mcp",),
    "apprise": ("bot.notify",),
}


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def dotted(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__") or "errtriage"


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "need":
            found |= {argument.value for argument in node.args[:1] if isinstance(argument, ast.Constant)}
    return found


def layer(name: str) -> int:
    head = name.split(".")[0]
    for number, names in enumerate(LAYERS):
        if any(head == one or head.startswith(f"{one}_") for one in names):
            return number
    raise AssertionError(f"{name} stands in no layer")


@pytest.mark.parametrize("path", [pytest.param(path, id=dotted(path)) for path in modules()])
def test_imports_go_one_way(path: Path) -> None:
    """A module imports nothing of a later layer, and a renderer no other renderer."""
    here = layer(dotted(path))
    for name in imports(path):
        if not name.startswith("errtriage.") or (
            not (SOURCE / name.split(".")[1]).with_suffix(".py").exists() and not (SOURCE / name.split(".")[1]).is_dir()
        ):
            continue
        there = name.removeprefix("errtriage.")
        if dotted(path) == "model.report" and there.startswith("render"):
            continue  # Report.to_dict is the one door from the value to its JSON form, and imports when called
        if dotted(path) == "errtriage":
            continue  # the package names its public values for type checkers, and loads them when they are used
        assert layer(there) <= here, f"{dotted(path)} imports {there}"


@pytest.mark.parametrize("package", DOORS)
def test_each_package_has_one_door(package: str) -> None:
    """Only the modules of its row import a third-party package."""
    allowed = DOORS[package]
    for path in modules():
        if any(name == package or name.startswith(f"{package}.") for name in imports(path)):
            name = dotted(path)
            assert any(name == door or name.startswith((f"{door}.", f"{door}_")) for door in allowed), name
