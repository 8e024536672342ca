import math

import torch
import torch.nn.functional as F


def reference(x: torch.Tensor) -> torch.Tensor:
    return torch.where(x > 0, x, torch.expm1(x))


def eager(x: torch.Tensor) -> torch.Tensor:
    return F.elu(x)
