"""The page in a real browser: silent console, no network, light and dark, narrow and wide, and small."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from chromium import BROWSER, Browser
from errtriage.model import Evidence, Point
from errtriage.render import renderer
from errtriage.render.words import View, clean
from errtriage.values import replace
from made_up_reports import CURVE, HOSTILE, RANKS, REPORTS, STORY, explanation, report

MOST_BYTES = 5_000_000
ALL = View(everything=True, why=True)


def largest() -> object:
    """Return a report with as much of everything as an engine can give."""
    line = "x<&\"'" * 120
    context = tuple((at, line) for at in range(1, 9))
    item = Evidence(source="a.log", line=4, last_line=9, count=9, text=line, role="cause", context=context)
    curve = replace(CURVE, points=tuple(Point(step=float(n), value=n % 97 / 7, line=n) for n in range(20_000)))
    cited = Evidence(source="a.log", line=40, last_line=40, count=1, text="loss = 1 at step 40", role="cause")
    faults = [explanation(f"fault-{n}", evidence=(cited, *[item] * 24), summary=line) for n in range(400)]
    return report(*faults, ranks=RANKS * 8, timeline=STORY * 4, series=(curve,) * 8)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Yield one browser for all tests of this module."""
    if BROWSER is None:
        pytest.skip("no Chromium is installed")
    with Browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", REPORTS)
def test_the_page_is_quiet(kind: str, scheme: str, width: int, browser: Browser, tmp_path: Path) -> None:
    """No complaint in the console, no request but for the page itself, and nothing wider than the screen."""
    page = tmp_path / "report.html"
    page.write_text(renderer("html")(REPORTS[kind], ALL), encoding="utf-8")
    browser.open(page, width=width, scheme=scheme)
    assert browser.complaints == []
    assert [url for url in browser.requests if not url.startswith("data:")] == [page.as_uri()]
    assert browser.value("document.documentElement.scrollWidth") <= width
    shown = browser.value("getComputedStyle(document.body).backgroundColor")
    assert (max(map(int, re.findall(r"\d+", shown))) < 80) == (scheme == "dark")


# Every text against the ground that it stands on, as the guidelines for accessible pages ask (WCAG 2.2, 1.4.3).
CONTRAST = """
(() => {
  const light = (text) => text.match(/[\\d.]+/g).slice(0, 3).map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = (element) => {
    for (let here = element; here; here = here.parentElement) {
      const colour = getComputedStyle(here).backgroundColor;
      if (!/, 0\\)$|transparent/.test(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const ratios = [...document.querySelectorAll("body *:not(title)")]
    .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .map((one) => {
      const svg = one.namespaceURI.endsWith("svg");
      const a = light(getComputedStyle(one)[svg ? "fill" : "color"]), b = light(ground(one));
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    });
  return Math.min(...ratios);
})()
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["ranks", "silent", "tree", "empty"])
def test_every_text_can_be_read(kind: str, scheme: str, browser: Browser, tmp_path: Path) -> None:
    """Every text has a contrast of 4.5 to 1 at least."""
    page = tmp_path / "report.html"
    page.write_text(renderer("html")(REPORTS[kind], ALL), encoding="utf-8")
    browser.open(page, scheme=scheme)
    assert browser.value(CONTRAST) >= 4.5


def test_hostile_text_stays_text(browser: Browser, tmp_path: Path) -> None:
    """Text that tries to be a tag, an attribute or an escape sequence is shown as it is, and makes no element."""
    page = tmp_path / "report.html"
    page.write_text(renderer("html")(REPORTS["hostile"], ALL), encoding="utf-8")
    browser.open(page)
    assert (
        browser.value("document.querySelectorAll('script, img, b, a[href^=http], [onmouseover], iframe').length") == 0
    )
    assert clean(HOSTILE).split("\n")[0] in browser.value("document.body.textContent")
    assert "\x1b" not in page.read_text(encoding="utf-8")


def test_the_page_has_landmarks_headings_and_names(browser: Browser, tmp_path: Path) -> None:
    """One h1, no heading level left out, named regions, table headers with a scope, pictures with a name."""
    page = tmp_path / "report.html"
    page.write_text(renderer("html")(REPORTS["ranks"], ALL), encoding="utf-8")
    browser.open(page)
    levels = browser.value("[...document.querySelectorAll('h1,h2,h3,h4')].map((one) => +one.tagName[1])")
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    for selector in (
        "html:not([lang])", "section:not([aria-labelledby])", "svg:not([aria-label])", "th:not([scope])",
        "[tabindex]:not([aria-label]):not(pre)", "details:not(:has(> summary))",
    ):  # fmt: skip
        assert browser.value(f"document.querySelectorAll({selector!r}).length") == 0, selector
    assert browser.value("document.querySelectorAll('header, main, footer').length") == 3
    assert browser.value("document.querySelector('.skip').hash") == "#main"


def test_folds_open_without_a_script(browser: Browser, tmp_path: Path) -> None:
    """The page holds no script, and its folds open by the keyboard."""
    page = tmp_path / "report.html"
    page.write_text(renderer("html")(REPORTS["tree"], ALL), encoding="utf-8")
    browser.open(page)
    assert browser.value("document.scripts.length") == 0
    closed = "[...document.querySelectorAll('details')].find((one) => !one.open)"
    browser.value(f"window.fold = {closed}; window.fold.querySelector('summary').focus()")
    for kind in ("keyDown", "keyUp"):
        browser.call(
            "Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", text="\r", windowsVirtualKeyCode=13
        )
    assert browser.value("window.fold.open") is True


def test_the_largest_page_is_bounded() -> None:
    """A report of 400 faults, 4096 ranks and series of 20,000 points makes a page of 5 MB at most."""
    text = renderer("html")(largest(), ALL)  # type: ignore[arg-type]
    assert len(text.encode()) < MOST_BYTES


def test_a_page_needs_nothing_else() -> None:
    """No address is loaded: no src, no link but an empty icon, no url() in the style; the policy forbids all."""
    text = renderer("html")(REPORTS["ranks"], ALL)
    assert "default-src 'none'" in text
    assert not re.search(r"""\ssrc=|url\(|@import|<script|href=["'](?!#|data:,)""", text)
