from typing import Tuple

import torch
import torch.nn.functional as F


def prepare(predictions: torch.Tensor, targets: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    return predictions, torch.where(targets < 0, -torch.ones_like(targets), torch.ones_like(targets))


def reference(predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    return torch.mean(torch.clamp(1.0 - predictions * targets, min=0.0))


def eager(predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    return torch.mean(torch.clamp(1.0 - predictions * targets, min=0.0))
