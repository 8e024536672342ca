from typing import List

import torch


def apply(x: torch.Tensor, mode: int) -> torch.Tensor:
    down = torch.floor(x)
    if mode == 1:
        return torch.round(x)
    if mode == 2:
        return down
    if mode == 3:
        return torch.ceil(x)
    if mode == 4:
        return torch.copysign(torch.floor(torch.abs(x) + 0.5), x)
    if mode == 5:
        return torch.trunc(x)
    if mode == 6:
        odd = torch.where(torch.remainder(down, 2.0) == 0.0, torch.ceil(x), down)
        return torch.where(down == x, x, odd)
    return torch.copysign(x - torch.trunc(x), x)


def reference(x: List[torch.Tensor], round_mode: torch.Tensor) -> List[torch.Tensor]:
    return [apply(tensor, int(round_mode[0])) for tensor in x]


def eager(x: List[torch.Tensor], round_mode: torch.Tensor) -> List[torch.Tensor]:
    mode = int(round_mode[0])
    if mode == 4:
        return [torch.copysign(torch.floor(torch.abs(tensor.to(torch.float64)) + 0.5), tensor).to(tensor.dtype) for tensor in x]
    return [apply(tensor, mode) for tensor in x]
