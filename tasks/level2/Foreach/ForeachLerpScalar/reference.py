from typing import List

import torch


def reference(x1: List[torch.Tensor], x2: List[torch.Tensor], weight: float) -> List[torch.Tensor]:
    return [x1[i] + weight * (x2[i] - x1[i]) for i in range(len(x1))]


def eager(x1: List[torch.Tensor], x2: List[torch.Tensor], weight: float) -> List[torch.Tensor]:
    return [torch.lerp(x1[i], x2[i], weight) for i in range(len(x1))]


def scale(x1: List[torch.Tensor], x2: List[torch.Tensor], weight: float) -> List[torch.Tensor]:
    return [torch.abs(x1[i]) + abs(weight) * (torch.abs(x2[i]) + torch.abs(x1[i])) for i in range(len(x1))]
