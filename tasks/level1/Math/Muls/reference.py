import torch


def reference(x: torch.Tensor, value: float) -> torch.Tensor:
    return x * torch.full([], value, dtype=x.dtype)


def eager(x: torch.Tensor, value: float) -> torch.Tensor:
    return x * torch.full([], value, dtype=x.dtype)
