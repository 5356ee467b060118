"""The language of the reports: the one asked for, else that of the environment, else that of the operating system."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from errtriage.errors import ErrtriageError

LANGUAGES = ("en", "zh")
VARIABLE = "ERRTRIAGE_LANG"
_LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set counts, as POSIX says
# Chinese as written in China and Singapore (https://learn.microsoft.com/windows/win32/intl/language-identifiers)
_WINDOWS_SIMPLIFIED = (0x0004, 0x0804, 0x1004)
# Where Linux keeps the locale of the machine (locale.conf(5), and Debian's file).
_LINUX_FILES = ("/etc/locale.conf", "/etc/default/locale")


def language(asked: str | None = None, encoding: str | None = None) -> str:
    """Return the language to write in: `en` or `zh`.

    Args:
        asked: What an option asks for; None leaves it to ERRTRIAGE_LANG, the locale, and the operating system.
        encoding: That of the screen; a language that nobody asked for is not written where it can not be shown.

    Raises:
        ErrtriageError: There is no language of the name that is asked for.

    """
    if asked is not None:
        if asked not in LANGUAGES:
            raise ErrtriageError(f"there is no language {asked!r}; there are {', '.join(LANGUAGES)}")
        return asked
    if os.environ.get(VARIABLE):  # never an error: a job's environment must not cost it its log
        return of_locale(os.environ[VARIABLE])
    found = of_environment(os.environ)
    if found is None:
        found = _of_system()
    return found if found == "en" or _can_show(found, encoding) else "en"


def of_environment(variables: Mapping[str, str]) -> str | None:
    """Return the language that the locale's variables name; None where none of them is set."""
    known = next((variables[name] for name in _LOCALES if variables.get(name)), None)
    if known is None:
        return None
    if known.partition(".")[0] not in ("C", "POSIX"):  # LANGUAGE counts in a real locale alone, as gettext has it
        known = variables.get("LANGUAGE", "").partition(":")[0] or known
    return of_locale(known)


def of_locale(name: str) -> str:
    """Return the language of a locale's name, such as zh_CN.UTF-8 or zh-Hans-CN; Traditional Chinese is not ours."""
    parts = name.partition(".")[0].partition("@")[0].replace("-", "_").lower().split("_")
    traditional = {"tw", "hk", "mo", "hant"} & set(parts[1:])
    return "zh" if parts[0] == "zh" and not traditional else "en"


def _can_show(lang: str, encoding: str | None) -> bool:
    try:
        {"zh": "错误"}.get(lang, "").encode(encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _of_system() -> str:
    """Return the language that the operating system speaks with its user; English where it does not say."""
    try:
        if sys.platform == "win32":
            import ctypes

            return "zh" if ctypes.windll.kernel32.GetUserDefaultUILanguage() in _WINDOWS_SIMPLIFIED else "en"
        if sys.platform == "darwin":
            import plistlib
            from pathlib import Path

            kept = (Path.home() / "Library/Preferences/.GlobalPreferences.plist").read_bytes()
            return of_locale(str(plistlib.loads(kept).get("AppleLanguages", ["en"])[0]))
        return next(filter(None, map(_of_file, _LINUX_FILES)), "en")
    except Exception:  # what an operating system says of itself may be anything, and English is always right
        return "en"


def _of_file(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123 - pathlib takes long to import
            lines = file.read().splitlines()[:100]
    except OSError:
        return None
    pairs = [line.partition("=") for line in lines if not line.lstrip().startswith("#")]
    return of_environment({name.strip(): value.strip().strip("\"'") for name, _, value in pairs})
