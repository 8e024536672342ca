from typing import Tuple

import torch


def prepare(x1: torch.Tensor, x2: torch.Tensor, t1: float, t2: float, t3: float) -> Tuple[torch.Tensor, torch.Tensor]:
    near = torch.abs(torch.sigmoid(x1 * t1) - t2) < 0.01
    return torch.where(near, torch.full_like(x1, 8.0), x1), x2


def reference(x1: torch.Tensor, x2: torch.Tensor, t1: float, t2: float, t3: float) -> torch.Tensor:
    t = torch.sigmoid(x1 * t1)
    t = torch.where(t < t2, t, 2.0 * t)
    return t * x2.reshape([1, -1]) * t3


def eager(x1: torch.Tensor, x2: torch.Tensor, t1: float, t2: float, t3: float) -> torch.Tensor:
    t = torch.sigmoid(x1 * t1)
    return torch.where(t < t2, t, 2.0 * t) * x2.reshape([1, -1]) * t3
