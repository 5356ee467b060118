"""Images of unlike size are stacked to a batch."""
# expect: collate-size-mismatch
# cause: images-of-unlike-size
# place: in DataLoader(
import sys
import torch
from torch.utils.data import DataLoader
images = [torch.rand(3, 224, 224), torch.rand(3, 200, 300)]
def resized(batch):
    return torch.stack([torch.nn.functional.interpolate(i[None], (64, 64))[0] for i in batch])
for batch in DataLoader(images, batch_size=2, collate_fn=resized if "--fixed" in sys.argv else None):
    print(batch.shape)
