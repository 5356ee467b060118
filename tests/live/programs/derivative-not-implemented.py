"""An autograd.Function that returns a gradient of the wrong shape."""
# expect: derivative-not-implemented
import sys

import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, s):
        ctx.save_for_backward(x, s)
        return x * s

    @staticmethod
    def backward(ctx, g):
        x, s = ctx.saved_tensors
        ds = g * x if "--fixed" in sys.argv else (g * x)[:2]
        return g * s, ds


x, s = torch.randn(4, requires_grad=True), torch.ones(4, requires_grad=True)
Scale.apply(x, s).sum().backward()
print("step done")
