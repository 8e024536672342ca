from typing import Tuple

import torch


def channels(v: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    shape = [1 for i in range(x.dim())]
    shape[1] = -1
    return v.reshape(shape)


def statistics(x: torch.Tensor, num_groups: int, eps: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    groups = x.reshape([x.shape[0], num_groups, x.numel() // max(x.shape[0] * num_groups, 1)])
    mean = torch.mean(groups, 2, True)
    centred = groups - mean
    rstd = 1.0 / torch.sqrt(torch.mean(centred * centred, 2, True) + eps)
    return (centred * rstd).reshape(x.shape), mean.squeeze(2), rstd.squeeze(2)


def reference(x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, num_groups: int, data_format: str, eps: float, activate_swish: bool, swish_scale: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    h, mean, rstd = statistics(x, num_groups, eps)
    v = h * channels(gamma, x) + channels(beta, x)
    if activate_swish:
        v = v * torch.sigmoid(swish_scale * v)
    return v, mean, rstd


def eager(x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, num_groups: int, data_format: str, eps: float, activate_swish: bool, swish_scale: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    h, mean, rstd = statistics(x, num_groups, eps)
    v = torch.group_norm(x, num_groups, gamma, beta, eps)
    if activate_swish:
        v = v * torch.sigmoid(swish_scale * v)
    return v, mean, rstd


def scale(x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, num_groups: int, data_format: str, eps: float, activate_swish: bool, swish_scale: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    h, mean, rstd = statistics(x, num_groups, eps)
    per = x.numel() // max(x.shape[0] * num_groups, 1)
    size = torch.mean(torch.abs(x).reshape([x.shape[0], num_groups, per]), 2)
    wide = (torch.abs(x).reshape([x.shape[0], num_groups, per]) + size.unsqueeze(2)) * rstd.unsqueeze(2)
    return wide.reshape(x.shape) * torch.abs(channels(gamma, x)) + torch.abs(channels(beta, x)), size, rstd
