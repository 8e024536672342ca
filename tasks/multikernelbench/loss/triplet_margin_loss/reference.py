from typing import Tuple

import torch
import torch.nn.functional as F


def distance(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    d = a - b + 1e-6
    return torch.sqrt(torch.sum(d * d, 1))


def reference(anchor: torch.Tensor, positive: torch.Tensor, negative: torch.Tensor) -> torch.Tensor:
    return torch.mean(torch.clamp(distance(anchor, positive) - distance(anchor, negative) + 1.0, min=0.0))


def eager(anchor: torch.Tensor, positive: torch.Tensor, negative: torch.Tensor) -> torch.Tensor:
    return F.triplet_margin_loss(anchor, positive, negative, margin=1.0)


def scale(anchor: torch.Tensor, positive: torch.Tensor, negative: torch.Tensor) -> torch.Tensor:
    return torch.mean(distance(anchor, positive) + distance(anchor, negative) + 1.0)
