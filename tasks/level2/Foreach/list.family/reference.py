from typing import List

import torch


def apply(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return ${expression}


def reference(x1: List[torch.Tensor], x2: List[torch.Tensor]) -> List[torch.Tensor]:
    return [apply(x1[i], x2[i]) for i in range(len(x1))]


def eager(x1: List[torch.Tensor], x2: List[torch.Tensor]) -> List[torch.Tensor]:
    return [apply(x1[i], x2[i]) for i in range(len(x1))]
