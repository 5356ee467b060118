"""The installed tokenizers are older than this transformers wants."""
# expect: dependency-version-conflict
import pathlib
import sys
import tempfile

folder = pathlib.Path(tempfile.mkdtemp())
if "--fixed" not in sys.argv:
    info = folder / "tokenizers-0.10.3.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tokenizers\nVersion: 0.10.3\n")
sys.path.insert(0, str(folder))

from transformers import BertConfig

print(BertConfig(hidden_size=8).hidden_size)
