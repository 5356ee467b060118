"""The compiled cache: it follows the files, is written whole, and is trusted only where nobody else could write it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from errtriage import __version__
from errtriage.knowledge import cache as knowledge_cache
from errtriage.knowledge import compile_folders, load_knowledge

KEY = [5, "0", [["/a", [["x.yaml", 3, 4]]]], []]
posix = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="rights of files are those of POSIX")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    return tmp_path / "errtriage"


def test_what_was_stored_comes_back_under_its_key_alone() -> None:
    """A value is found under the key it was stored with, and under no other."""
    knowledge_cache.write_cached(KEY, {"a": [1, "x", (None, 2.5)]})
    assert knowledge_cache.read_cached(KEY) == {"a": [1, "x", (None, 2.5)]}
    assert knowledge_cache.read_cached([*KEY[:2], [["/a", [["x.yaml", 3, 5]]]], []]) is None


def test_nothing_is_left_beside_the_stored_file(cache: Path) -> None:
    """A store leaves one file, and a second one of the same folders takes its place."""
    knowledge_cache.write_cached(KEY, 1)
    knowledge_cache.write_cached([*KEY[:2], [["/a", []]], []], 2)
    assert len(list(cache.iterdir())) == 1


def test_what_was_written_long_ago_is_removed(cache: Path) -> None:
    """A store removes files that are months old, as those of folders that are gone, and no others."""
    others = [[*KEY[:2], [[folder, []]], []] for folder in ("/old", "/new")]
    for key in others:
        knowledge_cache.write_cached(key, 1)
    old = min(cache.iterdir())
    os.utime(old, (0, 0))
    kept = {*cache.iterdir()} - {old}
    knowledge_cache.write_cached(KEY, 2)
    assert old not in {*cache.iterdir()} >= kept


@posix
def test_the_folder_is_the_users_own(cache: Path) -> None:
    """The folder and the file are made for the user alone."""
    knowledge_cache.write_cached(KEY, 1)
    assert cache.stat().st_mode & 0o777 == 0o700
    assert next(cache.iterdir()).stat().st_mode & 0o777 == 0o600


@posix
@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_others_could_write_is_not_trusted(what: str, cache: Path) -> None:
    """A cache in a folder or a file that other users may write is not read."""
    knowledge_cache.write_cached(KEY, 1)
    (cache if what == "folder" else next(cache.iterdir())).chmod(0o777)
    assert knowledge_cache.read_cached(KEY) is None


@posix
def test_links_are_not_followed(cache: Path, tmp_path: Path) -> None:
    """A link in place of the file or of the folder is not read."""
    knowledge_cache.write_cached(KEY, 1)
    file = next(cache.iterdir())
    moved = file.rename(tmp_path / "moved")
    file.symlink_to(moved)
    assert knowledge_cache.read_cached(KEY) is None
    file.unlink()
    moved.rename(file)
    cache.rename(tmp_path / "real")
    cache.symlink_to(tmp_path / "real")
    assert knowledge_cache.read_cached(KEY) is None


@pytest.mark.parametrize("content", [b"", b"{", b"\xff" * 100, b"i\x01\x00\x00\x00"])
def test_damaged_files_are_passed_over(content: bytes, cache: Path) -> None:
    """A file that was cut or is of another program counts as none."""
    knowledge_cache.write_cached(KEY, 1)
    next(cache.iterdir()).write_bytes(content)
    assert knowledge_cache.read_cached(KEY) is None


def test_a_folder_that_can_not_be_made_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a place for the cache the knowledge is simply read again."""
    (tmp_path / "file").write_text("x", "utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    knowledge_cache.write_cached(KEY, 1)
    assert knowledge_cache.read_cached(KEY) is None
    assert load_knowledge().ids


def test_a_file_system_for_reading_alone_is_no_error(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be made or removed in the folder, the knowledge is simply read again."""
    cache.mkdir(mode=0o700)

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(Path, "unlink", refuse)
    knowledge_cache.write_cached(KEY, 1)
    monkeypatch.undo()
    assert list(cache.iterdir()) == []


def test_a_length_beyond_all_memory_is_no_error(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A damaged length that asks for more memory than there is makes the file one to be made again."""
    knowledge_cache.write_cached(KEY, 1)

    def exhaust(_: bytes) -> None:
        raise MemoryError

    monkeypatch.setattr("errtriage.user_cache.load", exhaust)
    assert len(list(cache.iterdir())) == 1
    assert knowledge_cache.read_cached(KEY) is None


@posix
def test_a_relative_folder_for_caches_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Caches are not strewn over the folders that somebody works in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    knowledge_cache.write_cached(KEY, 1)
    assert not (tmp_path / "here").exists()
    assert len(list((tmp_path / "home" / ".cache" / "errtriage").iterdir())) == 1


def test_an_edited_file_is_read_again(tmp_path: Path) -> None:
    """A change of a file, however small, makes the cache stale."""
    source = Path(__file__).parent / "bad_knowledge" / "same-match-twice" / "widget-broken.yaml"
    own = tmp_path / "own"
    own.mkdir()
    (own / source.name).write_bytes(source.read_bytes())
    assert load_knowledge([own], builtin=False).entry("widget-broken").severity == "fatal"
    (own / source.name).write_bytes(source.read_bytes().replace(b"severity: fatal", b"severity: error"))
    assert load_knowledge([own], builtin=False).entry("widget-broken").severity == "error"


def test_the_shipped_form_is_of_one_version(tmp_path: Path) -> None:
    """A wheel's compiled file is read by the version that wrote it alone."""
    value = dict(compile_folders([Path(__file__).parent / "bad_knowledge" / "same-match-twice"], builtin=False))
    knowledge_cache.write_shipped(tmp_path / knowledge_cache.SHIPPED, value, __version__)
    assert knowledge_cache.read_shipped(tmp_path, __version__) == value
    assert knowledge_cache.read_shipped(tmp_path, "0") is None
    assert knowledge_cache.read_shipped(tmp_path / "gone", __version__) is None
