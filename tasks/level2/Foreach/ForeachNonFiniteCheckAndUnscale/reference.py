from typing import List, Tuple

import torch


def found(scaled_grads: List[torch.Tensor], found_inf: torch.Tensor) -> torch.Tensor:
    finite = True
    for tensor in scaled_grads:
        if not bool(torch.all(torch.isfinite(tensor))):
            finite = False
    return found_inf.clone() if finite else torch.ones_like(found_inf)


def reference(scaled_grads: List[torch.Tensor], found_inf: torch.Tensor, inv_scale: torch.Tensor) -> Tuple[List[torch.Tensor], torch.Tensor]:
    return [tensor * inv_scale[0] for tensor in scaled_grads], found(scaled_grads, found_inf)


def eager(scaled_grads: List[torch.Tensor], found_inf: torch.Tensor, inv_scale: torch.Tensor) -> Tuple[List[torch.Tensor], torch.Tensor]:
    return [tensor * inv_scale[0] for tensor in scaled_grads], found(scaled_grads, found_inf)
