import torch


def reference(param: torch.Tensor, grad: torch.Tensor, first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    m = (0.9 * first + 0.1 * grad) / 0.1
    v = (0.999 * second + 0.001 * grad * grad) / 0.001
    return param - 0.001 * m / (torch.sqrt(v) + 1e-8)


def eager(param: torch.Tensor, grad: torch.Tensor, first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    m = (0.9 * first + 0.1 * grad) / 0.1
    v = (0.999 * second + 0.001 * grad * grad) / 0.001
    return param - 0.001 * m / (torch.sqrt(v) + 1e-8)


def scale(param: torch.Tensor, grad: torch.Tensor, first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    m = (0.9 * torch.abs(first) + 0.1 * torch.abs(grad)) / 0.1
    v = (0.999 * second + 0.001 * grad * grad) / 0.001
    return torch.abs(param) + 0.001 * m / (torch.sqrt(v) + 1e-8)
