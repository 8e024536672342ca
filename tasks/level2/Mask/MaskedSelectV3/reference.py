import torch


def reference(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return torch.masked_select(x, mask)


def eager(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return torch.masked_select(x, mask)
