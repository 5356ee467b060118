"""Two modules import each other."""

# expect: circular-import
import pathlib
import sys
import tempfile

folder = pathlib.Path(tempfile.mkdtemp())
(folder / "net.py").write_text("from blocks import Block\n\nclass Net:\n    block = Block\n")
late = "" if "--fixed" in sys.argv else "from net import Net\n\n"
(folder / "blocks.py").write_text(late + "class Block:\n    pass\n")
sys.path.insert(0, str(folder))

from net import Net

print(Net.block)
