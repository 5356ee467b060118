"""A bracket that is never closed, in a module of the project."""
# cause: mistake-in-the-file
import pathlib
import sys
import tempfile

folder = pathlib.Path(tempfile.mkdtemp())
close = ")" if "--fixed" in sys.argv else ""
(folder / "net.py").write_text(f"def layers(width):\n    return dict(hidden=width * 2{close}\n\n\nprint(layers(8))\n")
sys.path.insert(0, str(folder))
import net
