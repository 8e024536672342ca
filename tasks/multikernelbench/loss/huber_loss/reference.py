from typing import Tuple

import torch
import torch.nn.functional as F


def smooth(d: torch.Tensor) -> torch.Tensor:
    size = torch.abs(d)
    return torch.where(size < 1.0, 0.5 * d * d, size - 0.5)


def reference(predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    return torch.mean(smooth(predictions - targets))


def eager(predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    return F.smooth_l1_loss(predictions, targets)


def scale(predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    return torch.mean(torch.abs(predictions) + torch.abs(targets))
