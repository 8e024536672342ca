from typing import Optional, Tuple

import torch


def normalise(x: torch.Tensor, epsilon: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    mean = torch.mean(x, -1, True)
    centred = x - mean
    rstd = 1.0 / torch.sqrt(torch.mean(centred * centred, -1, True) + epsilon)
    return centred * rstd, mean, rstd


def reference(x1: torch.Tensor, x2: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, bias: Optional[torch.Tensor], epsilon: float, additional_output: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    x = x1 + x2
    if bias is not None:
        x = x + bias
    h, mean, rstd = normalise(x, epsilon)
    y = h * gamma + beta
    return y, mean, rstd, x


def eager(x1: torch.Tensor, x2: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, bias: Optional[torch.Tensor], epsilon: float, additional_output: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    x = x1 + x2
    if bias is not None:
        x = x + bias
    h, mean, rstd = torch.native_layer_norm(x, [x.shape[-1]], None, None, epsilon)
    y = h * gamma + beta
    return y, mean, rstd, x


def scale(x1: torch.Tensor, x2: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, bias: Optional[torch.Tensor], epsilon: float, additional_output: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    x = x1 + x2
    if bias is not None:
        x = x + bias
    h, mean, rstd = normalise(x, epsilon)
    size = torch.abs(x1) + torch.abs(x2)
    mean = torch.mean(size, -1, True)
    y = (size + mean) * rstd * torch.abs(gamma) + torch.abs(beta)
    x = size
    return y, mean, rstd, x
