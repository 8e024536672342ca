import torch


def reference(x: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
    return torch.eq(x, z)


def eager(x: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
    return torch.eq(x, z)
