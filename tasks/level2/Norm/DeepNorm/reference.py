from typing import Tuple

import torch


def reference(x: torch.Tensor, gx: torch.Tensor, beta: torch.Tensor, gamma: torch.Tensor, alpha: float, epsilon: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    s = alpha * x + gx
    mean = torch.mean(s, -1, True)
    centred = s - mean
    rstd = 1.0 / torch.sqrt(torch.mean(centred * centred, -1, True) + epsilon)
    return mean, rstd, centred * rstd * gamma + beta


def eager(x: torch.Tensor, gx: torch.Tensor, beta: torch.Tensor, gamma: torch.Tensor, alpha: float, epsilon: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    y, mean, rstd = torch.native_layer_norm(alpha * x + gx, [x.shape[-1]], gamma, beta, epsilon)
    return mean, rstd, y


def scale(x: torch.Tensor, gx: torch.Tensor, beta: torch.Tensor, gamma: torch.Tensor, alpha: float, epsilon: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    s = alpha * x + gx
    centred = s - torch.mean(s, -1, True)
    rstd = 1.0 / torch.sqrt(torch.mean(centred * centred, -1, True) + epsilon)
    size = torch.abs(alpha * x) + torch.abs(gx)
    mean = torch.mean(size, -1, True)
    return mean, rstd, (size + mean) * rstd * torch.abs(gamma) + torch.abs(beta)
