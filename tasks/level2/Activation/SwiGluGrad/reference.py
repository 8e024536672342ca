import torch
import torch.nn.functional as F


def reference(y_grad: torch.Tensor, x: torch.Tensor, dim: int) -> torch.Tensor:
    a, b = torch.chunk(x, 2, dim)
    s = torch.sigmoid(a)
    return torch.cat([y_grad * b * s * (1.0 + a * (1.0 - s)), y_grad * a * s], dim)


def eager(y_grad: torch.Tensor, x: torch.Tensor, dim: int) -> torch.Tensor:
    a, b = torch.chunk(x, 2, dim)
    return torch.cat([torch.ops.aten.silu_backward(y_grad * b, a), y_grad * F.silu(a)], dim)


def scale(y_grad: torch.Tensor, x: torch.Tensor, dim: int) -> torch.Tensor:
    a, b = torch.chunk(x, 2, dim)
    s = torch.sigmoid(a)
    return torch.abs(torch.cat([y_grad * b * s * (1.0 + torch.abs(a) * (1.0 - s)), y_grad * a * s], dim))
