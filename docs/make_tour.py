"""Make the pictures of the tour from the real tool: `python docs/make_tour.py`, from anywhere.

The pictures of the terminal need rich (which errtriage brings along), those of the pages a Chromium.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
LOGS = "tests/logs"
# Picture to the arguments of `errtriage explain`, and how many lines of the report it shows.
TERMINALS = {
    "crash": ([f"{LOGS}/reported/a-mlm-block-size-cublas.log"], 40),
    "silent": ([f"{LOGS}/reported/c-mnist-loss-146.log"], 30),
    "ranks": ([f"{LOGS}/reported/b-moe-step-20-kubectl.log"], 60),
}
# Picture to the log, the width of the window in pixels, its height, and light or dark.
PAGES = {
    "page-light": (f"{LOGS}/reported/c-mnist-loss-146.log", 900, 900, "light"),
    "page-dark": (f"{LOGS}/reported/c-nanogpt-iter-3010.log", 900, 900, "dark"),
    "page-narrow": (f"{LOGS}/reported/b-moe-step-20-kubectl.log", 390, 900, "dark"),
    "page-ranks": (f"{LOGS}/reported/b-moe-step-20-kubectl.log", 900, 0, "light"),
}
COLUMNS = 100


def explain(*arguments: str) -> str:
    """Return what `errtriage explain` prints, with colours, at 100 columns."""
    done = subprocess.run(
        [sys.executable, "-m", "errtriage", "explain", *arguments],
        capture_output=True, check=True, cwd=ROOT, encoding="utf-8",
        env={**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(COLUMNS), "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    return done.stdout


def draw_terminal(name: str, paths: list[str], lines: int) -> None:
    """Write the first lines of a report as an SVG that loads no font from anywhere."""
    shown = explain(*paths, "--format", "terminal").rstrip("\n").split("\n")
    kept = [*shown[:lines], *(["  …"] if len(shown) > lines else [])]
    console = Console(record=True, width=COLUMNS, file=open(os.devnull, "w", encoding="utf-8"), force_terminal=True)  # noqa: PTH123, SIM115
    console.print(Text.from_ansi("\n".join(kept)))
    svg = console.export_svg(title=f"errtriage {' '.join(paths)}", unique_id=name)
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"^\s+$", "", svg, flags=re.MULTILINE).replace(
        "Fira Code, monospace", "ui-monospace, Menlo, Consolas, monospace"
    )
    (PICTURES / f"{name}.svg").write_text(svg.rstrip() + "\n", encoding="utf-8")


def draw_pages() -> None:
    """Write pictures of pages; a height of 0 shows the part from the table of ranks to the evidence."""
    sys.path.insert(0, str(ROOT / "tests"))
    from chromium import Browser

    with tempfile.TemporaryDirectory() as folder, Browser(Path(folder)) as browser:
        for name, (log, width, height, scheme) in PAGES.items():
            page = Path(folder) / f"{name}.html"
            page.write_text(explain(log, "--format", "html"), encoding="utf-8")
            browser.open(page, width=width, height=height or 800, scheme=scheme)
            if not height:
                browser.value("document.querySelector('#ranks').scrollIntoView({behavior: 'instant'})")
            browser.picture(PICTURES / f"{name}.png", whole=False)


def main() -> None:
    """Make all pictures."""
    PICTURES.mkdir(exist_ok=True)
    for name, (paths, lines) in TERMINALS.items():
        draw_terminal(name, paths, lines)
    draw_pages()


if __name__ == "__main__":
    main()
