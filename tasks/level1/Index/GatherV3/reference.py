import torch


def reference(x: torch.Tensor, indices: torch.Tensor, axis: torch.Tensor, batchDims: int, negativeIndexSupport: bool) -> torch.Tensor:
    a = int(axis[0])
    flat = indices.reshape([-1]).to(torch.int64)
    flat = torch.where(flat < 0, flat + x.shape[a], flat)
    shape = list(x.shape[:a]) + list(indices.shape) + list(x.shape[a + 1 :])
    return torch.index_select(x, a, flat).reshape(shape)


def eager(x: torch.Tensor, indices: torch.Tensor, axis: torch.Tensor, batchDims: int, negativeIndexSupport: bool) -> torch.Tensor:
    a = int(axis[0])
    flat = indices.reshape([-1]).to(torch.int64)
    flat = torch.where(flat < 0, flat + x.shape[a], flat)
    shape = list(x.shape[:a]) + list(indices.shape) + list(x.shape[a + 1 :])
    return torch.index_select(x, a, flat).reshape(shape)
