"""A job script under `set -u` reads a variable that nobody has set."""

# cause: not-passed-into-the-job
# needs: bash
import os
import subprocess
import sys

script = 'set -eu\necho "reading $DATA_OF_THE_JOB"\n'
given = {"DATA_OF_THE_JOB": "/data"} if "--fixed" in sys.argv else {}
sys.exit(subprocess.run(["bash", "-c", script, "run.sh"], env={"PATH": os.environ["PATH"], **given}).returncode)
