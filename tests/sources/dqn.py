"""Deep Q-learning: a target network, a replay memory, greedy actions under no_grad."""
import random
from collections import deque

import torch
from torch import nn, optim


class QNetwork(nn.Module):
    def __init__(self, states, actions):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(states, 120), nn.ReLU(), nn.Linear(120, actions))

    def forward(self, x):
        return self.layers(x)


def learn(env, steps=10_000, gamma=0.99):
    q_network, target_network = QNetwork(4, 2), QNetwork(4, 2)
    target_network.load_state_dict(q_network.state_dict())
    optimizer = optim.Adam(q_network.parameters(), lr=2.5e-4)
    memory = deque(maxlen=5000)
    state = env.reset()
    for step in range(steps):
        if random.random() < max(0.05, 1 - step / 5000):
            action = random.randrange(2)
        else:
            with torch.no_grad():
                action = q_network(torch.as_tensor(state)).argmax().item()
        after, reward, done = env.step(action)
        memory.append((state, action, reward, after, done))
        state = env.reset() if done else after
        if len(memory) < 500:
            continue
        states, actions, rewards, nexts, dones = map(torch.tensor, zip(*random.sample(memory, 128), strict=True))
        with torch.no_grad():
            best, _ = target_network(nexts).max(dim=1)
            wanted = rewards + gamma * best * (1 - dones.float())
        old = q_network(states).gather(1, actions.unsqueeze(1)).squeeze(1)
        loss = nn.functional.mse_loss(old, wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 500 == 0:
            target_network.load_state_dict(q_network.state_dict())
            print(f"step={step} td_loss={loss.item():.5f}")
