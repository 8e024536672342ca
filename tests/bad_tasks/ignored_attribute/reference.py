import torch


def reference(x: torch.Tensor, heads: int) -> torch.Tensor:
    return torch.sqrt(x)


def eager(x: torch.Tensor, heads: int) -> torch.Tensor:
    return torch.sqrt(x)
