import torch


def reference(x: torch.Tensor, diagonal: int) -> torch.Tensor:
    return torch.tril(x, diagonal)


def eager(x: torch.Tensor, diagonal: int) -> torch.Tensor:
    return torch.tril(x, diagonal)
