"""An operation of the GPU alone is given tensors of the CPU."""
# expect: op-missing-for-backend
# cause: tensors-on-the-cpu
# place: cudnn_convolution(
import sys

import torch

x, w = torch.ones(1, 3, 8, 8), torch.ones(4, 3, 3, 3)
if "--fixed" in sys.argv:
    y = torch.conv2d(x, w)
else:
    y = torch.ops.aten.cudnn_convolution(x, w, [0, 0], [1, 1], [1, 1], 1, False, False, True)
print(y.shape)
