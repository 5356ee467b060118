"""An image classifier: mixed precision, clipping, a schedule by epochs, evaluation, checkpoints."""
import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, models, transforms


def accuracy(output, target, topk=(1, 5)):
    with torch.no_grad():
        _, pred = output.topk(max(topk), 1, True, True)
        correct = pred.t().eq(target.view(1, -1).expand_as(pred.t()))
        return [correct[:k].reshape(-1).float().sum().item() * 100.0 / target.size(0) for k in topk]


def train(loader, model, criterion, optimizer, scaler, device):
    model.train()
    running = 0.0
    for step, (images, target) in enumerate(loader):
        images, target = images.to(device, non_blocking=True), target.to(device, non_blocking=True)
        with torch.autocast(device.type):
            output = model(images)
            loss = criterion(output, target)
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        running += loss.item()
        if step % 50 == 0:
            print(f"step {step} loss {loss.item():.4f} top1 {accuracy(output, target)[0]:.2f}")
    return running / len(loader)


@torch.no_grad()
def validate(loader, model, criterion, device):
    model.eval()
    losses, hits, seen = 0.0, 0, 0
    for images, target in loader:
        output = model(images.to(device))
        probabilities = F.softmax(output, dim=1)
        losses += criterion(output, target.to(device)).item()
        hits += (probabilities.argmax(1).cpu() == target).sum().item()
        seen += len(target)
    return losses / len(loader), hits / seen


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="data")
    parser.add_argument("--epochs", type=int, default=90)
    args = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    normalize = transforms.Normalize(mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225])
    augment = transforms.Compose([transforms.RandomResizedCrop(224), transforms.ToTensor(), normalize])
    plain = transforms.Compose([transforms.Resize(256), transforms.CenterCrop(224), transforms.ToTensor(), normalize])
    train_loader = DataLoader(datasets.ImageFolder(f"{args.data}/train", augment), batch_size=256, shuffle=True)
    val_loader = DataLoader(datasets.ImageFolder(f"{args.data}/val", plain), batch_size=256)
    model = models.resnet50(weights=None, num_classes=100)
    model = nn.DataParallel(model).to(device)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=30, gamma=0.1)
    scaler = torch.amp.GradScaler(device.type)
    best = 0.0
    for epoch in range(args.epochs):
        loss = train(train_loader, model, criterion, optimizer, scaler, device)
        val_loss, top1 = validate(val_loader, model, criterion, device)
        scheduler.step()
        print(f"epoch {epoch} loss {loss:.4f} val_loss {val_loss:.4f} top1 {top1:.4f}")
        if top1 > best:
            best = top1
            torch.save({"model": model.state_dict(), "epoch": epoch}, "best.pt")


if __name__ == "__main__":
    main()
