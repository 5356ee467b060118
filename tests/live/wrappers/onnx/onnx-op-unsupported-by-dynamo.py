"""A model is exported by the new exporter and uses an operator which ONNX does not have."""
# expect: onnx-op-unsupported
# cause: no-counterpart
import sys
import tempfile

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x.square().sum(-1) if "--fixed" in sys.argv else torch.linalg.eigvalsh(x)


torch.onnx.export(Net(), (torch.eye(3)[None],), tempfile.mkdtemp() + "/net.onnx", dynamo=True)
print("exported")
