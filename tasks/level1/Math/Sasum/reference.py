import torch


def taken(x: torch.Tensor, n: int, incx: int) -> torch.Tensor:
    return x[0 : (n - 1) * incx + 1 : incx]


def reference(x: torch.Tensor, n: int, incx: int) -> torch.Tensor:
    v = taken(x, n, incx)
    return torch.sum(torch.abs(v)).reshape([1])


def eager(x: torch.Tensor, n: int, incx: int) -> torch.Tensor:
    v = taken(x, n, incx)
    return torch.sum(torch.abs(v)).reshape([1])
