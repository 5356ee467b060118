"""A hidden state is carried from step to step with its graph."""
# expect: inplace-modified
# cause: state-kept-between-batches
# place: retain_graph=True
import sys
import torch
torch.manual_seed(0)
rnn = torch.nn.RNN(4, 4)
opt = torch.optim.SGD(rnn.parameters(), lr=0.1)
h = torch.zeros(1, 2, 4)
for step in range(2):
    out, h = rnn(torch.randn(3, 2, 4), h)
    loss = out.pow(2).mean()
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    if "--fixed" in sys.argv:
        h = h.detach()
print("stepped")
