"""A search over settings starts one run after another, and one ends with an error of which it says nothing."""

# expect: child-command-failed
import pathlib
import subprocess
import sys
import tempfile

tune = pathlib.Path(tempfile.mkdtemp()) / "tune.py"
limit = 1.0 if "--fixed" in sys.argv else 0.05
tune.write_text(f"import sys\n\nsys.exit(float(sys.argv[1]) > {limit})\n")
for rate in (0.01, 0.1):
    subprocess.run([sys.executable, str(tune), str(rate)], check=True)
print("all runs done")
