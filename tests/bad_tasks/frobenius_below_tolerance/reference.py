import torch


def reference(x: torch.Tensor) -> torch.Tensor:
    return x / torch.sqrt(torch.sum(x * x))


def eager(x: torch.Tensor) -> torch.Tensor:
    return x / torch.sqrt(torch.sum(x * x))


def scale(x: torch.Tensor) -> torch.Tensor:
    return torch.full_like(x, 10000.0)
