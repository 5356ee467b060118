"""A job script starts the launcher of an environment that is not active."""

# expect: command-not-found
import pathlib
import subprocess
import sys
import tempfile

script = pathlib.Path(tempfile.mkdtemp()) / "job.sh"
launcher = f'"{sys.executable}" -c "print(1)"' if "--fixed" in sys.argv else "at_launch --nproc 2 train.py"
script.write_text(f"#!/bin/bash\nset -e\necho starting\n{launcher}\n")
sys.exit(subprocess.run(["bash", str(script)]).returncode)
