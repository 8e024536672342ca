from typing import Optional, Tuple

import torch


def prepare(input: torch.Tensor, target: torch.Tensor, weight: Optional[torch.Tensor], reduction: str, ignore_index: int, label_smoothing: float, lse_square_scale_for_zloss: float, return_zloss: bool) -> Tuple[torch.Tensor, torch.Tensor, Optional[torch.Tensor]]:
    kept = target.clone()
    kept[0] = input.shape[1] - 1
    return input, kept, weight


def compute(input: torch.Tensor, target: torch.Tensor, weight: Optional[torch.Tensor], reduction: str, ignore_index: int, label_smoothing: float, lse_square_scale_for_zloss: float, return_zloss: bool, magnitude: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    top = torch.amax(input, 1, True)
    lse = torch.log(torch.sum(torch.exp(input - top), 1)) + top.squeeze(1)
    log_prob = input - lse.unsqueeze(1)
    cost = torch.abs(input) + torch.abs(lse).unsqueeze(1) if magnitude else -log_prob
    w = torch.ones([input.shape[1]], dtype=input.dtype)
    if weight is not None:
        w = weight.to(input.dtype)
    counts = (target != ignore_index).to(input.dtype)
    t = torch.where(target == ignore_index, torch.zeros_like(target), target)
    hit = torch.gather(cost, 1, t.unsqueeze(1)).squeeze(1) * w[t]
    spread = torch.sum(cost * w, 1) / float(input.shape[1])
    loss = ((1.0 - label_smoothing) * hit + label_smoothing * spread) * counts
    z = lse_square_scale_for_zloss * lse * lse * counts
    lse_out = lse * counts
    if reduction == "none":
        return loss + z, cost if magnitude else log_prob, z, lse_out
    if reduction == "sum":
        return torch.sum(loss + z).reshape([1]), cost if magnitude else log_prob, torch.sum(z).reshape([1]), lse_out
    mean_z = torch.sum(z) / torch.sum(counts)
    mean = torch.sum(loss) / torch.sum(w[t] * counts) + mean_z
    return mean.reshape([1]), cost if magnitude else log_prob, mean_z.reshape([1]), lse_out


def reference(input: torch.Tensor, target: torch.Tensor, weight: Optional[torch.Tensor], reduction: str, ignore_index: int, label_smoothing: float, lse_square_scale_for_zloss: float, return_zloss: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    return compute(input, target, weight, reduction, ignore_index, label_smoothing, lse_square_scale_for_zloss, return_zloss, False)


def eager(input: torch.Tensor, target: torch.Tensor, weight: Optional[torch.Tensor], reduction: str, ignore_index: int, label_smoothing: float, lse_square_scale_for_zloss: float, return_zloss: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    return compute(input, target, weight, reduction, ignore_index, label_smoothing, lse_square_scale_for_zloss, return_zloss, False)


def scale(input: torch.Tensor, target: torch.Tensor, weight: Optional[torch.Tensor], reduction: str, ignore_index: int, label_smoothing: float, lse_square_scale_for_zloss: float, return_zloss: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    return compute(input, target, weight, reduction, ignore_index, label_smoothing, lse_square_scale_for_zloss, return_zloss, True)
