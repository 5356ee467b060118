"""A grey image meets a mean for three channels."""
# expect: grey-image-in-colour-pipeline, broadcast-shape-mismatch
import sys

import torch

image = torch.rand(1, 28, 28)
mean = torch.tensor([0.5]) if "--fixed" in sys.argv else torch.tensor([0.485, 0.456, 0.406])
image.sub_(mean[:, None, None])
print(image.shape)
