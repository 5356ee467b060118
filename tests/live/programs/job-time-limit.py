"""A job whose processor time is limited to a second, as a queue or a login node limits it by `ulimit -t`."""
# needs: bash
import subprocess
import sys

steps = 3 if "--fixed" in sys.argv else 3000
work = f"for step in range({steps}):\n    total = sum(range(1_000_000))\n    print('step', step, flush=True)\n"
job = 'ulimit -St 1; "$0" -c "$1"; exit $?'
sys.exit(subprocess.run(["bash", "-c", job, sys.executable, work]).returncode)
