"""A quantised autoencoder: gradients that are stopped on purpose, a straight-through step, a frozen perceptual loss."""
import torch
import torch.nn.functional as F
from torch import nn
from torchvision import models


class Quantizer(nn.Module):
    def __init__(self, count, width, beta=0.25):
        super().__init__()
        self.book = nn.Embedding(count, width)
        self.beta = beta

    def forward(self, z):
        flat = z.permute(0, 2, 3, 1).reshape(-1, z.size(1))
        nearest = torch.cdist(flat, self.book.weight).argmin(1)
        quantized = self.book(nearest).view(z.size(0), z.size(2), z.size(3), -1).permute(0, 3, 1, 2)
        loss = F.mse_loss(quantized, z.detach()) + self.beta * F.mse_loss(quantized.detach(), z)
        return z + (quantized - z).detach(), loss


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Conv2d(3, 64, 4, 2, 1)
        self.quantizer = Quantizer(512, 64)
        self.decoder = nn.ConvTranspose2d(64, 3, 4, 2, 1)

    def forward(self, x):
        quantized, loss = self.quantizer(self.encoder(x))
        return self.decoder(quantized), loss


def perceptual(features, a, b):
    with torch.no_grad():
        wanted = features(b)
    return F.l1_loss(features(a), wanted)


def train(loader, epochs=10):
    model = Model()
    features = models.vgg16(weights="DEFAULT").features[:16].eval()
    for parameter in features.parameters():
        parameter.requires_grad_(False)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-4)
    for epoch in range(epochs):
        for images, _ in loader:
            optimizer.zero_grad()
            restored, vq_loss = model(images)
            loss = F.mse_loss(restored, images) + vq_loss + 0.1 * perceptual(features, restored, images)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")
