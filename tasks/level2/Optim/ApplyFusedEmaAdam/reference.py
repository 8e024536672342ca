from typing import Tuple

import torch


def compute(grad: torch.Tensor, var: torch.Tensor, m: torch.Tensor, v: torch.Tensor, s: torch.Tensor, step: torch.Tensor, lr: float, ema_decay: float, beta1: float, beta2: float, eps: float, mode: int, bias_correction: bool, weight_decay: float, magnitude: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    t = float(step[0])
    g = grad + weight_decay * var if mode == 0 else grad
    m_new = beta1 * m + (1.0 - beta1) * g
    v_new = beta2 * v + (1.0 - beta2) * g * g
    first = 1.0 / (1.0 - beta1 ** t) if bias_correction else 1.0
    second = 1.0 / (1.0 - beta2 ** t) if bias_correction else 1.0
    d = torch.sqrt(v_new * second) + eps
    u = m_new * first / d
    if mode == 1:
        u = u + weight_decay * var
    var_new = var - lr * u
    if magnitude:
        size_g = torch.abs(grad) + weight_decay * torch.abs(var) if mode == 0 else torch.abs(grad)
        size_m = beta1 * torch.abs(m) + (1.0 - beta1) * size_g
        size = torch.abs(var) + lr * (size_m * first / d + weight_decay * torch.abs(var))
        return size, size_m, beta2 * v + (1.0 - beta2) * size_g * size_g, ema_decay * torch.abs(s) + (1.0 - ema_decay) * size
    return var_new, m_new, v_new, ema_decay * s + (1.0 - ema_decay) * var_new


def reference(grad: torch.Tensor, var: torch.Tensor, m: torch.Tensor, v: torch.Tensor, s: torch.Tensor, step: torch.Tensor, lr: float, ema_decay: float, beta1: float, beta2: float, eps: float, mode: int, bias_correction: bool, weight_decay: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    return compute(grad, var, m, v, s, step, lr, ema_decay, beta1, beta2, eps, mode, bias_correction, weight_decay, False)


def eager(grad: torch.Tensor, var: torch.Tensor, m: torch.Tensor, v: torch.Tensor, s: torch.Tensor, step: torch.Tensor, lr: float, ema_decay: float, beta1: float, beta2: float, eps: float, mode: int, bias_correction: bool, weight_decay: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    return compute(grad, var, m, v, s, step, lr, ema_decay, beta1, beta2, eps, mode, bias_correction, weight_decay, False)


def scale(grad: torch.Tensor, var: torch.Tensor, m: torch.Tensor, v: torch.Tensor, s: torch.Tensor, step: torch.Tensor, lr: float, ema_decay: float, beta1: float, beta2: float, eps: float, mode: int, bias_correction: bool, weight_decay: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    return compute(grad, var, m, v, s, step, lr, ema_decay, beta1, beta2, eps, mode, bias_correction, weight_decay, True)
