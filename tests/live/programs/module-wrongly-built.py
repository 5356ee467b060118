"""Sequential was given a list."""
# expect: module-wrongly-built
import sys

from torch import nn

layers = [nn.Linear(4, 4), nn.ReLU()]
net = nn.Sequential(*layers) if "--fixed" in sys.argv else nn.Sequential(layers)
print(len(net))
