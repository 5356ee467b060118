"""Fill values of masked arrays come back through np.concatenate and end in BCE."""
# expect: numpy-overflow, masked-array-mask-lost
import sys

import numpy as np
import torch

FIXED = "--fixed" in sys.argv
FILL = 9.96921e36  # _FillValue of netCDF floats


def patch(seed):
    rng = np.random.default_rng(seed)
    data = rng.random((64, 64)).astype(np.float32)
    data[rng.random((64, 64)) < 0.2] = FILL
    return np.ma.masked_values(data, FILL)


concatenate = np.ma.concatenate if FIXED else np.concatenate
data = concatenate([patch(i) for i in range(4)])
data = np.asarray(data.filled(0.5) if FIXED else getattr(data, "data", data))
data = (data - data.mean()) / data.std()
data = (data - data.min()) / (data.max() - data.min())
x = torch.from_numpy(data).float()
loss = torch.nn.BCELoss()(x, torch.ones_like(x))
print(f"loss {loss.item():.4f}")
