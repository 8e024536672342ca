import torch


def reference(param: torch.Tensor, grad: torch.Tensor, velocity: torch.Tensor) -> torch.Tensor:
    return param - 0.01 * (0.9 * velocity + grad)


def eager(param: torch.Tensor, grad: torch.Tensor, velocity: torch.Tensor) -> torch.Tensor:
    return param - 0.01 * (0.9 * velocity + grad)


def scale(param: torch.Tensor, grad: torch.Tensor, velocity: torch.Tensor) -> torch.Tensor:
    return torch.abs(param) + 0.01 * (0.9 * torch.abs(velocity) + torch.abs(grad))
