import torch


def magnitude(x: torch.Tensor, n: int, incx: int) -> torch.Tensor:
    v = x[0 : (n - 1) * incx + 1 : incx]
    return torch.abs(torch.real(v)) + torch.abs(torch.imag(v))


def reference(x: torch.Tensor, n: int, incx: int) -> torch.Tensor:
    return (torch.argmin(magnitude(x, n, incx)) + 1).reshape([1])


def eager(x: torch.Tensor, n: int, incx: int) -> torch.Tensor:
    return (torch.argmin(magnitude(x, n, incx)) + 1).to(torch.int32).reshape([1])


def check(x: torch.Tensor, n: int, incx: int, result: torch.Tensor) -> str:
    m = magnitude(x, n, incx)
    at = int(result[0]) - 1
    if at < 0 or at >= n:
        return "the index is outside [1, n]"
    best = float(m[int(torch.argmin(m))])
    if abs(float(m[at]) - best) > 2.0 ** -22 * max(best, 2.0 ** -126):
        return "another element is smaller"
    return ""
