"""Two requirements want versions of a third package that exclude each other."""

# expect: dependency-version-conflict
import pathlib
import subprocess
import sys
import tempfile
import zipfile

folder = pathlib.Path(tempfile.mkdtemp())


def wheel(name, version, *needs):
    """Write an empty package that asks for others."""
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as packed:
        asked = "".join(f"Requires-Dist: {need}\n" for need in needs)
        packed.writestr(f"{name}.py", "")
        packed.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{asked}")
        packed.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: by-hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        packed.writestr(f"{info}/RECORD", "")


wheel("atcore", "1.4")
wheel("atcore", "2.1")
wheel("atdetect", "0.9", "atcore<2")
wheel("atmetrics", "3.0", "atcore>=2")
wheel("atdetect", "1.0", "atcore>=2")
wanted = ["atdetect==1.0" if "--fixed" in sys.argv else "atdetect==0.9", "atmetrics==3.0"]
pip = [sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check", "install", "--no-index"]
sys.exit(subprocess.run([*pip, "--find-links", str(folder), "--target", str(folder / "env"), *wanted]).returncode)
