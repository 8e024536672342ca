from typing import List

import torch


def apply(x: torch.Tensor, scalar: float) -> torch.Tensor:
    return torch.pow(torch.full([], scalar, dtype=x.dtype), x)


def reference(x: List[torch.Tensor], scalar: float) -> List[torch.Tensor]:
    return [apply(tensor, scalar) for tensor in x]


def eager(x: List[torch.Tensor], scalar: float) -> List[torch.Tensor]:
    return [apply(tensor, scalar) for tensor in x]
