from typing import List, Tuple

import torch


def channels(v: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    shape = [1 for i in range(x.dim())]
    shape[1] = -1
    return v.reshape(shape)


def compute(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, running_mean: torch.Tensor, running_var: torch.Tensor, epsilon: float, momentum: float, is_training: bool, magnitude: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    dims = [0] + [i for i in range(2, x.dim())]
    mean = running_mean
    var = running_var
    if is_training:
        mean = torch.mean(x, dims)
        centred = x - channels(mean, x)
        var = torch.mean(centred * centred, dims)
        count = x.numel() // x.shape[1]
        unbiased = var * (float(count) / float(count - 1))
        mean_so_far = (1.0 - momentum) * running_mean + momentum * mean
        var_so_far = (1.0 - momentum) * running_var + momentum * unbiased
    else:
        mean_so_far = running_mean.clone()
        var_so_far = running_var.clone()
    rstd = 1.0 / torch.sqrt(var + epsilon)
    y = (x - channels(mean, x)) * channels(rstd * weight, x) + channels(bias, x)
    if magnitude:
        size = torch.mean(torch.abs(x), dims) if is_training else torch.abs(mean)
        y = (torch.abs(x) + channels(size, x)) * channels(torch.abs(rstd * weight), x) + channels(torch.abs(bias), x)
        mean_so_far = torch.abs(running_mean) + size
        mean = size
    return y, mean_so_far, var_so_far, mean, rstd


def reference(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, running_mean: torch.Tensor, running_var: torch.Tensor, epsilon: float, momentum: float, is_training: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    return compute(x, weight, bias, running_mean, running_var, epsilon, momentum, is_training, False)


def eager(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, running_mean: torch.Tensor, running_var: torch.Tensor, epsilon: float, momentum: float, is_training: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    mean_so_far = running_mean.clone()
    var_so_far = running_var.clone()
    y, mean, rstd = torch.native_batch_norm(x, weight, bias, mean_so_far, var_so_far, is_training, momentum, epsilon)
    return y, mean_so_far, var_so_far, mean, rstd


def scale(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, running_mean: torch.Tensor, running_var: torch.Tensor, epsilon: float, momentum: float, is_training: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    return compute(x, weight, bias, running_mean, running_var, epsilon, momentum, is_training, True)
