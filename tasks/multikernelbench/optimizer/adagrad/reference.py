import torch


def reference(param: torch.Tensor, grad: torch.Tensor, accumulator: torch.Tensor) -> torch.Tensor:
    return param - 0.01 * grad / (torch.sqrt(accumulator + grad * grad) + 1e-10)


def eager(param: torch.Tensor, grad: torch.Tensor, accumulator: torch.Tensor) -> torch.Tensor:
    return param - 0.01 * grad / (torch.sqrt(accumulator + grad * grad) + 1e-10)


def scale(param: torch.Tensor, grad: torch.Tensor, accumulator: torch.Tensor) -> torch.Tensor:
    return torch.abs(param) + 0.01 * torch.abs(grad) / (torch.sqrt(accumulator + grad * grad) + 1e-10)
