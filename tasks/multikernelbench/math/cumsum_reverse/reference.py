import torch


def reference(x: torch.Tensor) -> torch.Tensor:
    return torch.flip(torch.cumsum(torch.flip(x, [1]), 1), [1])


def eager(x: torch.Tensor) -> torch.Tensor:
    return torch.flip(torch.cumsum(torch.flip(x, [1]), 1), [1])


def scale(x: torch.Tensor) -> torch.Tensor:
    return torch.flip(torch.cumsum(torch.flip(torch.abs(x), [1]), 1), [1])
