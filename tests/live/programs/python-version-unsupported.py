"""The only version of a package that the index has wants a Python that is newer than this one."""

# expect: python-version-unsupported
# cause: python-too-new
import pathlib
import subprocess
import sys
import tempfile
import zipfile

folder = pathlib.Path(tempfile.mkdtemp())


def wheel(name, version, python):
    """Write an empty package that wants a Python."""
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as packed:
        packed.writestr(f"{name}.py", "")
        head = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nRequires-Python: {python}\n"
        packed.writestr(f"{info}/METADATA", head)
        packed.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: by-hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        packed.writestr(f"{info}/RECORD", "")


wheel("atkernels", "2.0", ">=3.99")
if "--fixed" in sys.argv:  # an older release still takes this Python
    wheel("atkernels", "1.9", ">=3.8")
pip = [sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check", "install", "--target", str(folder / "env")]
sys.exit(subprocess.run([*pip, "--no-index", "--find-links", str(folder), "atkernels"]).returncode)
