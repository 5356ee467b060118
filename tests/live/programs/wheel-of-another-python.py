"""A wheel that was built for Python 2.7 is given to this Python."""

# expect: python-version-unsupported
import pathlib
import subprocess
import sys
import tempfile
import zipfile

folder = pathlib.Path(tempfile.mkdtemp())
tag = "py3-none-any" if "--fixed" in sys.argv else "cp27-cp27mu-manylinux1_x86_64"
file = folder / f"atkernels-1.0-{tag}.whl"
with zipfile.ZipFile(file, "w") as packed:
    packed.writestr("atkernels.py", "")
    packed.writestr("atkernels-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: atkernels\nVersion: 1.0\n")
    packed.writestr("atkernels-1.0.dist-info/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n")
    packed.writestr("atkernels-1.0.dist-info/RECORD", "")
pip = [sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check", "install", "--no-index"]
sys.exit(subprocess.run([*pip, "--target", str(folder / "env"), str(file)]).returncode)
