import math

import torch


def series(z: torch.Tensor) -> torch.Tensor:
    # Li2(z) for |z| <= 1/2, by its power series.
    total = torch.zeros_like(z)
    power = torch.ones_like(z)
    for k in range(1, 61):
        power = power * z
        total = total + power / float(k * k)
    return total


def spence(x: torch.Tensor) -> torch.Tensor:
    # Into (0, 1] by 1/x, then into [1/2, 3/2] by 1 - x.
    large = x > 1.5
    inside = torch.where(large, 1.0 / x, x)
    near_zero = inside < 0.5
    z = torch.where(near_zero, inside, 1.0 - inside)
    y = series(z)
    logs = torch.xlogy(torch.log1p(-inside), inside)
    y = torch.where(near_zero, math.pi * math.pi / 6.0 - logs - y, y)
    y = torch.where(large, -0.5 * torch.log(x) ** 2 - y, y)
    return torch.where(x < 0.0, torch.full_like(x, math.nan), y)


def reference(x: torch.Tensor) -> torch.Tensor:
    return spence(x)


def eager(x: torch.Tensor) -> torch.Tensor:
    return spence(x.to(torch.float64)).to(x.dtype)
