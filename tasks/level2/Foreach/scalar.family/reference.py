from typing import List

import torch


def apply(x: torch.Tensor, s: torch.Tensor) -> torch.Tensor:
    return ${expression}


def reference(x: List[torch.Tensor], scalar: torch.Tensor) -> List[torch.Tensor]:
    return [apply(tensor, scalar[0]) for tensor in x]


def eager(x: List[torch.Tensor], scalar: torch.Tensor) -> List[torch.Tensor]:
    return [apply(tensor, scalar[0]) for tensor in x]
