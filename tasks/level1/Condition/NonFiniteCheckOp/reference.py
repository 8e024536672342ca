from typing import List

import torch


def flag(tensor_list: List[torch.Tensor], like: torch.Tensor) -> torch.Tensor:
    finite = True
    for tensor in tensor_list:
        if not bool(torch.all(torch.isfinite(tensor))):
            finite = False
    return torch.zeros([1], dtype=like.dtype) if finite else torch.ones([1], dtype=like.dtype)


def reference(tensor_list: List[torch.Tensor]) -> torch.Tensor:
    return flag(tensor_list, torch.zeros([], dtype=torch.float64))


def eager(tensor_list: List[torch.Tensor]) -> torch.Tensor:
    return flag(tensor_list, torch.zeros([], dtype=torch.float32))
