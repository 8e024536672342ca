from typing import List

import torch


def apply(x: torch.Tensor) -> torch.Tensor:
    return ${expression}


def reference(x: List[torch.Tensor]) -> List[torch.Tensor]:
    return [apply(tensor) for tensor in x]


def eager(x: List[torch.Tensor]) -> List[torch.Tensor]:
    return [apply(tensor) for tensor in x]
