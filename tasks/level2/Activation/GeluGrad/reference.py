import math
from typing import Tuple

import torch


def gradient(dy: torch.Tensor, x: torch.Tensor, magnitude: bool) -> torch.Tensor:
    c = math.sqrt(2.0 / math.pi)
    t = torch.tanh(c * (x + 0.044715 * x * x * x))
    rise = 0.5 * x * (1.0 - t * t) * c * (1.0 + 3.0 * 0.044715 * x * x)
    if magnitude:
        return torch.abs(dy) * (0.5 * (1.0 + t) + torch.abs(rise))
    return dy * (0.5 * (1.0 + t) + rise)


def prepare(dy: torch.Tensor, x: torch.Tensor, y: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    c = math.sqrt(2.0 / math.pi)
    return dy, x, 0.5 * x * (1.0 + torch.tanh(c * (x + 0.044715 * x * x * x)))


def reference(dy: torch.Tensor, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return gradient(dy, x, False)


def eager(dy: torch.Tensor, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return torch.ops.aten.gelu_backward(dy, x, approximate="tanh")


def scale(dy: torch.Tensor, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return gradient(dy, x, True)
