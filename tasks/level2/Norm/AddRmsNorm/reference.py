from typing import Tuple

import torch


def reference(x1: torch.Tensor, x2: torch.Tensor, gamma: torch.Tensor, epsilon: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    x = x1 + x2
    rstd = 1.0 / torch.sqrt(torch.mean(x * x, -1, True) + epsilon)
    y = x * rstd * gamma
    return y, rstd, x


def eager(x1: torch.Tensor, x2: torch.Tensor, gamma: torch.Tensor, epsilon: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    x = x1 + x2
    rstd = torch.rsqrt(torch.mean(torch.pow(x, 2), -1, True) + epsilon)
    y = x * rstd * gamma
    return y, rstd, x


def scale(x1: torch.Tensor, x2: torch.Tensor, gamma: torch.Tensor, epsilon: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    total = x1 + x2
    x = torch.abs(x1) + torch.abs(x2)
    rstd = 1.0 / torch.sqrt(torch.mean(total * total, -1, True) + epsilon)
    y = x * rstd * torch.abs(gamma)
    return y, rstd, x
