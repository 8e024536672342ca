import torch
import torch.nn.functional as F


def reference(x: torch.Tensor) -> torch.Tensor:
    return F.max_pool2d(x, 4, 1, 1)


def eager(x: torch.Tensor) -> torch.Tensor:
    return F.max_pool2d(x, 4, 1, 1)
