"""Reports in English and Chinese: which language is chosen, whether its texts are whole, and how they look."""

from __future__ import annotations

import os
import re
import string
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from errtriage import language
from errtriage.cli import kb_page_words, run
from errtriage.errors import ErrtriageError, KnowledgeError
from errtriage.knowledge import compile_folders, compile_texts, knowledge_dir, load_knowledge, read_yaml
from errtriage.knowledge.translations import check_translation, other_sentences
from errtriage.rank import POINTS
from errtriage.render import FORMATS, renderer
from errtriage.render.phrases import PHRASES
from errtriage.render.terminal import render as on_terminal
from errtriage.render.words import View
from errtriage.render.words_terms import TERMS
from errtriage.render.words_wrap import columns, folded
from errtriage.sentences import SENTENCES
from errtriage.triage import triage
from mission_logs import HINTS, OVERFLOW, bce_spam, traceback

CHINESE = re.compile("[\u4e00-\u9fff]")
FOLDER = knowledge_dir() / "zh"
TRANSLATED = sorted(path.stem for path in FOLDER.glob("*.yaml") if path.stem != "sentences")
ENGLISH, ZH = load_knowledge(), load_knowledge(lang="zh")
LOG = OVERFLOW + bce_spam(300) + traceback("RuntimeError: CUDA error: device-side assert triggered\n" + HINTS)
GOLDEN = Path(__file__).parent / "report_zh.txt"
# The faults of the mission, and those that end most runs.
MUST = {
    "numpy-overflow", "numpy-invalid-value", "numpy-divide-by-zero", "bce-input-not-probability",
    "masked-array-mask-lost", "device-side-assert", "target-out-of-range", "target-dtype-not-long",
    "target-shape-not-1d", "batchnorm-single-value", "graph-detached", "target-size-broadcast",
    "loss-floor-double-softmax", "loss-at-chance", "loss-constant", "loss-negative", "loss-diverging",
    "loss-oscillating", "loss-stuck-at-variance", "nan-loss", "nan-loss-hidden-by-trainer", "labels-not-zero-one",
    "metric-mismatch-train-eval", "overfitting", "learning-rate-zero", "gradients-zero-or-none",
    "embedding-index-out-of-range", "cuda-oom", "cuda-oom-fragmentation", "cuda-oom-other-process",
    "host-oom-killed", "elastic-child-failed", "rank-desync", "nccl-collective-timeout", "module-not-found",
}  # fmt: skip
TABLES = {"phrases": PHRASES, "sentences": SENTENCES, "page": kb_page_words.WORDS}


