import math

import torch
import torch.nn.functional as F


def reference(x: torch.Tensor) -> torch.Tensor:
    return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x)))


def eager(x: torch.Tensor) -> torch.Tensor:
    return F.gelu(x, approximate="tanh")
