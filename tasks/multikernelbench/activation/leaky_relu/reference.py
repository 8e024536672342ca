import math

import torch
import torch.nn.functional as F


def reference(x: torch.Tensor) -> torch.Tensor:
    return torch.where(x > 0, x, 0.01 * x)


def eager(x: torch.Tensor) -> torch.Tensor:
    return F.leaky_relu(x, 0.01)
