import torch


def reference(x: torch.Tensor) -> torch.Tensor:
    while True:
        x = x + 1.0
    return x


def eager(x: torch.Tensor) -> torch.Tensor:
    return torch.sqrt(x)
