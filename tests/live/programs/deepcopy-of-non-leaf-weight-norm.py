"""The old weight_norm keeps a computed weight on the layer, which deepcopy does not take."""
# expect: deepcopy-of-non-leaf
# cause: weight-norm-copied
# place: copy.deepcopy(net)
import copy
import sys

from torch import nn

if "--fixed" in sys.argv:
    from torch.nn.utils.parametrizations import weight_norm
else:
    from torch.nn.utils import weight_norm

net = nn.Sequential(weight_norm(nn.Linear(4, 4)))
average = copy.deepcopy(net)
print(average)
