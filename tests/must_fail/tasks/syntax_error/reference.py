from typing import Optional

import torch


def reference(
    x: torch.Tensor, bias: Optional[torch.Tensor], factor: float
) -> torch.Tensor:
    y = x factor
    if bias is not None:
        y = y + bias
    return y


def eager(
    x: torch.Tensor, bias: Optional[torch.Tensor], factor: float
) -> torch.Tensor:
    if bias is None:
        return torch.mul(x, factor)
    return torch.addcmul(bias, x, torch.full([1], factor))
