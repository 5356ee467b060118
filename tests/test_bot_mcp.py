"""The tools for agents, asked by a client of the official SDK over standard input and output."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from bot_servers import LOG
from errtriage.bot.mcp import Place, Tools
from errtriage.errors import TransportError

LOSS = (
    "import torch\nimport torch.nn as nn\n\nloss = nn.CrossEntropyLoss()\n\n\ndef step(x, y, model):\n"
    "    return loss(torch.softmax(model(x), dim=1), y)\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a log, a program, and a link out of it."""
    root = tmp_path / "root"
    root.mkdir()
    (root / "train.log").write_text(LOG, encoding="utf-8")
    (root / "train.py").write_text(LOSS, encoding="utf-8")
    (tmp_path / "secret.log").write_text(LOG, encoding="utf-8")
    if sys.platform != "win32":
        (root / "out.log").symlink_to(tmp_path / "secret.log")
    return root


def asked(root: Path, *calls: tuple[str, dict[str, Any]]) -> tuple[list[str], list[tuple[bool, str]]]:
    """Return the names of the tools, and of each call whether it failed and its text."""
    mcp = pytest.importorskip("mcp", reason="needs the extra mcp")
    from mcp.client.stdio import stdio_client

    async def talk() -> tuple[list[str], list[tuple[bool, str]]]:
        start = mcp.StdioServerParameters(
            command=sys.executable, args=["-m", "errtriage", "bot", "mcp", "--root", str(root)]
        )
        async with stdio_client(start) as (reading, writing), mcp.ClientSession(reading, writing) as session:
            await session.initialize()
            names = [tool.name for tool in (await session.list_tools()).tools]
            told = []
            for name, arguments in calls:
                answer = await session.call_tool(name, arguments)
                failed = getattr(answer, "is_error", getattr(answer, "isError", None))
                told.append((bool(failed), "".join(getattr(part, "text", "") for part in answer.content)))
            return names, told

    return asyncio.run(asyncio.wait_for(talk(), 90))


def test_an_agent_explains_shows_and_lints(folder: Path) -> None:
    """A real client finds three tools; each answers with text, and mistakes are errors that say why."""
    names, told = asked(
        folder,
        ("explain_log", {"path": "train.log"}),
        ("explain_log", {"text": LOG, "format": "json"}),
        ("show_entry", {"id": "target-out-of-range"}),
        ("lint_file", {"path": "train.py"}),
        ("explain_log", {}),
        ("explain_log", {"path": "../secret.log"}),
        ("show_entry", {"id": "target-out-of-rang"}),
    )
    assert sorted(names) == ["explain_log", "lint_file", "show_entry"]
    assert [failed for failed, _ in told] == [False] * 4 + [True] * 3
    assert "label" in told[0][1]
    assert "/home/jo/" not in told[0][1]
    assert json.loads(told[1][1])["explanations"][0]["id"] == "target-out-of-range"
    assert told[2][1].startswith("# target-out-of-range")
    assert "softmax-before-cross-entropy" in told[3][1]
    assert "either path or text" in told[4][1]
    assert "no such file below" in told[5][1]
    assert "did you mean target-out-of-range" in told[6][1]


@pytest.mark.parametrize("path", ["../secret.log", "out.log", "/etc/passwd", ".", "none.log", "a\0b", ""])
def test_nothing_outside_of_the_folder_is_read(folder: Path, path: str) -> None:
    """Paths that lead out of the folder, by dots, by links or from the root, are no files."""
    tools = Tools(Place(root=folder), str)
    with pytest.raises(TransportError, match="no such file below"):
        tools.lint_file(path)
    with pytest.raises(TransportError):
        tools.explain_log(path=path)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({}, "either path or text"),
        ({"path": "train.log", "text": "x"}, "either path or text"),
        ({"path": "train.log", "format": "exe"}, "no format"),
        ({"text": "\x00\x01\x02" * 50}, "no log"),
    ],
)
def test_arguments_are_checked(folder: Path, arguments: dict[str, str], why: str) -> None:
    """A wrong argument is an error that says what is right."""
    with pytest.raises(TransportError, match=why):
        Tools(Place(root=folder), str).explain_log(**arguments)


def test_large_files_are_not_read(folder: Path) -> None:
    """A file over the bound is refused with both sizes."""
    with pytest.raises(TransportError, match="is more than"):
        Tools(Place(root=folder, most_bytes=10), str).explain_log(path="train.log")


def test_a_sound_program_has_nothing_to_tell(folder: Path) -> None:
    """A file without a finding says so."""
    (folder / "sound.py").write_text("import torch\n", encoding="utf-8")
    assert Tools(Place(root=folder), str).lint_file("sound.py") == "sound.py: nothing found"
