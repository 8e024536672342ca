import torch
import torch.nn.functional as F


def reference(x: torch.Tensor) -> torch.Tensor:
    return F.max_pool1d(x, 8, 1, 4)


def eager(x: torch.Tensor) -> torch.Tensor:
    return F.max_pool1d(x, 8, 1, 4)
