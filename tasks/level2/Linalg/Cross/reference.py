import torch


def axis_of(x: torch.Tensor, dim: int) -> int:
    if dim != -65530:
        return dim
    for i in range(x.dim()):
        if x.shape[i] == 3:
            return i
    return 0


def product(x1: torch.Tensor, x2: torch.Tensor, dim: int, magnitude: bool) -> torch.Tensor:
    axis = axis_of(x1, dim)
    a = [x1.select(axis, i) for i in range(3)]
    b = [x2.select(axis, i) for i in range(3)]
    parts = [torch.zeros_like(a[0]) for i in range(3)]
    for i in range(3):
        j = (i + 1) % 3
        k = (i + 2) % 3
        if magnitude:
            parts[i] = torch.abs(a[j] * b[k]) + torch.abs(a[k] * b[j])
        else:
            parts[i] = a[j] * b[k] - a[k] * b[j]
    return torch.stack(parts, axis)


def reference(x1: torch.Tensor, x2: torch.Tensor, dim: int) -> torch.Tensor:
    return product(x1, x2, dim, False)


def eager(x1: torch.Tensor, x2: torch.Tensor, dim: int) -> torch.Tensor:
    return torch.cross(x1, x2, axis_of(x1, dim))


def scale(x1: torch.Tensor, x2: torch.Tensor, dim: int) -> torch.Tensor:
    return product(x1, x2, dim, True)