def holes(text: str) -> set[str | None]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.fixture
def unset(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("ERRTRIAGE_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_each_language_has_every_phrase(table: dict[str, dict[str, str]]) -> None:
    """Both languages have the same phrases, with the same holes."""
    assert tuple(table) == language.LANGUAGES
    assert table["zh"].keys() == table["en"].keys()
    for key, text in table["zh"].items():
        assert holes(text) == holes(table["en"][key]), key


def test_each_term_of_a_score_has_its_words() -> None:
    """Every term that can stand in a report is told in Chinese."""
    assert TERMS["zh"].keys() == {"bias", *POINTS}


def test_the_faults_of_the_mission_are_translated() -> None:
    """Every fault that the tool exists for has a translation, and no file is left out for a mistake."""
    assert set(TRANSLATED) >= MUST
    assert compile_texts(compile_folders([]), [knowledge_dir()], "zh")["mistakes"] == []
    assert ZH.problems == ENGLISH.problems


@pytest.mark.parametrize("name", TRANSLATED)
def test_a_translation_says_everything_in_chinese(name: str) -> None:
    """Title, summary and reasons are Chinese, and what is no prose is that of the English entry."""
    ours, theirs = ZH.entry(name), ENGLISH.entry(name)
    for text in (ours.title, ours.summary, *(cause.why for cause in ours.causes)):
        assert CHINESE.search(text), text
    assert [(cause.id, cause.code, bool(cause.fix)) for cause in ours.causes] == [
        (cause.id, cause.code, bool(cause.fix)) for cause in theirs.causes
    ]
    assert (ours.match, ours.tags, ours.severity, len(ours.collect)) == (
        theirs.match,
        theirs.tags,
        theirs.severity,
        len(theirs.collect),
    )


@pytest.mark.parametrize("name", TRANSLATED)
def test_what_a_translated_entry_leads_to_is_told_in_chinese(name: str) -> None:
    """The reasons of its links and of its evidence have translations, too."""
    data = read_yaml(knowledge_dir() / f"{name}.yaml")
    known = read_yaml(FOLDER / "sentences.yaml")
    assert [one for one in other_sentences(data) if one not in known] == []


def test_every_sentence_is_one_of_an_entry() -> None:
    """No translation is left of a sentence that was changed or taken away."""
    data = [read_yaml(path) for path in knowledge_dir().glob("*.yaml")]
    assert set(read_yaml(FOLDER / "sentences.yaml")) <= {one for entry in data for one in other_sentences(entry)}


BROKEN = {
    "missing-text": ({"causes": {"a": {"why": "因为"}}}, "causes > a: the key 'check' is missing"),
    "missing-cause": ({"causes": {}}, "causes: the key 'a' is missing"),
    "unknown-cause": ({"causes": {"b": {}}}, "causes: unknown key 'b'; known are a"),
    "lost-placeholder": ({"title": "坏了"}, "title: the placeholder {file} of the English text is missing"),
    "new-placeholder": ({"title": "{file} 与 {x}"}, "title: the English text has no placeholder {x}"),
    "open-clause": ({"summary": "坏了 {size} `x.sum()`"}, "summary: {size} is not always known: put it in [brackets]"),
    "lost-code": ({"summary": "坏了[ {size}]"}, "summary: the code `x.sum()` of the English text is missing"),
    "unknown-key": ({"fix": "修"}, "unknown key 'fix'; known are title, summary, causes"),
    "no-text": ({"title": 3}, "title: must be text, not int 3 (quote it)"),
}


@pytest.mark.parametrize(("change", "mistake"), BROKEN.values(), ids=BROKEN)
def test_mistakes_of_a_translation_are_told(change: dict[str, object], mistake: str) -> None:
    """What is missing, unknown or left open in a translation is named with its place."""
    english = {
        "title": "{file} is broken",
        "summary": "It is broken[ ({size})]: `x.sum()`.",
        "causes": [{"id": "a", "why": "Why", "check": "Look"}],
    }
    sound = {
        "title": "{file} 坏了",
        "summary": "坏了[（{size}）]：`x.sum()`",
        "causes": {"a": {"why": "因为", "check": "看"}},
    }
    assert check_translation("zh/x.yaml", sound, english) == []
    found = check_translation("zh/x.yaml", {**sound, **change}, english)
    assert any(one.endswith(mistake) for one in found), found


def users_folder(where: Path, title: str) -> Path:
    """A folder that holds an entry in the place of a shipped one, and its translation."""
    text = (knowledge_dir() / "overfitting.yaml").read_text(encoding="utf-8")
    (where / "zh").mkdir()
    (where / "overfitting.yaml").write_text(text, encoding="utf-8")
    translated = (FOLDER / "overfitting.yaml").read_text(encoding="utf-8")
    text = re.sub("^title: .*", f"title: {title}", translated, flags=re.MULTILINE)
    (where / "zh" / "overfitting.yaml").write_text(text, encoding="utf-8")
    return where


def test_users_folders_hold_translations(tmp_path: Path) -> None:
    """A user's entry is told by the user's translation, and the others by the shipped ones."""
    known = load_knowledge([users_folder(tmp_path, "自己的标题")], lang="zh")
    assert known.entry("overfitting").title == "自己的标题"
    assert known.entry("cuda-oom").title == ZH.entry("cuda-oom").title


def test_a_shipped_translation_is_not_laid_over_a_users_entry(tmp_path: Path) -> None:
    """A user's entry without a translation stays as it was written."""
    folder = users_folder(tmp_path, "x")
    (folder / "zh" / "overfitting.yaml").unlink()
    assert load_knowledge([folder], lang="zh").entry("overfitting").title == ENGLISH.entry("overfitting").title


def test_a_broken_translation_costs_nothing_but_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is told, by `kb check` as well, and the entry is English; strict loading refuses it."""
    folder = users_folder(tmp_path, "x")
    (folder / "zh" / "overfitting.yaml").write_text("title: [\n", encoding="utf-8")
    known = load_knowledge([folder], lang="zh")
    assert [one.partition(":")[0] for one in known.problems] == ["zh/overfitting.yaml"]
    assert known.entry("overfitting").title == ENGLISH.entry("overfitting").title
    with pytest.raises(KnowledgeError):
        load_knowledge([folder], lang="zh", strict=True)
    assert run(["kb", "check", "--no-examples", str(folder / "zh" / "overfitting.yaml")]) == 2
    assert "zh/overfitting.yaml: line 2" in capsys.readouterr().out


def test_an_entry_without_a_translation_is_english() -> None:
    """The language falls back entry by entry."""
    name = next(name for name in ENGLISH.ids if name not in TRANSLATED)
    assert ZH.entry(name).title == ENGLISH.entry(name).title


def test_english_reads_no_translation() -> None:
    """Loading in English has nothing to do with translations."""
    assert ENGLISH.lang == "en"
    assert not any(CHINESE.search(ENGLISH.entry(name).summary) for name in TRANSLATED)


def test_the_plain_report_in_chinese(bless: bool) -> None:
    """The report of the tool's first fault reads as it is kept; all that is English in it is code or log."""
    text = renderer("plain")(triage(LOG, knowledge=ZH), View(lang="zh"))
    if bless:
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_both_languages_answer_alike() -> None:
    """The findings and the fingerprint are those of the English report."""
    ours, theirs = triage(LOG, knowledge=ZH), triage(LOG, knowledge=ENGLISH)
    assert [one.id for one in ours.explanations] == [one.id for one in theirs.explanations]
    assert ours.fingerprint == theirs.fingerprint
    assert CHINESE.search(ours.headline)


def test_an_exception_that_nobody_knows_is_told_in_chinese() -> None:
    """The engine's own entry, and what to collect for it, have their words as well."""
    report = triage(traceback("acme.WidgetError: 17 teeth"), knowledge=ZH)
    assert [one.id for one in report.explanations] == ["unrecognised-exception"]
    assert CHINESE.search(report.explanations[0].summary)
    assert CHINESE.search(report.collect[0])


def test_our_own_report_in_chinese_is_no_log() -> None:
    """A report that was printed into a log is left out when that log is read, in this language as well."""
    text = renderer("plain")(triage(LOG, knowledge=ZH), View(lang="zh"))
    assert triage("epoch 1 loss 0.5\n" + text + "epoch 2 loss 0.4\n").explanations == ()


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_speaks_chinese(name: str) -> None:
    """Each format tells the title, and none fails on wide characters."""
    report = triage(LOG, knowledge=ZH)
    assert "溢出" in renderer(name)(report, View(lang="zh", everything=True)).encode().decode("utf-8")


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120])
def test_lines_fit_a_narrow_terminal(width: int) -> None:
    """No line is wider than the screen, and no line begins with a mark that belongs to the one before."""
    text = re.sub("\x1b\\[[0-9;]*m", "", on_terminal(triage(LOG, knowledge=ZH), View(lang="zh"), width))
    for line in text.splitlines():
        assert columns(line.rstrip()) <= width, line
        assert not line.strip().startswith(("，", "。", "；", "、", "）")), line


