"""A recurrent network without clipping at a rate of 2: the gradient norm grows, then the loss blows up."""
# expect: exploding-gradients
import torch
from torch import nn

torch.manual_seed(1)
x = torch.randn(256, 40, 4)
y = x.sum((1, 2), keepdim=True)[:, 0]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(16) * 0.9)
        self.read, self.head = nn.Linear(4, 16), nn.Linear(16, 1)

    def forward(self, x):
        hidden = torch.zeros(len(x), 16)
        for step in range(x.shape[1]):
            hidden = hidden @ self.weight + self.read(x[:, step])
        return self.head(hidden)


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
for step in range(40):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
    optimizer.step()
    print(f"step {step} loss {loss.item():.4f} grad_norm {norm.item():.4f}")
