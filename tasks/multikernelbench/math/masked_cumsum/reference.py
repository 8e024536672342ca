import torch


def reference(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return torch.cumsum(torch.where(mask, x, torch.zeros_like(x)), 1)


def eager(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return torch.cumsum(x * mask, 1)


def scale(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return torch.cumsum(torch.abs(x), 1)
