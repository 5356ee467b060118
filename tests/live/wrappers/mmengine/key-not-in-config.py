"""The script reads a key that the configuration file does not have."""
# expect: config-key-missing
import pathlib
import sys

from mmengine.config import Config

pathlib.Path("config.py").write_text("model = dict(type='SmallNet', classes=2)\ntrain_cfg = dict(max_epochs=1)\n")
cfg = Config.fromfile("config.py")
print(cfg.train_cfg.max_epochs if "--fixed" in sys.argv else cfg.train_cfg.val_interval)
