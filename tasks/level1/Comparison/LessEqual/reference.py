import torch


def reference(x1: torch.Tensor, x2: torch.Tensor) -> torch.Tensor:
    return torch.le(x1, x2)


def eager(x1: torch.Tensor, x2: torch.Tensor) -> torch.Tensor:
    return torch.le(x1, x2)
