from typing import Tuple

import torch
import torch.nn.functional as F


def prepare(predictions: torch.Tensor, targets: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    # No element is 0.
    n = float(predictions.shape[1])
    return 0.9 * predictions + 0.1 / n, 0.9 * targets + 0.1 / n


def reference(predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    return torch.sum(targets * (torch.log(targets) - torch.log(predictions))) / float(predictions.shape[0])


def eager(predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    return F.kl_div(torch.log(predictions), targets, reduction="batchmean")


def scale(predictions: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    return torch.sum(targets * (torch.abs(torch.log(targets)) + torch.abs(torch.log(predictions)))) / float(predictions.shape[0])
