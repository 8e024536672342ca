from typing import Tuple

import torch


def rms_norm(x: torch.Tensor, gamma: torch.Tensor, epsilon: float) -> Tuple[torch.Tensor, torch.Tensor]:
    rstd = 1.0 / torch.sqrt(torch.mean(x * x, -1, True) + epsilon)
    return x * rstd * gamma, rstd


def reference(x: torch.Tensor, gamma: torch.Tensor, epsilon: float) -> Tuple[torch.Tensor, torch.Tensor]:
    return rms_norm(x, gamma, epsilon)


def eager(x: torch.Tensor, gamma: torch.Tensor, epsilon: float) -> Tuple[torch.Tensor, torch.Tensor]:
    rstd = torch.rsqrt(torch.mean(torch.pow(x, 2), -1, True) + epsilon)
    return x * rstd * gamma, rstd
