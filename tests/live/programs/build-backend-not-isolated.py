"""A build backend imports NumPy, which is here, but not in the environment that pip makes for building."""

# expect: module-not-found
# cause: build-isolation
import pathlib
import subprocess
import sys
import tempfile

folder = pathlib.Path(tempfile.mkdtemp())
(folder / "pyproject.toml").write_text('[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n')
(folder / "backend.py").write_text(
    "import zipfile\n\nimport numpy\n\n\n"
    "def build_wheel(folder, config_settings=None, metadata_directory=None):\n"
    "    with zipfile.ZipFile(f'{folder}/atops-1.0-py3-none-any.whl', 'w') as packed:\n"
    "        info = 'atops-1.0.dist-info/'\n"
    "        packed.writestr('atops.py', f'made_for = {numpy.__version__!r}')\n"
    "        packed.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: atops\\nVersion: 1.0\\n')\n"
    "        packed.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')\n"
    "        packed.writestr(info + 'RECORD', '')\n"
    "    return 'atops-1.0-py3-none-any.whl'\n"
)
pip = [sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check", "install", "--no-index"]
chosen = ["--no-build-isolation"] if "--fixed" in sys.argv else []
sys.exit(subprocess.run([*pip, *chosen, "--target", str(folder / "env"), "."], cwd=folder).returncode)
