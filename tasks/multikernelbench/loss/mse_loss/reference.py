from typing import Tuple

import torch
import torch.nn.functional as F


def reference(predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    return torch.mean((predictions - targets) * (predictions - targets))


def eager(predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    return F.mse_loss(predictions, targets)


def scale(predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    return torch.mean((torch.abs(predictions) + torch.abs(targets)) * torch.abs(predictions - targets))
