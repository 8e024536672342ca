import torch


def reference(x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor) -> torch.Tensor:
    return torch.group_norm(x, 3, gamma, beta, 1e-5)


def eager(x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor) -> torch.Tensor:
    return torch.group_norm(x, 3, gamma, beta, 1e-5)