def test_wide_text_is_wrapped_between_its_characters() -> None:
    """Words of Latin letters stay whole, marks stay with what they follow, and nothing is lost."""
    text = "用 `torch.load` 加载时使用 map_location，否则张量会回到保存它的 GPU（例如 cuda:0）。"
    lines = folded(text, 20)
    assert all(columns(line) <= 20 for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert any("map_location" in line for line in lines)
    assert folded("plain words are parted at their spaces", 14) == ["plain words", "are parted at", "their spaces"]
    assert columns("显存 8 GiB") == sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in "显存 8 GiB")


LOCALES = {
    "zh_CN.UTF-8": "zh",
    "zh_CN.GB18030": "zh",
    "zh-Hans-CN": "zh",
    "zh_SG": "zh",
    "zh": "zh",
    "zh_TW.UTF-8": "en",
    "zh-Hant-HK": "en",
    "en_US.UTF-8": "en",
    "de_DE@euro": "en",
    "C.UTF-8": "en",
    "POSIX": "en",
}


@pytest.mark.parametrize(("name", "expected"), LOCALES.items())
def test_locales_name_a_language(name: str, expected: str) -> None:
    """Simplified Chinese is written for its locales, and English for all others."""
    assert language.of_environment({"LANG": name}) == expected


def test_the_first_variable_that_is_set_counts() -> None:
    """LC_ALL goes before LC_MESSAGES, that before LANG; LANGUAGE counts in a real locale only; nothing says nothing."""
    of = language.of_environment
    assert of({"LC_ALL": "en_US.UTF-8", "LANG": "zh_CN.UTF-8"}) == "en"
    assert of({"LC_ALL": "", "LC_MESSAGES": "zh_CN", "LANG": "en_US"}) == "zh"
    assert of({"LANGUAGE": "zh_CN:en", "LANG": "en_US.UTF-8"}) == "zh"
    assert of({"LANGUAGE": "zh_CN", "LANG": "C.UTF-8"}) == "en"
    assert of({"PATH": "/bin"}) is None


