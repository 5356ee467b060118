"""The critic's step stands between the actor's loss and its backward."""
# expect: inplace-modified
# cause: weights-updated-between-forward-and-backward
# place: loss_a.backward()
import sys
import torch
torch.manual_seed(0)
a, c = torch.nn.Linear(4, 4), torch.nn.Linear(4, 1)
oa, oc = torch.optim.SGD(a.parameters(), lr=0.1), torch.optim.SGD(c.parameters(), lr=0.1)
x = torch.randn(8, 4)
h = a(x)
loss_c = (c(h.detach()) - 1).pow(2).mean()
loss_a = -c(h).mean()
loss_c.backward()
oc.step()
if "--fixed" in sys.argv:
    loss_a = -c(h).mean()
loss_a.backward()
oa.step()
print("stepped")
