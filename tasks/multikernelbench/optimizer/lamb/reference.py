import torch


def reference(param: torch.Tensor, grad: torch.Tensor, first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    m = 0.9 * first + 0.1 * grad
    v = 0.999 * second + 0.001 * grad * grad
    r = m / (torch.sqrt(v) + 1e-6)
    ratio = torch.sqrt(torch.sum(param * param)) / (torch.sqrt(torch.sum(r * r)) + 1e-6)
    return param - 0.001 * ratio * r


def eager(param: torch.Tensor, grad: torch.Tensor, first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    m = 0.9 * first + 0.1 * grad
    v = 0.999 * second + 0.001 * grad * grad
    r = m / (torch.sqrt(v) + 1e-6)
    ratio = torch.sqrt(torch.sum(param * param)) / (torch.sqrt(torch.sum(r * r)) + 1e-6)
    return param - 0.001 * ratio * r


def scale(param: torch.Tensor, grad: torch.Tensor, first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    m = 0.9 * first + 0.1 * grad
    v = 0.999 * second + 0.001 * grad * grad
    r = m / (torch.sqrt(v) + 1e-6)
    ratio = torch.sqrt(torch.sum(param * param)) / (torch.sqrt(torch.sum(r * r)) + 1e-6)
    size = (0.9 * torch.abs(first) + 0.1 * torch.abs(grad)) / (torch.sqrt(v) + 1e-6)
    return torch.abs(param) + 0.001 * ratio * size
