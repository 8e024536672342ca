import torch


def magnitude(x: torch.Tensor, n: int, incx: int) -> torch.Tensor:
    v = x[0 : (n - 1) * incx + 1 : incx]
    return torch.abs(v)


def reference(x: torch.Tensor, n: int, incx: int) -> torch.Tensor:
    return (torch.argmax(magnitude(x, n, incx)) + 1).reshape([1])


def eager(x: torch.Tensor, n: int, incx: int) -> torch.Tensor:
    return (torch.argmax(magnitude(x, n, incx)) + 1).to(torch.int32).reshape([1])
