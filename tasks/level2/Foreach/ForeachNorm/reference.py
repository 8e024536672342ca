from typing import List

import torch


def norm(x: torch.Tensor, p: float) -> torch.Tensor:
    magnitude = torch.abs(x)
    if p == 0.0:
        return torch.sum((magnitude != 0).to(x.dtype))
    if p == 1.0:
        return torch.sum(magnitude)
    if p == 2.0:
        return torch.sqrt(torch.sum(magnitude * magnitude))
    return torch.pow(torch.sum(torch.pow(magnitude, p)), 1.0 / p)


def reference(x: List[torch.Tensor], p: float) -> List[torch.Tensor]:
    return [norm(tensor, p) for tensor in x]


def eager(x: List[torch.Tensor], p: float) -> List[torch.Tensor]:
    return [torch.norm(tensor, p) for tensor in x]
