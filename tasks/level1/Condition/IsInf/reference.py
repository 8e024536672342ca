import torch


def reference(x: torch.Tensor) -> torch.Tensor:
    return torch.isinf(x)


def eager(x: torch.Tensor) -> torch.Tensor:
    return torch.isinf(x)
