"""A package beneath the library is broken: it was installed without one of its own."""
# expect: module-not-found
# told: framework-import-failed
import pathlib
import sys
import tempfile

if "--fixed" not in sys.argv:
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "accelerate").mkdir()
    (folder / "accelerate" / "__init__.py").write_text("import at_threadpools\n")
    sys.path.insert(0, str(folder))

from transformers import BertConfig, BertModel

config = BertConfig(vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8)
print(type(BertModel(config)).__name__)
