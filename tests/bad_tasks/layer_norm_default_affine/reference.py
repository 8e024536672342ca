import torch


def reference(x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor) -> torch.Tensor:
    return torch.layer_norm(x, [x.size(1)], gamma, beta, 1e-5)


def eager(x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor) -> torch.Tensor:
    return torch.layer_norm(x, [x.size(1)], gamma, beta, 1e-5)
