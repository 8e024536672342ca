from typing import Tuple

import torch
import torch.nn.functional as F


def cosine(p: torch.Tensor, t: torch.Tensor) -> torch.Tensor:
    sizes = torch.sqrt(torch.sum(p * p, 1)) * torch.sqrt(torch.sum(t * t, 1))
    return torch.sum(p * t, 1) / torch.clamp(sizes, min=1e-8)


def reference(predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    return torch.mean(1.0 - cosine(predictions, targets))


def eager(predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    return torch.mean(1.0 - F.cosine_similarity(predictions, targets, dim=1))


def scale(predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    return torch.mean(1.0 + cosine(torch.abs(predictions), torch.abs(targets)))
