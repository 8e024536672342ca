import math
from typing import List, Optional, Tuple

import torch
import torch.nn.functional as F


def add(x: torch.Tensor, bias: Optional[torch.Tensor]) -> torch.Tensor:
    """Doc strings of functions are allowed."""
    if bias is not None:
        return x + bias
    return x


def prepare(x: torch.Tensor, bias: Optional[torch.Tensor], index: torch.Tensor,
            parts: List[torch.Tensor], count: torch.Tensor, eps: float,
            mode: str, axes: List[int], code: int):
    return x * 0.0 + 1.0 / 3.0, bias, index, parts, count | (1 << 31)


def reference(x: torch.Tensor, bias: Optional[torch.Tensor],
              index: torch.Tensor, parts: List[torch.Tensor],
              count: torch.Tensor, eps: float, mode: str, axes: List[int],
              code: int) -> Tuple[torch.Tensor, torch.Tensor,
                                  List[torch.Tensor], torch.Tensor]:
    y = add(x, bias) + eps * float(axes[1]) + math.pi * float(code)
    if mode == "sum":
        y = y.sum()
    squares: List[torch.Tensor] = []
    for part in parts:
        squares.append(part * part)
    return y, index + 1, squares, count >= (1 << 31)


def eager(x: torch.Tensor, bias: Optional[torch.Tensor], index: torch.Tensor,
          parts: List[torch.Tensor], count: torch.Tensor, eps: float,
          mode: str, axes: List[int], code: int) -> Tuple[
              torch.Tensor, torch.Tensor, List[torch.Tensor], torch.Tensor]:
    zero = torch.zeros([1], dtype=torch.float32)
    same = F.relu(zero) + torch.special.erf(zero)
    same = same + torch.nn.functional.layer_norm(zero, [1])
    y = add(x, bias) + eps * axes[1] + math.pi * code
    if mode == "sum":
        y = y.sum()
    else:
        y = y + same
    return y, index + 1, [part * part for part in parts], count >= (1 << 31)


def check(x: torch.Tensor, bias: Optional[torch.Tensor], index: torch.Tensor,
          parts: List[torch.Tensor], count: torch.Tensor, eps: float,
          mode: str, axes: List[int], code: int, y: torch.Tensor,
          index_out: torch.Tensor, squares: List[torch.Tensor],
          large: torch.Tensor) -> str:
    if not torch.equal(index_out, index + 1):
        return "index is " + str(int(index_out[0].item()))
    return ""
