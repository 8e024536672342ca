import torch


def reference(x: torch.Tensor, scale: float) -> torch.Tensor:
    return x * torch.sigmoid(scale * x)


def eager(x: torch.Tensor, scale: float) -> torch.Tensor:
    return x * torch.sigmoid(scale * x)
