"""An operator is exported to a version of ONNX that came before it."""
# expect: onnx-op-unsupported
# cause: opset-too-old
import sys
import tempfile

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.tril(x).sum(-1)


opset = 17 if "--fixed" in sys.argv else 11
torch.onnx.export(Net(), (torch.ones(3, 3),), tempfile.mkdtemp() + "/net.onnx", dynamo=False, opset_version=opset)
print("exported")
