import torch


def reference(x: torch.Tensor) -> torch.Tensor:
    return torch.cumprod(x, 1)


def eager(x: torch.Tensor) -> torch.Tensor:
    return torch.cumprod(x, 1)


def scale(x: torch.Tensor) -> torch.Tensor:
    return torch.abs(torch.cumprod(x, 1)) * (1.0 + torch.arange(x.shape[1], dtype=x.dtype) / 64.0) * 256.0
