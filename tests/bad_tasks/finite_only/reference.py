import torch


def reference(x: torch.Tensor) -> torch.Tensor:
    return torch.logical_not(torch.isfinite(x)).any().to(x.dtype).reshape(1)


def eager(x: torch.Tensor) -> torch.Tensor:
    return torch.logical_not(torch.isfinite(x)).any().to(x.dtype).reshape(1)
