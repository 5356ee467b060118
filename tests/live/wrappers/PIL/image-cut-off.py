"""A download of one image stopped half-way; the set is read by a loader with workers."""
# expect: image-corrupt
# cause: file-damaged
import os
import sys

import numpy as np
from PIL import Image
from torch.utils.data import DataLoader, Dataset

rng = np.random.default_rng(0)
for number in range(6):
    Image.fromarray(rng.integers(0, 255, (64, 64, 3), dtype=np.uint8)).save(f"{number}.jpg")
if "--fixed" not in sys.argv:
    os.truncate("4.jpg", os.path.getsize("4.jpg") // 2)


class Images(Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, index):
        image = Image.open(f"{index}.jpg").convert("RGB")
        return np.asarray(image)


for batch in DataLoader(Images(), batch_size=2, num_workers=1):
    print(batch.shape)
