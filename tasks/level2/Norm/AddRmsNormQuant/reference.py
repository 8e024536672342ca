from typing import Optional, Tuple

import torch


def quantise(y: torch.Tensor, scales: torch.Tensor, zero_points: Optional[torch.Tensor], div_mode: bool) -> torch.Tensor:
    y = y / scales if div_mode else y * scales
    if zero_points is not None:
        y = y + zero_points
    return torch.clamp(torch.round(y), -128.0, 127.0).to(torch.int64)


def compute(x1: torch.Tensor, x2: torch.Tensor, gamma: torch.Tensor, scales1: torch.Tensor, scales2: Optional[torch.Tensor], zero_points1: Optional[torch.Tensor], zero_points2: Optional[torch.Tensor], axis: int, epsilon: float, div_mode: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    x = x1 + x2
    y = x / torch.sqrt(torch.mean(x * x, -1, True) + epsilon) * gamma
    first = quantise(y, scales1, zero_points1, div_mode)
    second = torch.zeros_like(first)
    if scales2 is not None:
        second = quantise(y, scales2, zero_points2, div_mode)
    return first, second, x


def reference(x1: torch.Tensor, x2: torch.Tensor, gamma: torch.Tensor, scales1: torch.Tensor, scales2: Optional[torch.Tensor], zero_points1: Optional[torch.Tensor], zero_points2: Optional[torch.Tensor], axis: int, epsilon: float, div_mode: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    return compute(x1, x2, gamma, scales1, scales2, zero_points1, zero_points2, axis, epsilon, div_mode)


def eager(x1: torch.Tensor, x2: torch.Tensor, gamma: torch.Tensor, scales1: torch.Tensor, scales2: Optional[torch.Tensor], zero_points1: Optional[torch.Tensor], zero_points2: Optional[torch.Tensor], axis: int, epsilon: float, div_mode: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    first, second, x = compute(x1, x2, gamma, scales1, scales2, zero_points1, zero_points2, axis, epsilon, div_mode)
    return first.to(torch.int8), second.to(torch.int8), x


def scale(x1: torch.Tensor, x2: torch.Tensor, gamma: torch.Tensor, scales1: torch.Tensor, scales2: Optional[torch.Tensor], zero_points1: Optional[torch.Tensor], zero_points2: Optional[torch.Tensor], axis: int, epsilon: float, div_mode: bool) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    none = torch.zeros(x1.shape, dtype=torch.int64)
    return none, none, torch.abs(x1) + torch.abs(x2)
