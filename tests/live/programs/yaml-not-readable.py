"""A key of a configuration is indented less than its neighbours."""

# cause: indentation-uneven
# place: yaml.safe_load(
import sys

import yaml

text = "lr: 0.001\nmodel:\n  width: 64\n depth: 3\n"
print(yaml.safe_load(text.replace("\n depth", "\n  depth") if "--fixed" in sys.argv else text))
