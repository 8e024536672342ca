from typing import Tuple

import torch


def rows(dgamma: torch.Tensor) -> torch.Tensor:
    return torch.sum(dgamma.reshape([-1, dgamma.shape[-1]]), 0)


def prepare(dy: torch.Tensor, x: torch.Tensor, rstd: torch.Tensor, gamma: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    return dy, x, 1.0 / torch.sqrt(torch.mean(x * x, -1, True) + 1e-6), gamma


def reference(dy: torch.Tensor, x: torch.Tensor, rstd: torch.Tensor, gamma: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    h = x * rstd
    g = dy * gamma
    return rstd * (g - h * torch.mean(g * h, -1, True)), rows(dy * h)


def eager(dy: torch.Tensor, x: torch.Tensor, rstd: torch.Tensor, gamma: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    h = x * rstd
    g = dy * gamma
    return rstd * (g - h * torch.mean(g * h, -1, True)), rows(dy * h)


def scale(dy: torch.Tensor, x: torch.Tensor, rstd: torch.Tensor, gamma: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    h = torch.abs(x * rstd)
    g = torch.abs(dy * gamma)
    return rstd * (g + h * torch.mean(g * h, -1, True)), rows(torch.abs(dy) * h)
