"""A small transformer: accumulated gradients, a rate by hand, estimates of the loss, weights that are shared."""
import math

import torch
import torch.nn as nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width), nn.Dropout(0.1))
        self.heads = heads

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.qkv(self.norm1(x)).split(C, dim=2)
        q, k, v = (one.view(B, T, self.heads, C // self.heads).transpose(1, 2) for one in (q, k, v))
        scores = (q @ k.transpose(-2, -1)) / math.sqrt(k.size(-1))
        mask = torch.tril(torch.ones(T, T, device=x.device)) == 0
        weights = F.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)
        x = x + self.out((weights @ v).transpose(1, 2).contiguous().view(B, T, C))
        return x + self.mlp(self.norm2(x))


class GPT(nn.Module):
    def __init__(self, vocab, width=128, depth=4):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.blocks = nn.ModuleList([Block(width, 4) for _ in range(depth)])
        self.head = nn.Linear(width, vocab, bias=False)
        self.embed.weight = self.head.weight

    def forward(self, idx, targets=None):
        x = self.embed(idx)
        for block in self.blocks:
            x = block(x)
        logits = self.head(x)
        if targets is None:
            return logits[:, [-1], :], None
        return logits, F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)

    @torch.no_grad()
    def generate(self, idx, count):
        for _ in range(count):
            logits, _ = self(idx)
            probs = F.softmax(logits[:, -1, :] / 0.8, dim=-1)
            idx = torch.cat((idx, torch.multinomial(probs, num_samples=1)), dim=1)
        return idx


device = "cuda" if torch.cuda.is_available() else "cpu"
data = torch.randint(1, 65, (100_000,))
model = GPT(65).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, betas=(0.9, 0.95))
scaler = torch.amp.GradScaler(device)
model = torch.compile(model)


def batch():
    ix = torch.randint(len(data) - 65, (32,))
    x = torch.stack([data[i : i + 64] for i in ix])
    y = torch.stack([data[i + 1 : i + 65] for i in ix])
    return x.to(device), y.to(device)


@torch.no_grad()
def estimate():
    model.eval()
    losses = torch.zeros(20)
    for k in range(20):
        _, loss = model(*batch())
        losses[k] = loss.item()
    model.train()
    return losses.mean()


for it in range(5000):
    for group in optimizer.param_groups:
        group["lr"] = 3e-4 * min(1.0, it / 100)
    if it % 250 == 0:
        print(f"step {it}: val loss {estimate():.4f}")
    for _ in range(4):
        x, y = batch()
        _, loss = model(x, y)
        loss = loss / 4
        scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
    if it % 10 == 0:
        print(f"iter {it}: loss {loss.item() * 4:.4f}")
