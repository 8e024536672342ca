from typing import Optional, Tuple

import torch


def compute(var: torch.Tensor, m: torch.Tensor, v: torch.Tensor, grad: torch.Tensor, step: torch.Tensor, max_grad_norm: Optional[torch.Tensor], lr: float, beta1: float, beta2: float, weight_decay: float, eps: float, amsgrad: bool, maximize: bool, magnitude: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    g = -grad if maximize else grad
    t = float(step[0]) + 1.0
    m_new = beta1 * m + (1.0 - beta1) * g
    v_new = beta2 * v + (1.0 - beta2) * g * g
    second = v_new
    top = v_new
    if amsgrad:
        if max_grad_norm is not None:
            top = torch.maximum(max_grad_norm, v_new)
        second = top
    d = torch.sqrt(second / (1.0 - beta2 ** t)) + eps
    change = lr * (m_new / (1.0 - beta1 ** t)) / d
    decayed = var * (1.0 - lr * weight_decay)
    if magnitude:
        size = torch.abs(beta1 * m) + torch.abs((1.0 - beta1) * g)
        return torch.abs(decayed) + lr * (size / (1.0 - beta1 ** t)) / d, size, v_new, top
    return decayed - change, m_new, v_new, top


def reference(var: torch.Tensor, m: torch.Tensor, v: torch.Tensor, grad: torch.Tensor, step: torch.Tensor, max_grad_norm: Optional[torch.Tensor], lr: float, beta1: float, beta2: float, weight_decay: float, eps: float, amsgrad: bool, maximize: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    return compute(var, m, v, grad, step, max_grad_norm, lr, beta1, beta2, weight_decay, eps, amsgrad, maximize, False)


def eager(var: torch.Tensor, m: torch.Tensor, v: torch.Tensor, grad: torch.Tensor, step: torch.Tensor, max_grad_norm: Optional[torch.Tensor], lr: float, beta1: float, beta2: float, weight_decay: float, eps: float, amsgrad: bool, maximize: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    return compute(var, m, v, grad, step, max_grad_norm, lr, beta1, beta2, weight_decay, eps, amsgrad, maximize, False)


def scale(var: torch.Tensor, m: torch.Tensor, v: torch.Tensor, grad: torch.Tensor, step: torch.Tensor, max_grad_norm: Optional[torch.Tensor], lr: float, beta1: float, beta2: float, weight_decay: float, eps: float, amsgrad: bool, maximize: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    return compute(var, m, v, grad, step, max_grad_norm, lr, beta1, beta2, weight_decay, eps, amsgrad, maximize, True)
