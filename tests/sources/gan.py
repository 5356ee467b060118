"""A GAN: two networks, two optimizers, a detached fake, samples drawn while training."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
from torchvision.utils import save_image

latent = 100


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(latent, 256, 4, 1, 0, bias=False), nn.BatchNorm2d(256), nn.ReLU(True),
            nn.ConvTranspose2d(256, 1, 4, 2, 1, bias=False), nn.Tanh(),
        )

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(1, 64, 4, 2, 1), nn.LeakyReLU(0.2, inplace=True), nn.Conv2d(64, 1, 4, 1, 0), nn.Sigmoid()
        )

    def forward(self, x):
        return self.main(x).view(-1)


device = "cuda" if torch.cuda.is_available() else "cpu"
netG, netD = Generator().to(device), Discriminator().to(device)
criterion = nn.BCELoss()
optD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
optG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
data = datasets.MNIST("data", download=True, transform=transforms.ToTensor())
loader = DataLoader(data, batch_size=64, shuffle=True)
fixed = torch.randn(64, latent, 1, 1, device=device)
for epoch in range(25):
    for real, _ in loader:
        real = real.to(device)
        size = real.size(0)
        netD.zero_grad()
        loss_real = criterion(netD(real), torch.ones(size, device=device))
        loss_real.backward()
        fake = netG(torch.randn(size, latent, 1, 1, device=device))
        loss_fake = criterion(netD(fake.detach()), torch.zeros(size, device=device))
        loss_fake.backward()
        optD.step()
        netG.zero_grad()
        loss_G = criterion(netD(fake), torch.ones(size, device=device))
        loss_G.backward()
        optG.step()
        print(f"[{epoch}] Loss_D: {(loss_real + loss_fake).item():.4f} Loss_G: {loss_G.item():.4f}")
    with torch.no_grad():
        shown = netG(fixed).detach().cpu()
    save_image(shown, f"epoch_{epoch}.png", normalize=True)
