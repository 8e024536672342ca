from typing import Optional, Tuple

import torch


def rows(x: torch.Tensor) -> torch.Tensor:
    return torch.sum(x.reshape([-1, x.shape[-1]]), 0)


def prepare(dy: torch.Tensor, x: torch.Tensor, gx: torch.Tensor, gamma: torch.Tensor, mean: torch.Tensor, rstd: torch.Tensor, alpha: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    s = alpha * x + gx
    mean = torch.mean(s, -1, True)
    rstd = 1.0 / torch.sqrt(torch.mean((s - mean) * (s - mean), -1, True) + 1e-5)
    return dy, x, gx, gamma, mean, rstd


def reference(dy: torch.Tensor, x: torch.Tensor, gx: torch.Tensor, gamma: torch.Tensor, mean: torch.Tensor, rstd: torch.Tensor, alpha: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    s = alpha * x + gx
    h = (s - mean) * rstd
    g = (dy * gamma)
    dx = rstd * (g - torch.mean(g, -1, True) - h * torch.mean(g * h, -1, True))
    dgamma = rows((dy) * h)
    dbeta = rows((dy))
    return alpha * dx, dx, dbeta, dgamma


def eager(dy: torch.Tensor, x: torch.Tensor, gx: torch.Tensor, gamma: torch.Tensor, mean: torch.Tensor, rstd: torch.Tensor, alpha: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    s = alpha * x + gx
    h = (s - mean) * rstd
    g = (dy * gamma)
    dx = rstd * (g - torch.mean(g, -1, True) - h * torch.mean(g * h, -1, True))
    dgamma = rows((dy) * h)
    dbeta = rows((dy))
    return alpha * dx, dx, dbeta, dgamma


def scale(dy: torch.Tensor, x: torch.Tensor, gx: torch.Tensor, gamma: torch.Tensor, mean: torch.Tensor, rstd: torch.Tensor, alpha: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    s = alpha * x + gx
    h = (torch.abs(s) + torch.mean(torch.abs(s), -1, True)) * rstd
    g = torch.abs(dy * gamma)
    dx = rstd * (g + torch.mean(g, -1, True) + h * torch.mean(g * h, -1, True))
    dgamma = rows(torch.abs(dy) * h)
    dbeta = rows(torch.abs(dy))
    return abs(alpha) * dx, dx, dbeta, dgamma
