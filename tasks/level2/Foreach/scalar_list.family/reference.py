from typing import List

import torch


def apply(x: torch.Tensor, value: float) -> torch.Tensor:
    s = torch.full([], value, dtype=x.dtype)
    return ${expression}


def reference(x: List[torch.Tensor], scalars: List[float]) -> List[torch.Tensor]:
    return [apply(x[i], scalars[i]) for i in range(len(x))]


def eager(x: List[torch.Tensor], scalars: List[float]) -> List[torch.Tensor]:
    return [apply(x[i], scalars[i]) for i in range(len(x))]
