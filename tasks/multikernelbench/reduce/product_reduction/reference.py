import torch


def reference(x: torch.Tensor) -> torch.Tensor:
    return torch.prod(x, 1)


def eager(x: torch.Tensor) -> torch.Tensor:
    return torch.prod(x, 1)


def scale(x: torch.Tensor) -> torch.Tensor:
    return torch.abs(torch.prod(x, 1)) * (256.0 + 4.0 * float(x.shape[1]))
