import torch


def copy(x: torch.Tensor, n: int, incx: int, incy: int) -> torch.Tensor:
    y = torch.zeros([1 + (n - 1) * incy], dtype=x.dtype)
    y[0 : (n - 1) * incy + 1 : incy] = x[0 : (n - 1) * incx + 1 : incx]
    return y


def reference(x: torch.Tensor, n: int, incx: int, incy: int) -> torch.Tensor:
    return copy(x, n, incx, incy)


def eager(x: torch.Tensor, n: int, incx: int, incy: int) -> torch.Tensor:
    return copy(x, n, incx, incy)
