import torch


def scaled(x: torch.Tensor, alpha: float, n: int, incx: int) -> torch.Tensor:
    y = x.clone()
    y[0 : (n - 1) * incx + 1 : incx] *= alpha
    return y


def reference(x: torch.Tensor, alpha: float, n: int, incx: int) -> torch.Tensor:
    return scaled(x, alpha, n, incx)


def eager(x: torch.Tensor, alpha: float, n: int, incx: int) -> torch.Tensor:
    return scaled(x, alpha, n, incx)
