from typing import Optional, Tuple

import torch


def prepare(grad_loss: torch.Tensor, log_prob: torch.Tensor, target: torch.Tensor, weight: Optional[torch.Tensor], reduction: str, ignore_index: int, label_smoothing: float, lse_square_scale_for_zloss: float) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, Optional[torch.Tensor]]:
    kept = target.clone()
    kept[0] = log_prob.shape[1] - 1
    return grad_loss, torch.log_softmax(log_prob, 1), kept, weight


def compute(grad_loss: torch.Tensor, log_prob: torch.Tensor, target: torch.Tensor, weight: Optional[torch.Tensor], reduction: str, ignore_index: int, label_smoothing: float, magnitude: bool) -> torch.Tensor:
    classes = log_prob.shape[1]
    w = torch.ones([classes], dtype=log_prob.dtype)
    if weight is not None:
        w = weight.to(log_prob.dtype)
    counts = (target != ignore_index).to(log_prob.dtype)
    t = torch.where(target == ignore_index, torch.zeros_like(target), target)
    a = torch.zeros_like(log_prob).scatter(1, t.unsqueeze(1), 1.0 - label_smoothing)
    a = (a + label_smoothing / float(classes)) * w
    r = grad_loss if reduction == "none" else grad_loss.expand(target.shape)
    if reduction == "mean":
        r = r / torch.sum(w[t] * counts)
    r = (r * counts).unsqueeze(1)
    p = torch.exp(log_prob) * torch.sum(a, 1, True)
    if magnitude:
        return torch.abs(r) * (p + a)
    return r * (p - a)


def reference(grad_loss: torch.Tensor, log_prob: torch.Tensor, target: torch.Tensor, weight: Optional[torch.Tensor], reduction: str, ignore_index: int, label_smoothing: float, lse_square_scale_for_zloss: float) -> torch.Tensor:
    return compute(grad_loss, log_prob, target, weight, reduction, ignore_index, label_smoothing, False)


def eager(grad_loss: torch.Tensor, log_prob: torch.Tensor, target: torch.Tensor, weight: Optional[torch.Tensor], reduction: str, ignore_index: int, label_smoothing: float, lse_square_scale_for_zloss: float) -> torch.Tensor:
    return compute(grad_loss, log_prob, target, weight, reduction, ignore_index, label_smoothing, False)


def scale(grad_loss: torch.Tensor, log_prob: torch.Tensor, target: torch.Tensor, weight: Optional[torch.Tensor], reduction: str, ignore_index: int, label_smoothing: float, lse_square_scale_for_zloss: float) -> torch.Tensor:
    return compute(grad_loss, log_prob, target, weight, reduction, ignore_index, label_smoothing, True)
