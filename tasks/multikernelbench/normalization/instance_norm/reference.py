from typing import List

import torch
import torch.nn.functional as F


def standard(x: torch.Tensor, dims: List[int], eps: float) -> torch.Tensor:
    centred = x - torch.mean(x, dims, True)
    return centred / torch.sqrt(torch.mean(centred * centred, dims, True) + eps)


def size(x: torch.Tensor, dims: List[int], eps: float) -> torch.Tensor:
    centred = x - torch.mean(x, dims, True)
    wide = torch.abs(x) + torch.mean(torch.abs(x), dims, True)
    return wide / torch.sqrt(torch.mean(centred * centred, dims, True) + eps)


def reference(x: torch.Tensor) -> torch.Tensor:
    return standard(x, [2, 3], 1e-5)


def eager(x: torch.Tensor) -> torch.Tensor:
    return F.instance_norm(x)


def scale(x: torch.Tensor) -> torch.Tensor:
    return size(x, [2, 3], 1e-5)
