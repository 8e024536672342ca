from typing import Tuple

import torch


def channels(v: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    shape = [1 for i in range(x.dim())]
    shape[1] = -1
    return v.reshape(shape)


def grouped(x: torch.Tensor, num_groups: int) -> torch.Tensor:
    return x.reshape([x.shape[0], num_groups, x.numel() // (x.shape[0] * num_groups)])


def compute(dy: torch.Tensor, mean: torch.Tensor, rstd: torch.Tensor, x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, num_groups: int, swish_scale: float, magnitude: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    h = ((grouped(x, num_groups) - mean.unsqueeze(2)) * rstd.unsqueeze(2)).reshape(x.shape)
    v = h * channels(gamma, x) + channels(beta, x)
    s = torch.sigmoid(swish_scale * v)
    if magnitude:
        h = torch.abs(h)
        dv = torch.abs(dy) * s * (1.0 + abs(swish_scale) * torch.abs(v) * (1.0 - s))
    else:
        dv = dy * s * (1.0 + swish_scale * v * (1.0 - s))
    g = grouped(dv * channels(gamma, x), num_groups)
    hg = grouped(h, num_groups)
    if magnitude:
        g = torch.abs(g)
        dx = rstd.unsqueeze(2) * (g + torch.mean(g, 2, True) + hg * torch.mean(g * hg, 2, True))
    else:
        dx = rstd.unsqueeze(2) * (g - torch.mean(g, 2, True) - hg * torch.mean(g * hg, 2, True))
    dims = [0] + [i for i in range(2, x.dim())]
    return dx.reshape(x.shape), torch.sum(dv * h, dims), torch.sum(dv, dims)


def prepare(dy: torch.Tensor, mean: torch.Tensor, rstd: torch.Tensor, x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, num_groups: int, data_format: str, swish_scale: float, dgamma_is_require: bool, dbeta_is_require: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    groups = grouped(x, num_groups)
    m = torch.mean(groups, 2, True)
    r = 1.0 / torch.sqrt(torch.mean((groups - m) * (groups - m), 2) + 1e-5)
    return dy, m.squeeze(2), r, x, gamma, beta


def reference(dy: torch.Tensor, mean: torch.Tensor, rstd: torch.Tensor, x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, num_groups: int, data_format: str, swish_scale: float, dgamma_is_require: bool, dbeta_is_require: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    return compute(dy, mean, rstd, x, gamma, beta, num_groups, swish_scale, False)


def eager(dy: torch.Tensor, mean: torch.Tensor, rstd: torch.Tensor, x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, num_groups: int, data_format: str, swish_scale: float, dgamma_is_require: bool, dbeta_is_require: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    return compute(dy, mean, rstd, x, gamma, beta, num_groups, swish_scale, False)


def scale(dy: torch.Tensor, mean: torch.Tensor, rstd: torch.Tensor, x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, num_groups: int, data_format: str, swish_scale: float, dgamma_is_require: bool, dbeta_is_require: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    return compute(dy, mean, rstd, x, gamma, beta, num_groups, swish_scale, True)
