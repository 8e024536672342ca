from typing import Optional, Tuple

import torch


def rows(x: torch.Tensor) -> torch.Tensor:
    return torch.sum(x.reshape([-1, x.shape[-1]]), 0)


def prepare(dy: torch.Tensor, x1: torch.Tensor, x2: torch.Tensor, rstd: torch.Tensor, mean: torch.Tensor, gamma: torch.Tensor, dsum: Optional[torch.Tensor]) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, Optional[torch.Tensor]]:
    s = x1 + x2
    mean = torch.mean(s, -1, True)
    rstd = 1.0 / torch.sqrt(torch.mean((s - mean) * (s - mean), -1, True) + 1e-5)
    return dy, x1, x2, rstd, mean, gamma, dsum


def reference(dy: torch.Tensor, x1: torch.Tensor, x2: torch.Tensor, rstd: torch.Tensor, mean: torch.Tensor, gamma: torch.Tensor, dsum: Optional[torch.Tensor]) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    s = x1 + x2
    h = (s - mean) * rstd
    g = (dy * gamma)
    dx = rstd * (g - torch.mean(g, -1, True) - h * torch.mean(g * h, -1, True))
    if dsum is not None:
        dx = dx + dsum
    dgamma = rows((dy) * h)
    dbeta = rows((dy))
    return dx, dgamma, dbeta


def eager(dy: torch.Tensor, x1: torch.Tensor, x2: torch.Tensor, rstd: torch.Tensor, mean: torch.Tensor, gamma: torch.Tensor, dsum: Optional[torch.Tensor]) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    s = x1 + x2
    h = (s - mean) * rstd
    g = (dy * gamma)
    dx = rstd * (g - torch.mean(g, -1, True) - h * torch.mean(g * h, -1, True))
    if dsum is not None:
        dx = dx + dsum
    dgamma = rows((dy) * h)
    dbeta = rows((dy))
    return dx, dgamma, dbeta


def scale(dy: torch.Tensor, x1: torch.Tensor, x2: torch.Tensor, rstd: torch.Tensor, mean: torch.Tensor, gamma: torch.Tensor, dsum: Optional[torch.Tensor]) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    s = x1 + x2
    h = (torch.abs(s) + torch.mean(torch.abs(s), -1, True)) * rstd
    g = torch.abs(dy * gamma)
    dx = rstd * (g + torch.mean(g, -1, True) + h * torch.mean(g * h, -1, True))
    if dsum is not None:
        dx = dx + torch.abs(dsum)
    dgamma = rows(torch.abs(dy) * h)
    dbeta = rows(torch.abs(dy))
    return dx, dgamma, dbeta
