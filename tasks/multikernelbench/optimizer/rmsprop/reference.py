import torch


def reference(param: torch.Tensor, grad: torch.Tensor, square: torch.Tensor) -> torch.Tensor:
    return param - 0.001 * grad / (torch.sqrt(0.99 * square + 0.01 * grad * grad) + 1e-8)


def eager(param: torch.Tensor, grad: torch.Tensor, square: torch.Tensor) -> torch.Tensor:
    return param - 0.001 * grad / (torch.sqrt(0.99 * square + 0.01 * grad * grad) + 1e-8)


def scale(param: torch.Tensor, grad: torch.Tensor, square: torch.Tensor) -> torch.Tensor:
    return torch.abs(param) + 0.001 * torch.abs(grad) / (torch.sqrt(0.99 * square + 0.01 * grad * grad) + 1e-8)
