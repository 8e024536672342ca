import torch


def reference(x: torch.Tensor) -> torch.Tensor:
    return torch.cos(x)


def eager(x: torch.Tensor) -> torch.Tensor:
    return torch.cos(x)
