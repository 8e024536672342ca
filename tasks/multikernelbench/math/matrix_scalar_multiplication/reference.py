import torch


def reference(A: torch.Tensor, s: float) -> torch.Tensor:
    return A * s


def eager(A: torch.Tensor, s: float) -> torch.Tensor:
    return A * s
