from typing import Tuple

import torch


def prepare(unique_len: torch.Tensor, unique_indices: torch.Tensor, indices: torch.Tensor, values: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    # Every column occurs; equal entries have equal coordinates.
    different = unique_len.shape[0]
    which = unique_indices.clone()
    which[:different] = torch.arange(different)
    columns = indices[:, :different]
    return torch.arange(different), which, columns[:, which], values


def compute(unique_len: torch.Tensor, unique_indices: torch.Tensor, indices: torch.Tensor, values: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    which = unique_indices.to(torch.int64)
    new_indices = torch.zeros([unique_len.shape[0], indices.shape[0]], dtype=indices.dtype)
    new_indices[which] = indices.t()
    shape = list(values.shape)
    shape[0] = unique_len.shape[0]
    return new_indices, torch.zeros(shape, dtype=values.dtype).index_add(0, which, values)


def reference(unique_len: torch.Tensor, unique_indices: torch.Tensor, indices: torch.Tensor, values: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    return compute(unique_len, unique_indices, indices, values)


def eager(unique_len: torch.Tensor, unique_indices: torch.Tensor, indices: torch.Tensor, values: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    return compute(unique_len, unique_indices, indices, values)


def scale(unique_len: torch.Tensor, unique_indices: torch.Tensor, indices: torch.Tensor, values: torch.Tensor) -> Tuple[torch.Tensor, torch.Tensor]:
    return compute(unique_len, unique_indices, indices, torch.abs(values))
