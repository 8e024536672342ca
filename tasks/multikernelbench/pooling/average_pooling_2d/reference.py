import torch
import torch.nn.functional as F


def reference(x: torch.Tensor) -> torch.Tensor:
    return F.avg_pool2d(x, 11, 11, 0)


def eager(x: torch.Tensor) -> torch.Tensor:
    return F.avg_pool2d(x, 11, 11, 0)
