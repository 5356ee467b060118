"""A grey image stands among coloured ones."""
# expect: collate-size-mismatch
# cause: images-of-unlike-size
# place: in DataLoader(
import sys
import torch
from torch.utils.data import DataLoader
images = [torch.rand(3, 64, 64), torch.rand(1, 64, 64)]
if "--fixed" in sys.argv:
    images = [i.expand(3, -1, -1) for i in images]
for batch in DataLoader(images, batch_size=2):
    print(batch.shape)
