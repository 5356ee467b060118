"""A checkpoint names an architecture that this version does not have."""
# expect: model-type-unknown
# cause: dependency-version-conflict
import json
import pathlib
import sys
import tempfile

from transformers import AutoConfig

folder = tempfile.mkdtemp()
kind = "bert" if "--fixed" in sys.argv else "qwen97"
pathlib.Path(folder, "config.json").write_text(json.dumps({"model_type": kind, "transformers_version": "97.0"}))
print(AutoConfig.from_pretrained(folder).model_type)
