import torch


def reference(x: torch.Tensor) -> torch.Tensor:
    return torch.cumsum(x, 1) - x


def eager(x: torch.Tensor) -> torch.Tensor:
    return torch.cat([torch.zeros_like(x[:, :1]), torch.cumsum(x, 1)[:, : max(x.shape[1] - 1, 0)]], 1)


def scale(x: torch.Tensor) -> torch.Tensor:
    return torch.cumsum(torch.abs(x), 1)
