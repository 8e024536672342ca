from typing import List

import torch


def combine(b: torch.Tensor, c: torch.Tensor) -> torch.Tensor:
    return ${expression}


def reference(x1: List[torch.Tensor], x2: List[torch.Tensor], x3: List[torch.Tensor], ${name_of_scalar}: torch.Tensor) -> List[torch.Tensor]:
    return [x1[i] + ${pick} * combine(x2[i], x3[i]) for i in range(len(x1))]


def eager(x1: List[torch.Tensor], x2: List[torch.Tensor], x3: List[torch.Tensor], ${name_of_scalar}: torch.Tensor) -> List[torch.Tensor]:
    return [x1[i] + ${pick} * combine(x2[i], x3[i]) for i in range(len(x1))]


def scale(x1: List[torch.Tensor], x2: List[torch.Tensor], x3: List[torch.Tensor], ${name_of_scalar}: torch.Tensor) -> List[torch.Tensor]:
    return [torch.abs(x1[i]) + torch.abs(${pick} * combine(x2[i], x3[i])) for i in range(len(x1))]