def test_an_option_goes_before_the_environment(unset: pytest.MonkeyPatch) -> None:
    """What is asked for counts first, then our variable, then the locale; an unknown language is refused."""
    unset.setenv("LANG", "zh_CN.UTF-8")
    assert language.language() == "zh"
    unset.setenv("ERRTRIAGE_LANG", "fr")
    assert language.language() == "en"
    unset.setenv("ERRTRIAGE_LANG", "zh_CN")
    assert language.language(encoding="cp1252") == "zh"
    unset.setenv("ERRTRIAGE_LANG", "en")
    assert language.language() == "en"
    assert language.language("zh") == "zh"
    with pytest.raises(ErrtriageError, match="'fr'"):
        language.language("fr")


def test_the_operating_system_is_asked_where_nothing_is_set(unset: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without a locale the system's own settings count, and English where it has none."""
    (tmp_path / "locale.conf").write_text('# LANG=en_US\nLANG="zh_CN.UTF-8"\n', encoding="utf-8")
    unset.setattr(language.sys, "platform", "linux")
    unset.setattr(language, "_LINUX_FILES", (str(tmp_path / "none"), str(tmp_path / "locale.conf")))
    assert language.language() == "zh"
    unset.setattr(language, "_LINUX_FILES", (str(tmp_path / "none"),))
    assert language.language() == "en"


def test_a_screen_without_chinese_gets_english(unset: pytest.MonkeyPatch) -> None:
    """A language that nobody asked for is not written where the screen's code page lacks it."""
    unset.setenv("LANG", "zh_CN.UTF-8")
    assert language.language(encoding="gbk") == "zh"
    assert language.language(encoding="cp1252") == "en"
    assert language.language("zh", encoding="cp1252") == "zh"


def test_the_command_line_follows_the_locale(
    unset: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`explain` speaks the language of the locale; what programs read stays English unless they ask."""
    unset.setenv("LANG", "zh_CN.UTF-8")
    unset.setenv("COLUMNS", "80")
    log = tmp_path / "train.log"
    log.write_text(LOG, encoding="utf-8")
    told = {}
    for options in ("", "--lang en", "-f json", "-f json --lang zh"):
        assert run(["explain", str(log), *options.split()]) == 0
        told[options] = bool(CHINESE.search(capsys.readouterr().out))
    assert told == {"": True, "--lang en": False, "-f json": False, "-f json --lang zh": True}
    assert run(["kb", "show", "cuda-oom"]) == 0
    assert "显存不足" in capsys.readouterr().out
    assert run(["explain", str(log), "--lang", "fr"]) == 2


def test_the_pipe_follows_the_locale(unset: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The pipe passes the log through and reports in the locale's language; a wrong one is told before the run."""
    environment = {**os.environ, "LANG": "zh_CN.UTF-8", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "errtriage"]
    done = subprocess.run(command, input=LOG.encode(), env=environment, capture_output=True, timeout=120, check=False)
    assert done.stdout.startswith(LOG[:200].encode())
    assert "errtriage report: 失败" in done.stdout.decode()
    command += ["--lang", "fr"]
    done = subprocess.run(command, input=b"", env=environment, capture_output=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"there is no language 'fr'" in done.stderr
