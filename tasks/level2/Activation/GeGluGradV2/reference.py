import math
from typing import Tuple

import torch


def gelu_of(x: torch.Tensor, approximate: int) -> torch.Tensor:
    if approximate == 0:
        return 0.5 * x * torch.erfc(-x / math.sqrt(2.0))
    return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x)))


def slope(a: torch.Tensor, approximate: int, magnitude: bool) -> torch.Tensor:
    c = math.sqrt(2.0 / math.pi)
    if approximate == 0:
        level = 0.5 * torch.erfc(-a / math.sqrt(2.0))
        rise = a * torch.exp(-0.5 * a * a) / math.sqrt(2.0 * math.pi)
    else:
        t = torch.tanh(c * (a + 0.044715 * a * a * a))
        level = 0.5 * (1.0 + t)
        rise = 0.5 * a * (1.0 - t * t) * c * (1.0 + 0.134145 * a * a)
    if magnitude:
        return level + torch.abs(rise)
    return level + rise


def join(of_a: torch.Tensor, of_b: torch.Tensor, dim: int, activate_left: bool) -> torch.Tensor:
    if activate_left:
        return torch.cat([of_a, of_b], dim)
    return torch.cat([of_b, of_a], dim)


def prepare(dy: torch.Tensor, x: torch.Tensor, gelu: torch.Tensor, dim: int, approximate: int, activate_left: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    first, second = torch.chunk(x, 2, dim)
    return dy, x, gelu_of(first if activate_left else second, approximate)


def reference(dy: torch.Tensor, x: torch.Tensor, gelu: torch.Tensor, dim: int, approximate: int, activate_left: bool) -> torch.Tensor:
    first, second = torch.chunk(x, 2, dim)
    a = first if activate_left else second
    b = second if activate_left else first
    return join(dy * b * slope(a, approximate, False), dy * gelu, dim, activate_left)


def eager(dy: torch.Tensor, x: torch.Tensor, gelu: torch.Tensor, dim: int, approximate: int, activate_left: bool) -> torch.Tensor:
    first, second = torch.chunk(x, 2, dim)
    a = first if activate_left else second
    b = second if activate_left else first
    form = "none" if approximate == 0 else "tanh"
    return join(torch.ops.aten.gelu_backward(dy * b, a, approximate=form), dy * gelu, dim, activate_left)


def scale(dy: torch.Tensor, x: torch.Tensor, gelu: torch.Tensor, dim: int, approximate: int, activate_left: bool) -> torch.Tensor:
    first, second = torch.chunk(x, 2, dim)
    a = first if activate_left else second
    b = second if activate_left else first
    return torch.abs(join(dy * b * slope(a, approximate, True), dy * gelu, dim, activate_left))
