import torch


def reference(x: torch.Tensor) -> torch.Tensor:
    return x * 1e-6


def eager(x: torch.Tensor) -> torch.Tensor:
    return x * 1e-6


def scale(x: torch.Tensor) -> torch.Tensor:
    return torch.full_like(x, 100.0)
