"""The hub is asked through an address at which nobody listens."""
# expect: hub-offline
# cause: node-without-internet
import json
import os
import pathlib
import sys
import tempfile

os.environ.update(HF_ENDPOINT="http://127.0.0.1:9", HF_HOME=tempfile.mkdtemp(), HF_HUB_OFFLINE="0")

from transformers import AutoConfig

name = "ada/small-bert"
if "--fixed" in sys.argv:  # fetched before, on a machine with a way out
    name = tempfile.mkdtemp()
    pathlib.Path(name, "config.json").write_text(json.dumps({"model_type": "bert", "hidden_size": 8}))
print(AutoConfig.from_pretrained(name).hidden_size)
