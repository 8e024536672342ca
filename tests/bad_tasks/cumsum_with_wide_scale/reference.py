import torch


def reference(x: torch.Tensor) -> torch.Tensor:
    return torch.cumsum(x, -1)


def eager(x: torch.Tensor) -> torch.Tensor:
    return torch.cumsum(x, -1)


def scale(x: torch.Tensor) -> torch.Tensor:
    return torch.full_like(x, 1.0e9)
