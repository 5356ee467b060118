"""A package checks at its import which version of another one is installed."""

# expect: dependency-version-conflict
import pathlib
import subprocess
import sys
import tempfile

folder = pathlib.Path(tempfile.mkdtemp())
have = "2.1" if "--fixed" in sys.argv else "1.4"
(folder / "atcore.py").write_text("")
(folder / f"atcore-{have}.dist-info").mkdir()
(folder / f"atcore-{have}.dist-info" / "METADATA").write_text(f"Metadata-Version: 2.1\nName: atcore\nVersion: {have}\n")
(folder / "atdetect.py").write_text(
    "from importlib.metadata import version\n\n"
    "found = version('atcore')\n"
    "if int(found.split('.')[0]) < 2:\n"
    "    raise ImportError(f'atdetect requires atcore>=2.0, but you have atcore {found}')\n"
)
(folder / "train.py").write_text("import atdetect\n\nprint(atdetect.found)\n")
sys.exit(subprocess.run([sys.executable, "train.py"], cwd=folder).returncode)
