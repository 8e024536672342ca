import math

import torch
import torch.nn.functional as F


def reference(x: torch.Tensor) -> torch.Tensor:
    return torch.clamp(x / 6.0 + 0.5, 0.0, 1.0)


def eager(x: torch.Tensor) -> torch.Tensor:
    return F.hardsigmoid(x)
