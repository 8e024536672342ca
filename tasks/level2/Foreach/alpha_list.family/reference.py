from typing import List

import torch


def apply(a: torch.Tensor, b: torch.Tensor, s: torch.Tensor) -> torch.Tensor:
    return ${expression}


def magnitude(a: torch.Tensor, b: torch.Tensor, s: torch.Tensor) -> torch.Tensor:
    return ${magnitudes}


def reference(x1: List[torch.Tensor], x2: List[torch.Tensor], alpha: torch.Tensor) -> List[torch.Tensor]:
    return [apply(x1[i], x2[i], alpha[0]) for i in range(len(x1))]


def eager(x1: List[torch.Tensor], x2: List[torch.Tensor], alpha: torch.Tensor) -> List[torch.Tensor]:
    return [apply(x1[i], x2[i], alpha[0]) for i in range(len(x1))]


def scale(x1: List[torch.Tensor], x2: List[torch.Tensor], alpha: torch.Tensor) -> List[torch.Tensor]:
    return [magnitude(x1[i], x2[i], alpha[0]) for i in range(len(x1))]
