"""What was downloaded as a module is the page around it."""
# expect: syntax-or-indentation-error
# cause: not-python-at-all
import pathlib
import subprocess
import sys
import tempfile

file = pathlib.Path(tempfile.mkdtemp()) / "convert.py"
file.write_text("print('converted')\n" if "--fixed" in sys.argv else "\n\n<!DOCTYPE html>\n<html lang='en'>\n<head></head>\n</html>\n")
sys.exit(subprocess.run([sys.executable, str(file)]).returncode)
