import math
from typing import Tuple

import torch
import torch.nn.functional as F


def gelu(x: torch.Tensor, approximate: int) -> torch.Tensor:
    if approximate == 0:
        return 0.5 * x * torch.erfc(-x / math.sqrt(2.0))
    return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x)))


def reference(x: torch.Tensor, dim: int, approximate: int, activate_left: bool) -> Tuple[torch.Tensor, torch.Tensor]:
    first, second = torch.chunk(x, 2, dim)
    a = first if activate_left else second
    b = second if activate_left else first
    g = gelu(a, approximate)
    return g * b, g


def eager(x: torch.Tensor, dim: int, approximate: int, activate_left: bool) -> Tuple[torch.Tensor, torch.Tensor]:
    first, second = torch.chunk(x, 2, dim)
    a = first if activate_left else second
    b = second if activate_left else first
    g = F.gelu(a, approximate="none" if approximate == 0 else "tanh")
    return g * b, g


def scale(x: torch.Tensor, dim: int, approximate: int, activate_left: bool) -> Tuple[torch.Tensor, torch.Tensor]:
    first, second = torch.chunk(x, 2, dim)
    a = first if activate_left else second
    b = second if activate_left else first
    rough = torch.minimum(torch.abs(gelu(a, approximate)) + 0.001 * torch.abs(a), torch.abs(a))
    return rough * torch.abs(b), rough
