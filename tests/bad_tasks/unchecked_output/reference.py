from typing import Tuple

import torch


def reference(x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    return torch.sign(x), 1.0 / torch.abs(x)


def eager(x: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    return torch.sign(x), 1.0 / torch.abs(x)


def check(x: torch.Tensor, y: torch.Tensor, rstd: torch.Tensor) -> str:
    if not torch.equal(y, torch.sign(x)):
        return "y is wrong"
    return ""
